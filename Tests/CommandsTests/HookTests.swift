import AgentAPI
import BridgeRuntime
import Foundation
import Glibc
import TestBridge
import TestWorld
import Testing

@testable import Commands

/// An agent with hooks in its configuration.
@Suite(.serialized, .timeLimit(.minutes(2))) struct HookTests {
    private struct World {
        let bridge: RealBridge
        var file: String { bridge.root + "/widgetbridge.yaml" }
        var seen: String { bridge.root + "/seen" }

        func reports() async throws -> [HookReport] {
            let printed = try await Binary.run(["reloads", "--json", "--state", bridge.state]).output
            return try JSONDecoder().decode(Shown.self, from: Data(printed.utf8)).hooks ?? []
        }

        private struct Shown: Decodable { var hooks: [HookReport]? }

        func save(_ text: String) async throws {
            try bridge.save(text, as: "a.json", in: bridge.app)
            #expect(try await bridge.wait().status == 0)
        }
    }

    private func with(_ hooks: String, _ body: (World) async throws -> Void) async throws {
        try await RealBridge.with { bridge in
            let world = World(bridge: bridge)
            let text = """
                app: app
                group: group
                state: state
                durability: none
                hooks: \(hooks.replacing("SEEN", with: world.seen))
                """
            try write(text, to: world.file)
            let agent = try Running(command: [Binary.path, "agent", "--config", world.file])
            #expect(await agent.line() == "ready")
            try await body(world)
            try await bridge.end(agent)
        }
    }

    /// Returns once it is true, or after very many questions.
    private func until(_ isTrue: () async throws -> Bool) async throws {
        for _ in 0..<1_000 { if try await isTrue() { return } }
        Issue.record("it never became true")
    }

    @Test func `A hook gets each reload as a line on its standard input`() async throws {
        try await with(#"[{name: mine, document: a.json, command: [tee, -a, SEEN]}]"#) { world in
            try await world.save(#"{"x":1}"#)
            try await until { try await world.reports().first?.runs ?? 0 > 0 }
            let lines = try String(contentsOfFile: world.seen, encoding: .utf8).split(separator: "\n")
            let events = lines.compactMap { ReloadEvent(json: Array($0.utf8)) }
            #expect(!events.isEmpty && events.count == lines.count)
            #expect(try await world.reports().map(\.failures) == [0])
        }
    }

    @Test(
        arguments: [
            ("[sleep, '1002']", "ran longer than 0.2 seconds and was ended"),
            ("[yes]", "printed more than 65536 bytes and was ended: y"),
            ("[sh, -c, 'while :; do sleep 1002 & done']", "started more than 64 processes and was ended"),
            ("[sh, -c, 'echo oh; exit 3']", "ended with status 3: oh"),
            ("[no-such-program]", "no program `no-such-program` in PATH"),
            ("[/no/such]", "cannot be started: No such file or directory"),
        ]
    )
    func `A hook that fails is named, and the bridge goes on`(_ command: String, _ why: String) async throws {
        // Only the one that hangs needs a short time.
        let time = command.hasPrefix("[sleep") ? "200ms" : "10s"
        let hooks = """
            [{timeout: \(time), command: \(command)}, {name: other, command: [tee, -a, SEEN]}]
            """
        try await with(hooks) { world in
            try await world.save(#"{"x":1}"#)
            try await until { try await world.reports().first?.failures ?? 0 > 0 }
            try await world.save(#"{"x":2}"#)
            try await until { try await world.reports().last?.runs ?? 0 > 0 }
            let reports = try await world.reports()
            #expect(reports.map(\.name) == ["hook 1", "other"])
            #expect(reports.first?.lastFailure == why)
            #expect(reports.last?.failures == 0)
            let shown = try await Binary.run(["reloads", "--state", world.bridge.state]).output
            #expect(shown.contains("HOOK") && shown.contains(why))
        }
    }

    @Test func `A hook of a kind that does not exist is refused with its line`() async throws {
        try await RealBridge.with { bridge in
            let file = bridge.root + "/widgetbridge.yaml"
            let hooks = "hooks:\n  - {command: [a]}\n  - {kind: BudgetWidgt, command: [a]}\n"
            try write("app: app\ngroup: group\nprofile: budget\n" + hooks, to: file)
            let ended = try await Binary.run(["agent", "--config", file])
            #expect(ended.status == 64)
            let line =
                "widgetbridge: unknown widget kind, `BudgetWidgt`, \(file):6:12; there are BudgetWidget"
            #expect(ended.errors.hasPrefix(line), "\(ended.errors)")
            #expect(ended.errors.contains("Did you mean `BudgetWidget`?"))
        }
    }

    @Test(arguments: [
        ("nope", "not a document: only *.json files are documents"),
        ("../a.json", "not a document: its name is not a path inside a container"),
        ("other.json", "the document is not synced: "),
    ])
    func `A hook of a document that the bridge does not have is refused with its line`(
        _ document: String,
        _ reason: String
    ) async throws {
        try await RealBridge.with { bridge in
            let file = bridge.root + "/widgetbridge.yaml"
            let hooks =
                "hooks:\n  - {document: budget.json, command: [a]}\n"
                + "  - {name: b, document: \(document), command: [a]}\n"
            try write(
                "app: app\ngroup: group\nprofile: budget\nexclude: [other.json]\n" + hooks,
                to: file
            )
            let ended = try await Binary.run(["agent", "--config", file])
            #expect(ended.status == 64)
            #expect(ended.errors.hasPrefix("widgetbridge: \(reason)"), "\(ended.errors)")
            #expect(ended.errors.contains(", \(document), \(file):7:25; "), "\(ended.errors)")
        }
    }

    @Test(
        arguments: [
            ("{}", "expected one of `command`, `signal` and `post`"),
            ("{command: ls -l}", "expected a list of words, because no shell reads them"),
            ("{command: []}", "expected a program and its arguments"),
            ("{command: [a], post: 'http://127.0.0.1:1/'}", "expected one of `command`, `signal` and `post`"),
            ("{command: [ls], name: ''}", "expected a name"),
            ("{post: 'http://127.0.0.1/x'}", "expected a URL of this machine with a port"),
            ("{post: 'http://localhost:80/'}", "expected a URL of this machine with a port"),
            ("{post: 'http://127.0.0.1.example.org:80/'}", "expected a URL of this machine with a port"),
            ("{post: 'http://127.1:80/'}", "expected a URL of this machine with a port"),
            ("{post: 'https://127.0.0.1:80/'}", "expected a URL of this machine with a port"),
            ("{post: 'http://user@127.0.0.1:80/'}", "expected a URL of this machine with a port"),
            ("{signal: {program: bar, number: KILL}}", "expected HUP, USR1, USR2, WINCH, or RTMIN+1"),
            ("{signal: {program: bar, number: RTMIN+31}}", "expected HUP, USR1, USR2, WINCH, or RTMIN+1"),
            ("{timeout: 11m, command: [a]}", "expected a time from 1ms to 10m"),
            ("{command: [a], shell: b}", "unknown key"),
            ("{name: hook 2, command: [a]}, {name: '2', command: [b]}", "another hook is named `hook 2`"),
        ]
    )
    func `A wrong hook is refused with its line`(_ hook: String, _ why: String) throws {
        let error = #expect(throws: (any Error).self) {
            _ = try Configuration(yaml: "app: a\ngroup: b\nhooks: [\(hook)]", file: "w.yaml")
        }
        let text = error.map { ErrorProse($0).text } ?? ""
        #expect(text.contains(why) && text.contains("w.yaml:3:"), "\(text)")
    }
}
