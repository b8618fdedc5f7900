import AgentClient
import BridgeRuntime
import Documents
import Foundation
import Glibc
import TestBridge
import TestWorld
import Testing

@testable import Commands

/// The program in unusual environments.
@Suite(.timeLimit(.minutes(5))) struct SurroundingsTests {
    /// Runs it in a shell, with redirections and arguments of any bytes.
    private func shell(_ script: String, _ arguments: [String] = []) async throws -> Binary.Ended {
        let running = try Running(command: ["/bin/sh", "-c", script, Binary.path] + arguments)
        running.write("")
        return await running.ended()
    }

    @Test(arguments: [["profile", "show", "budget"], ["profile", "list", "--json"], ["--help"]])
    func `Incomplete standard output is an error`(_ arguments: [String]) async throws {
        let line =
            "widgetbridge: cannot write: File too large, standard output; print elsewhere\n"
        try await withDirectory { directory in
            // Not every sandbox has `/dev/full`, but a limit on file sizes is always available.
            let script = #"ulimit -f 0; cd "$1"; shift; exec "$0" "$@" > output"#
            let ended = try await shell(script, [directory] + arguments)
            #expect(ended == Binary.Ended(status: 1, errors: line))
        }
    }

    @Test func `A closed output ends a command silently`() async throws {
        let script = #"{ "$0" profile show budget; echo $? >&2; } | true"#
        let ended = try await shell(script)
        #expect(ended.errors == "0\n")
    }

    @Test func `An argument that is not UTF-8 is refused`() async throws {
        try await RealBridge.with { bridge in
            let script = #"exec "$0" put "$(printf 'b\377.json')" "$@""#
            let ended = try await shell(script, bridge.flags)
            let line = "widgetbridge: an argument is not UTF-8, `b\\xff.json`; write UTF-8, or rename it\n"
            #expect(ended == Binary.Ended(status: 64, errors: line))
            #expect(try FileManager.default.contentsOfDirectory(atPath: bridge.group).isEmpty)
        }
    }

    @Test func `Files are migrated by the profile of the configuration beside them`() async throws {
        try await withDirectory { directory in
            try write("profile: budget\n", to: "\(directory)/widgetbridge.yaml")
            try write(RealBridge.oldBudget, to: "\(directory)/budget.json")
            let script = #"cd "$1"; exec "$0" migrate plan budget.json"#
            let planned = try await shell(script, [directory])
            #expect(planned.status == 2 && planned.output.hasPrefix("budget.json  1 → 2  LOSSLESS\n"))
        }
    }

    @Test func `A state directory that cannot be written is reported as such`() async throws {
        try await RealBridge.with { bridge in
            try write("", to: "\(bridge.root)/file")
            let state = "\(bridge.root)/file/state"
            let flags = ["--app", bridge.app, "--group", bridge.group, "--state", state]
            let ended = try await Binary.run(["sync"] + flags)
            #expect(ended.status == 1)
            #expect(ended.errors.hasPrefix("widgetbridge: cannot write the state directory: "))
            #expect(ended.errors.hasSuffix("\(state); name a directory with --state\n"))
            // A command that only reads needs none.
            #expect(try await Binary.run(["status"] + flags).status == 0)
        }
    }

    @Test(arguments: [false, true])
    func `An entry in a document's place is reported with the advice to remove it`(isAgent: Bool) async throws
    {
        try await RealBridge.with { bridge in
            try FileManager.default.createDirectory(
                atPath: "\(bridge.group)/dir.json",
                withIntermediateDirectories: false
            )
            let agent = isAgent ? try await bridge.startAgent() : nil
            let put = try await bridge.run("put", "dir.json", input: "{}")
            let line =
                "widgetbridge: the document is held: a directory, dir.json; replace it by the document; "
                + "just removing it is synced as a deletion\n"
            #expect(put == Binary.Ended(status: 7, errors: line))
            if let agent { try await bridge.end(agent) }
        }
    }

    @Test func `The removal of an entry in a document's place is noticed`() async throws {
        try await RealBridge.with { bridge in
            try bridge.save("1", as: "a.json", in: bridge.app)
            try bridge.save("1", as: "b.json", in: bridge.app)
            // Longer than the test takes, so that no rescan interferes.
            let agent = try await bridge.startAgent(["--rescan", "1h"])
            #expect(try await bridge.wait().status == 0)
            let places = ["\(bridge.app)/a.json", "\(bridge.group)/c.json"]
            try FileManager.default.removeItem(atPath: places[0])
            for place in places {
                try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
            }
            try bridge.save("3", as: "c.json", in: bridge.app)
            #expect(try await bridge.wait().status == 7)
            for place in places { try FileManager.default.removeItem(atPath: place) }
            #expect(try await bridge.wait().status == 0)
            #expect(bridge.read("a.json", in: bridge.group) == nil)
            #expect(bridge.read("c.json", in: bridge.group) == "3")
            try await bridge.end(agent)
        }
    }

    @Test func `A closed standard input cannot be read`() async throws {
        try await RealBridge.with { bridge in
            let ended = try await shell(#"exec "$0" put a.json "$@" <&-"#, bridge.flags)
            #expect(ended.status == 1)
            #expect(ended.errors.hasPrefix("widgetbridge: standard input cannot be read: "))
        }
    }

    @Test func `An agent with too few file descriptors does not start`() async throws {
        try await RealBridge.with { bridge in
            let few = try await shell(#"ulimit -n 63; exec "$0" agent "$@""#, bridge.flags)
            let line =
                "widgetbridge: an agent needs 64 open files, and the limit is 63; raise it: `ulimit -n 1024`\n"
            #expect(few == Binary.Ended(status: 1, errors: line))
        }
    }

    @Test func `The smallest allowed number of file descriptors is enough`() async throws {
        try await RealBridge.with { bridge in
            let inner = "\(bridge.app)/inner"
            try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
            for number in 0..<30 { try bridge.save("{}", as: "inner/\(number).json", in: bridge.app) }
            let wrapper = ["/bin/sh", "-c", #"ulimit -n 64; exec "$0" "$@""#]
            let agent = try await bridge.startAgent(through: wrapper)
            let subscriber = try Running(["subscribe", "--count", "31"] + bridge.flags)
            for _ in 0..<30 { #expect(await subscriber.line() != nil) }
            try bridge.save("{}", as: "inner/30.json", in: bridge.app)
            #expect(await subscriber.line() != nil)
            #expect(await subscriber.ended().status == 0)
            #expect(try await bridge.run("status").status == 0)
            try await bridge.end(agent)
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: [Duration.milliseconds(50), .seconds(3_600)])
    func `A stopped agent is not waited for, however patient the client is`(_ patience: Duration) async throws
    {
        try await RealBridge.withAgent { bridge in
            let client = AgentClient(socketPath: "\(bridge.state)/agent.sock", patience: patience)
            let process = try #require(try await client.status().process)
            kill(process, SIGSTOP)
            defer { kill(process, SIGCONT) }
            // A process that runs on another processor stops a little later.
            while try !String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8).contains(") T ") {
                _ = poll(nil, 0, 1)
            }
            let silence = BridgeError.silentAgent(process: process, socket: client.socketPath)
            await #expect(throws: silence) { try await client.status() }
        }
    }

    @Test func `A name cannot forge a line of the log`() async throws {
        try await RealBridge.with { bridge in
            let name = "held\n2026-01-18T14:30:00Z error widgetbridge: forged\u{1B}[31m.json"
            try bridge.save("[", as: name, in: bridge.app)
            let agent = try await bridge.startAgent()
            #expect(try await bridge.wait().status == 7)
            agent.send(SIGTERM)
            let errors = await agent.ended().errors
            #expect(errors.contains(#"held\u{a}2026"#) && errors.contains(#"forged\u{1b}[31m"#))
            #expect(errors.split(separator: "\n").allSatisfy { $0.contains(" widgetbridge") })
            #expect(!errors.contains("\n2026-01-18"))
        }
    }

    @Test func `Without HOME the user's own directory is used, or an error is reported`() throws {
        func home(_ environment: [String: String], _ own: String?) throws -> String {
            try BridgeSettings.stateHome(in: environment, ownHome: own)
        }
        #expect(try home(["HOME": "/h", "XDG_STATE_HOME": "/x"], "/o") == "/x")
        #expect(try home(["HOME": "/h", "XDG_STATE_HOME": "x"], "/o") == "/h/.local/state")
        #expect(try home([:], "/o") == "/o/.local/state")
        #expect(try home(["HOME": ""], "/o") == "/o/.local/state")
        #expect(throws: BridgeError.noHome) { try home([:], nil) }
        let advice = "set HOME, or give --state"
        #expect(ErrorProse(BridgeError.noHome).advice == advice)
    }
}
