import AgentClient
import BridgeRuntime
import FileSystem
import Foundation
import Glibc
import Model
import SyncEngine
import TestBridge
import TestWorld
import Testing

@Suite(.serialized, .timeLimit(.minutes(2))) struct AgentTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func `An agent prints ready, and ends with status 0 on SIGTERM`(_ signal: Int32) async throws {
        try await RealBridge.with { bridge in
            let agent = try await bridge.startAgent()
            #expect(await AgentClient(socketPath: "\(bridge.state)/agent.sock").isReachable())
            agent.send(signal)
            #expect(await agent.ended() == Binary.Ended(status: 0))
            #expect(!FileManager.default.fileExists(atPath: "\(bridge.state)/agent.sock"))
        }
    }

    @Test func `Many clients may wait for an agent that is busy`() async throws {
        try await RealBridge.with { bridge in
            let agent = try await bridge.startAgent()
            // It is ready before it listens, as clients may wait.
            _ = try await bridge.status()
            agent.send(SIGSTOP)
            let address = try #require(UnixAddress("\(bridge.state)/agent.sock".utf8))
            let clients = (0..<300).map { _ in
                let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
                return socket(AF_UNIX, type, 0)
            }
            let isRefused = clients.map { client in
                unsafe address.pass { unsafe connect(client, $0, $1) != 0 }
            }
            #expect(isRefused.filter { $0 }.count == 0)
            for client in clients { close(client) }
            agent.send(SIGCONT)
            try await bridge.end(agent)
        }
    }

    @Test func `After a wait the other side has what one side saved`() async throws {
        try await RealBridge.withAgent { bridge in
            try bridge.save(#"{"a":1.50}"#, as: "a.json", in: bridge.app)
            #expect(try await bridge.wait() == Binary.Ended(status: 0))
            #expect(bridge.read("a.json", in: bridge.group) == #"{"a":1.50}"#)
            try bridge.save(#"{"a": 2}"#, as: "a.json", in: bridge.group)
            #expect(try await bridge.wait() == Binary.Ended(status: 0))
            #expect(bridge.read("a.json", in: bridge.app) == #"{"a": 2}"#)
            try FileManager.default.createDirectory(
                atPath: "\(bridge.app)/sub/dir",
                withIntermediateDirectories: true
            )
            try bridge.save("[]", as: "sub/dir/b.json", in: bridge.app)
            #expect(try await bridge.wait() == Binary.Ended(status: 0))
            #expect(bridge.read("sub/dir/b.json", in: bridge.group) == "[]")
            let status = try await bridge.status()
            #expect(status.state == .running && status.watch == .inotify)
            #expect(status.documents.map(\.name) == ["a.json", "sub/dir/b.json"])
            #expect(status.documents.allSatisfy { $0.state == .synced })
            #expect(status.documents.first?.hash == Digest(of: Array(#"{"a": 2}"#.utf8)).description)
        }
    }

    @Test func `A deletion is synced`() async throws {
        try await RealBridge.withAgent { bridge in
            for name in ["a.json", "b.json", "c.json"] { try bridge.save("{}", as: name, in: bridge.app) }
            #expect(try await bridge.wait().status == 0)
            try FileManager.default.removeItem(atPath: "\(bridge.group)/b.json")
            #expect(try await bridge.wait().status == 0)
            #expect(bridge.read("b.json", in: bridge.app) == nil)
            #expect(bridge.read("a.json", in: bridge.app) == "{}")
        }
    }

    @Test func `A document that is put through the agent can be read on the other side`() async throws {
        try await RealBridge.withAgent { bridge in
            let hash = Digest(of: Array("{\"a\":1}\n".utf8)).description
            let put = try await bridge.run(
                "put",
                "a.json",
                "--expect",
                "none",
                "--side",
                "app",
                input: "{\"a\":1}\n"
            )
            #expect(put == Binary.Ended(status: 0, output: "\(hash)\n"))
            #expect(try await bridge.wait().status == 0)
            #expect(try await bridge.run("get", "a.json") == Binary.Ended(status: 0, output: "{\"a\":1}\n"))
            let again = try await bridge.run("put", "a.json", "--expect", "none", input: "{}")
            #expect(again.status == 7 && again.output.isEmpty)
            #expect(again.errors.contains("group:a.json is \(hash)"))
            #expect(try await bridge.run("put", "a.json", "--expect", hash, input: "{}").status == 0)
            #expect(try await bridge.wait().status == 0)
            #expect(bridge.read("a.json", in: bridge.app) == "{}")
        }
    }

    @Test func `A content that is not JSON is refused by put`() async throws {
        try await RealBridge.with { bridge in
            let broken = try await bridge.run("put", "a.json", input: "{\n  \"a\": ,\n}")
            #expect(broken.status == 1)
            #expect(broken.errors.hasPrefix("widgetbridge: invalid document, a.json:2:8: expected "))
            let deep = try await bridge.run("put", "a.json", "--max-depth", "2", input: "[[[]]]")
            #expect(deep.status == 1)
            #expect(try await bridge.run("put", "a.txt", input: "{}").status == 1)
            #expect(try await bridge.run("put", "../a.json", input: "{}").status == 1)
            #expect(try FileManager.default.contentsOfDirectory(atPath: bridge.group).isEmpty)
        }
    }

    @Test func `A document above the size limit, or an invalid one, is refused by get`() async throws {
        func check(_ bridge: RealBridge) async throws {
            let large = try await bridge.run("get", "large.json", "--side", "app", "--max-document", "100")
            let line =
                "widgetbridge: the document is held: 101 bytes; the limit is 100 (--max-document), large.json; "
                + "`widgetbridge why large.json \(bridge.hintFlags) --max-document 100` shows why\n"
            #expect(large == Binary.Ended(status: 7, errors: line))
            for name in [".hidden", "readme.txt", "UP.JSON", "none.txt"] {
                for command in ["get", "why"] {
                    let refused = try await bridge.run(command, name)
                    #expect(refused.status == 1 && refused.output.isEmpty)
                    #expect(refused.errors.hasPrefix("widgetbridge: not a document: only *.json files "))
                }
            }
        }
        try await RealBridge.with { bridge in
            try bridge.save("\"" + String(repeating: "x", count: 99) + "\"", as: "large.json", in: bridge.app)
            for name in [".hidden", "readme.txt", "UP.JSON"] {
                try bridge.save("1", as: name, in: bridge.group)
            }
            try await check(bridge)
            let agent = try await bridge.startAgent(["--max-document", "100"])
            try await check(bridge)
            try await bridge.end(agent)
        }
    }

    @Test func `Everything but waiting works without an agent`() async throws {
        try await RealBridge.with { bridge in
            try bridge.save("{}", as: "a.json", in: bridge.app)
            let before = try await bridge.run("status", "--json")
            #expect(before.status == 2 && before.output.contains(#""name":"a.json","state":"pending""#))
            let plan = try await bridge.run("sync", "--dry-run", "--json")
            #expect(plan.status == 2)
            #expect(bridge.read("a.json", in: bridge.group) == nil)
            #expect(try await bridge.run("sync").status == 0)
            #expect(bridge.read("a.json", in: bridge.group) == "{}")
            #expect(try await bridge.run("sync", "--dry-run").status == 0)
            let status = try await bridge.status()
            #expect(status.state == .stopped && status.documents.map(\.state) == [.synced])
            #expect(try await bridge.run("get", "a.json").output == "{}")
            #expect(try await bridge.run("why", "a.json").output.hasPrefix("a.json: synced\n"))
            #expect(try await bridge.run("put", "b.json", "--side", "app", input: "[]").status == 0)
            #expect(bridge.read("b.json", in: bridge.app) == "[]")
            #expect(try await bridge.run("wait").status == 1)
        }
    }

    @Test func `A second agent is told which process runs the first`() async throws {
        try await RealBridge.with { bridge in
            let first = try await bridge.startAgent()
            let second = try await bridge.run("agent")
            #expect(second.status == 1)
            #expect(
                second.errors.hasPrefix(
                    "widgetbridge: process \(first.identifier) already runs this bridge, "
                )
            )
            first.send(SIGTERM)
            #expect(await first.ended().status == 0)
        }
    }

    @Test func `After a killed agent the next one syncs what it missed`() async throws {
        try await RealBridge.with { bridge in
            let killed = try await bridge.startAgent()
            try bridge.save(#"{"n":1}"#, as: "a.json", in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            killed.send(SIGKILL)
            #expect(await killed.ended().status == 128 + SIGKILL)
            try bridge.save(#"{"n":2}"#, as: "a.json", in: bridge.app)
            let next = try await bridge.startAgent()
            #expect(bridge.read("a.json", in: bridge.group) == #"{"n":2}"#)
            next.send(SIGTERM)
            #expect(await next.ended().status == 0)
        }
    }

    @Test func `A document that is not JSON is held, and reported until it is corrected`() async throws {
        try await RealBridge.withAgent { bridge in
            try bridge.save(#"{"a":1}"#, as: "a.json", in: bridge.app)
            try bridge.save(#"{"b":1"#, as: "b.json", in: bridge.app)
            let wait = try await bridge.wait()
            #expect(wait.status == 7)
            #expect(wait.errors.hasPrefix("widgetbridge: the document is held: "))
            #expect(wait.errors.contains("b.json"))
            #expect(bridge.read("a.json", in: bridge.group) == #"{"a":1}"#)
            #expect(bridge.read("b.json", in: bridge.group) == nil)
            let status = try await bridge.run("status", "--json")
            #expect(status.status == 7)
            try bridge.save(#"{"b":1}"#, as: "b.json", in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            #expect(try await bridge.run("status").status == 0)
        }
    }

    @Test func `A write that failed is tried again when somebody waits`() async throws {
        try await RealBridge.withAgent { bridge in
            // A file is in the place of a directory that is needed.
            try bridge.save("", as: "sub", in: bridge.group)
            try FileManager.default.createDirectory(
                atPath: "\(bridge.app)/sub",
                withIntermediateDirectories: false
            )
            try bridge.save("{}", as: "sub/a.json", in: bridge.app)
            #expect(try await bridge.wait().status == 7)
            try FileManager.default.removeItem(atPath: "\(bridge.group)/sub")
            #expect(try await bridge.wait() == Binary.Ended(status: 0))
            #expect(bridge.read("sub/a.json", in: bridge.group) == "{}")
        }
    }

    @Test func `A side that lost all documents halts the bridge`() async throws {
        try await RealBridge.with { bridge in
            let names = ["a.json", "b.json", "c.json"]
            let agent = try await bridge.startAgent()
            for name in names { try bridge.save("{}", as: name, in: bridge.app, isOld: true) }
            #expect(try await bridge.wait().status == 0)
            // Stopped, so that the removal is seen as one change, however long it takes.
            agent.send(SIGSTOP)
            for name in names { try FileManager.default.removeItem(atPath: "\(bridge.app)/\(name)") }
            agent.send(SIGCONT)
            let wait = try await bridge.wait()
            #expect(wait.status == 7)
            #expect(wait.errors.hasPrefix("widgetbridge: the bridge is halted: "))
            #expect(names.map { bridge.read($0, in: bridge.group) } == ["{}", "{}", "{}"])
            #expect(try await bridge.status().state == .halted)
            #expect(try await bridge.run("status").status == 7)
            agent.send(SIGTERM)
            #expect(await agent.ended().status == 0)
        }
    }

    @Test func `A widget of version 2 and an app of version 1 read each other's changes`() async throws {
        try await RealBridge.withAgent("--profile", "budget") { bridge in
            try bridge.save(RealBridge.oldBudget, as: "budget.json", in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            let new = try #require(bridge.read("budget.json", in: bridge.group))
            #expect(new.contains("\"version\"") && new.contains("450.50"))
            try bridge.save(new.replacing("450.50", with: "460.25"), as: "budget.json", in: bridge.group)
            #expect(try await bridge.wait().status == 0)
            #expect(bridge.read("budget.json", in: bridge.app)?.contains(#""spent":460.25"#) == true)
            #expect(bridge.read("budget.json", in: bridge.app)?.contains("version") == false)
            let status = try await bridge.status()
            #expect(status.documents.first?.version == BridgeStatus.Document.Versions(app: 1, group: 2))
        }
    }

    @Test func `Several bridges of one configuration run in one process`() async throws {
        try await withDirectory { root in
            for name in ["one/app", "one/group", "two/app", "two/group"] {
                try FileManager.default.createDirectory(
                    atPath: "\(root)/\(name)",
                    withIntermediateDirectories: true
                )
            }
            let file = "\(root)/widgetbridge.yaml"
            try write(
                """
                durability: none
                bridges:
                  one: {app: one/app, group: one/group, state: state/one}
                  two: {app: two/app, group: two/group, state: state/two}
                """,
                to: file
            )
            let agent = try Running(["agent", "--config", file])
            #expect(await agent.line() == "ready")
            try write("{}", to: "\(root)/two/app/a.json")
            #expect(
                try await Binary.run(["wait", "--timeout", "60s", "--config", file])
                    == Binary.Ended(status: 0)
            )
            #expect(FileManager.default.fileExists(atPath: "\(root)/two/group/a.json"))
            let status = try await Binary.run(["status", "--json", "--config", file])
            let lines = status.output.split(separator: "\n")
            #expect(lines.map { $0.prefix(16) } == [#"{"bridge":"one","#, #"{"bridge":"two","#])
            let one = try await Binary.run(["get", "a.json", "--config", file])
            #expect(one.status == 64 && one.errors.contains("choose with --bridge one of one, two"))
            let two = try await Binary.run(["get", "a.json", "--config", file, "--bridge", "two"])
            #expect(two == Binary.Ended(status: 0, output: "{}"))
            agent.send(SIGTERM)
            #expect(await agent.ended() == Binary.Ended(status: 0))
        }
    }
}
