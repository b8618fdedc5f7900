import Foundation
import Glibc
import TestWorld
import Testing

/// What an agent logs of a problem that lasts.
@Suite(.timeLimit(.minutes(2))) struct LastingProblemTests {
    /// The next line without its time.
    private func entry(of agent: Running) async throws -> String {
        let line = try #require(await agent.line())
        return String(line.drop { $0 != " " }.dropFirst())
    }

    @Test func `A document that cannot be written is logged when that begins and when it ends`() async throws
    {
        try await RealBridge.with { bridge in
            let agent = try Running(command: [Binary.path, "agent"] + bridge.flags, isMixed: true)
            #expect(await agent.line() == "ready")
            // A file is in the place of a directory that is needed.
            try bridge.save("", as: "sub", in: bridge.group)
            let directory = "\(bridge.app)/sub"
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
            try bridge.save("{}", as: "sub/a.json", in: bridge.app)
            for _ in 1...4 { #expect(try await bridge.wait().status == 7) }
            try FileManager.default.removeItem(atPath: "\(bridge.group)/sub")
            #expect(try await bridge.wait() == Binary.Ended(status: 0))
            #expect(try await entry(of: agent).hasPrefix(#"warning hold document="sub/a.json" why="group: "#))
            #expect(try await entry(of: agent) == #"warning no longer held document="sub/a.json""#)
            agent.send(SIGTERM)
            #expect(await agent.ended() == Binary.Ended(status: 0))
        }
    }

    @Test func `A full disk is logged once, and a refused put names its document`() async throws {
        try await RealBridge.with { bridge in
            let script = "mount -t tmpfs -o size=64k none \"$0\" && exec \"$@\""
            let wrapper = Wrapper.withMounts + ["/bin/sh", "-c", script, bridge.group]
            let agent = try Running(command: wrapper + [Binary.path, "agent"] + bridge.flags, isMixed: true)
            #expect(await agent.line() == "ready")
            let filler = "/proc/\(agent.identifier)/root\(bridge.group)/filler"
            let size = 1 << 20
            let descriptor = unsafe open(filler, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            let zeros = [UInt8](repeating: 0, count: size)
            while unsafe Glibc.write(descriptor, zeros, size) > 0 {}
            close(descriptor)
            try bridge.save(#"{"a":1}"#, as: "a.json", in: bridge.app)
            for _ in 1...4 { #expect(try await bridge.wait().status == 7) }
            let put = try await bridge.run("put", "b.json", input: "{}")
            let line =
                "widgetbridge: the disk is full, group:b.json; free some space there and run again\n"
            #expect(put == Binary.Ended(status: 1, errors: line))
            #expect(unsafe unlink(filler) == 0)
            #expect(try await bridge.wait() == Binary.Ended(status: 0))
            let why = "group: cannot be written: cannot write it: No space left on device"
            #expect(try await entry(of: agent) == #"warning hold document="a.json" why="\#(why)""#)
            #expect(try await entry(of: agent) == #"warning no longer held document="a.json""#)
            agent.send(SIGTERM)
            #expect(await agent.ended() == Binary.Ended(status: 0))
        }
    }
}
