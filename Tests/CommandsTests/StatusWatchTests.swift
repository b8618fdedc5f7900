import Glibc
import TestWorld
import Testing

@testable import Commands

@Suite(.timeLimit(.minutes(2))) struct StatusWatchTests {
    @Test func `Status is shown again when it changes, and the end is asked for`() async throws {
        try await RealBridge.with { bridge in
            try bridge.save("[1]", as: "a.json", in: bridge.app)
            #expect(try await bridge.run("sync").status == 0)
            let watching = try Running(["status", "--watch", "--json"] + bridge.flags)
            let first = await watching.line()
            #expect(first?.contains(#""state":"synced""#) == true, "\(first ?? "")")
            try bridge.save("[2]", as: "a.json", in: bridge.app)
            let second = await watching.line()
            #expect(second?.contains(#""state":"pending""#) == true, "\(second ?? "")")
            watching.send(SIGINT)
            #expect(await watching.ended().status == 2)
        }
    }

    @Test func `It ends when nobody reads its output any more`() async throws {
        try await RealBridge.with { bridge in
            let command = "'\(Binary.path)' status --watch \(bridge.flags.joined(separator: " ")) | head -1"
            let ended = try await Running(command: ["/bin/sh", "-c", command]).ended()
            #expect(ended.status == 0 && !ended.output.isEmpty, "\(ended)")
        }
    }
}
