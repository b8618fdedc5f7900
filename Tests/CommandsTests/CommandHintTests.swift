import Foundation
import Glibc
import TestBridge
import TestWorld
import Testing

@testable import Commands

/// A hint is pasted unchanged into a shell, in the same directory.
@Suite(.timeLimit(.minutes(5))) struct CommandHintTests {
    @Test(arguments: [
        ("budget.json", "budget.json"), ("Prénom.json", "Prénom.json"), ("", "''"),
        ("my app", "'my app'"), ("$HOME", "'$HOME'"), ("~", "'~'"), ("it's", #"$'it\'s'"#),
        ("a`b\\", #"$'a\140b\\'"#), ("a\nb", #"$'a\012b'"#), ("a;b", "'a;b'"), ("=ls", "'=ls'"),
    ])
    func `A word is quoted only if a shell would read it differently`(_ word: String, _ quoted: String)
        async throws
    {
        #expect(word.quotedForShell == quoted)
        let shell = try Running(command: ["/bin/bash", "-c", "printf %s \(word.quotedForShell)"])
        #expect(await shell.ended().output == word)
    }

    @Test func `An argument that begins with a hyphen is not read as an option`() {
        let hint = CommandHint(options: CommandHint.option("--app", "-a"), bridge: "home")
        #expect(hint("why", "a.json") == "`widgetbridge why a.json '--app=-a' --bridge home`")
        #expect(hint("why", "-a") == "`widgetbridge why '--app=-a' --bridge home -- -a`")
    }

    @Test func `A hint has only the options that its command takes`() {
        let hint = CommandHint(
            options: ["--app", "a"],
            safety: ["--max-trash", "9"],
            watching: ["--polling"],
            version: ["--to", "2"],
            files: ["a.json"]
        )
        #expect(hint("get", "a.json") == "`widgetbridge get a.json --app a`")
        #expect(hint("undo", "1") == "`widgetbridge undo 1 --app a --max-trash 9`")
        #expect(hint("agent") == "`widgetbridge agent --app a --max-trash 9 --polling`")
        #expect(hint.migrate("rollback") == "`widgetbridge migrate rollback a.json --app a --max-trash 9`")
        #expect(hint.migrate("plan") == "`widgetbridge migrate plan a.json --to 2 --app a --max-trash 9`")
    }

    @Test func `A hint for a migration of too many files omits their names`() {
        var hint = CommandHint(version: ["--to", "2"], files: ["a.json", "b c.json"])
        #expect(hint.migrate("plan") == "`widgetbridge migrate plan a.json 'b c.json' --to 2`")
        hint.files = (0..<9).map { "\($0).json" }
        #expect(hint.migrate("plan") == "`migrate plan` of the same files")
    }

    @Test func `A hint that the program does not accept is detected`() async throws {
        try await withDirectory { directory in
            for wrong in ["allow", "why a.json", "status --nonsense", "wait --app a"] {
                let session = Session(directory: directory)
                let found = await session.refused(in: "do this: `widgetbridge \(wrong)`, or that")
                #expect(found.count == 1)
            }
        }
    }

    // MARK: Of one bridge

    @Test(arguments: ["--app my' --group 'the group' --state $", "--app my' --group 'the group'"])
    func `Every hint of a bridge is accepted as it is printed`(_ flags: String) async throws {
        try await withDirectory { directory in
            let session = try Session(directory: directory, containers: ["my'", "the group"])
            let flags =
                ["--app", "my'", "--group", "the group"] + (flags.hasSuffix("$") ? ["--state", "$"] : [])
            try await session.hints(["get", "a.json"] + flags)
            try await session.hints(["wait"] + flags)
            try await session.hints(["subscribe"] + flags)
            for command in [
                ["undo", "no"], ["allow", "no"], ["conflicts", "resolve", "no", "--take", "app"],
            ] {
                try await session.hints(command + flags)
            }
            try session.save("[1,2,3]", "the group/it's -.json")
            try await session.hints(["get", "it's -.json", "--max-document", "3B"] + flags)
            try session.save("[1]", "my'/a.json")
            try session.save("[2]", "the group/a.json")
            #expect(try await session.run(["sync"] + flags).status == 7)
            try await session.hints(["status"] + flags)
            try await session.hints(["why", "a.json"] + flags)
            for name in ["a.json", "it's -.json"] { try session.remove("my'/\(name)") }
            try await session.hints(["sync"] + flags)
            try await session.hints(["put", "b.json"] + flags, input: "{}")
            // The hint itself accepts it.
            try await session.hints(["status"] + flags)
            #expect(try await session.run(["sync"] + flags).status == 0)
        }
    }

    @Test func `A hint about permissions shows how to restore them`() async throws {
        try await withDirectory { directory in
            let session = try Session(directory: directory, containers: ["app", "group"])
            let flags = ["--app", "app", "--group", "group"]
            for name in ["a", "b"] { try session.save("[1]", "app/\(name).json") }
            #expect(try await session.run(["sync"] + flags).status == 0)
            for name in ["a", "b"] { try session.remove("app/\(name).json") }
            struct Halted: Decodable { var allow: String }
            let status = try await session.run(["status", "--json"] + flags).output
            let id = try JSONDecoder().decode(Halted.self, from: Data(status.utf8)).allow
            try await session.hints(["allow", id] + flags)
        }
    }

    @Test func `With an agent the state directory suffices, and a wait says where to look`() async throws {
        try await RealBridge.withAgent { bridge in
            let session = Session(directory: bridge.root)
            for flags in [["--state", "state"], bridge.flags] {
                try await session.hints(["get", "a.json"] + flags)
                try await session.hints(["undo", "no"] + flags)
                try bridge.save("{", as: "half.json", in: bridge.app)
                try await session.hints(["wait", "--timeout", "1ms"] + flags)
            }
        }
        try await withDirectory { directory in
            let session = Session(directory: directory)
            try await session.hints(["wait", "--state", "nowhere"])
        }
    }

    // MARK: Of several

    @Test func `With several bridges a hint names the right one`() async throws {
        try await withDirectory { directory in
            let session = try Session(directory: directory, containers: ["a", "b", "c", "d"])
            let text =
                "bridges:\n  at home: {app: a, group: b, state: s}\n  work: {app: c, group: d, state: t}\n"
            for (file, flags) in [("my file.yaml", ["--config", "my file.yaml"]), ("widgetbridge.yaml", [])] {
                try session.save(text, file)
                let waited = try await session.hints(["wait"] + flags)
                #expect(waited.contains { $0.hasSuffix("--bridge 'at home'") })
                #expect(waited.contains { $0.hasSuffix("--bridge work") })
                try await session.hints(["subscribe"] + flags)
                try await session.hints(["get", "none.json", "--bridge", "work"] + flags)
                try session.save(#"["c", "\#(file)"]"#, "c/a.json")
                try session.save(#"["d", "\#(file)"]"#, "d/a.json")
                #expect(try await session.run(["sync"] + flags).status == 7)
                try await session.hints(["status"] + flags)
            }
        }
    }

    // MARK: Of migrations

    @Test func `Every hint of a migration is accepted as it is printed`() async throws {
        try await withDirectory { directory in
            let session = try Session(directory: directory, containers: ["my app", "group"])
            try session.save(RealBridge.oldBudget, "my app/budget.json")
            let files = ["my app/budget.json", "--profile", "budget", "--state", "kept"]
            #expect(try await session.run(["migrate", "apply"] + files).status == 0)
            try await session.hints(["migrate", "apply", "--plan", "my app/budget.json"] + files)
            try await session.hints(["migrate", "status"] + files)
            let migrated = try #require(session.read("my app/budget.json"))
            let more = migrated.replacing(#""expenseCount":0"#, with: #""expenseCount":23"#)
            try session.save(more, "more.json")
            try await session.hints(["migrate", "apply", "more.json", "--to", "1", "--profile", "budget"])
        }
    }

    // MARK: Of everything else

    @Test(arguments: [
        ["bogus"], ["migrate", "bogus"], ["sync", "--nonsense"], ["race", "explore", "nonsense"],
        ["json", "diff", "-", "-"],
    ])
    func `Every hint about usage is accepted as it is printed`(_ command: [String]) async throws {
        try await withDirectory { _ = try await Session(directory: $0).hints(command) }
    }

    @Test func `A schedule of another scenario is replayed by the hint`() async throws {
        try await withDirectory { directory in
            let session = Session(directory: directory)
            let explore = [
                "race", "explore", "--preset", "stat-recheck", "--save", "my race",
            ]
            let explored = try await session.run(explore)
            #expect(explored.output.contains("\nagain: widgetbridge race replay 'my race'\n"))
            try await session.hints(["race", "run", "swap-back", "--schedule", "my race"])
        }
    }

    @Test func `Access rights are removed by the hint`() async throws {
        try await withDirectory { directory in
            let session = try Session(directory: directory, containers: ["a", "b"])
            try session.save("app: a\ngroup: b\n", "my file.yaml")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o666],
                ofItemAtPath: "\(directory)/my file.yaml"
            )
            try await session.hints(["status", "--config", "my file.yaml"])
            #expect(try await session.run(["status", "--config", "my file.yaml"]).status == 0)
        }
    }
}

/// A directory in which a person types and pastes commands.
private struct Session {
    let directory: String

    init(directory: String) { self.directory = directory }

    init(directory: String, containers: [String]) throws {
        self.directory = directory
        for name in containers {
            try FileManager.default.createDirectory(
                atPath: "\(directory)/\(name)",
                withIntermediateDirectories: false
            )
        }
    }

    func save(_ text: String, _ name: String) throws { try write(text, to: "\(directory)/\(name)") }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(directory)/\(name)") }

    func read(_ name: String) -> String? {
        FileManager.default.contents(atPath: "\(directory)/\(name)").map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    private var environment: [String: String] { ["XDG_STATE_HOME": "\(directory)/.kept", "HOME": directory] }

    func run(_ arguments: [String], input: String = "") async throws -> Running.Ended {
        try await ran([Binary.path] + arguments, input: input)
    }

    private func ran(_ command: [String], input: String = "") async throws -> Running.Ended {
        let running = try Running(command: command, in: directory, environment: environment)
        running.write(input)
        return await running.ended()
    }

    /// Runs a command, and each hint in its output.
    @discardableResult
    func hints(_ arguments: [String], input: String = "") async throws -> [String] {
        let ended = try await run(arguments, input: input)
        let text = ended.output + ended.errors
        let hints = Self.hints(in: text)
        #expect(!hints.isEmpty, "\(arguments): \(ended)")
        #expect(await refused(in: text) == [], "\(arguments)")
        return hints
    }

    /// Text between backticks that begins with a command.
    private static func hints(in text: String) -> [String] {
        text.matches(of: /`((widgetbridge|chmod) [^`\n]*)`/).map { String($0.1) }
    }

    /// The hints that fail or are not accepted, with the message.
    func refused(in text: String) async -> [String] {
        var refused: [String] = []
        for hint in Self.hints(in: text) {
            do {
                if hint.hasPrefix("widgetbridge agent ") || hint == "widgetbridge agent" {
                    if !hint.hasSuffix("--help") {
                        try await startAgent(hint)
                        continue
                    }
                }
                let ended = try await ran(["/bin/bash", "-c", pasted(hint)])
                if [64, 70, 126, 127].contains(ended.status) { refused.append("\(hint): \(ended)") }
            } catch {
                refused.append("\(hint): \(error)")
            }
        }
        return refused
    }

    private func pasted(_ hint: String) -> String {
        hint.hasPrefix("widgetbridge ")
            ? "exec \(Binary.path.quotedForShell) \(hint.dropFirst("widgetbridge ".count))" : hint
    }

    private func startAgent(_ hint: String) async throws {
        let agent = try Running(
            command: ["/bin/bash", "-c", pasted(hint)],
            in: directory,
            environment: environment
        )
        guard await agent.line() == "ready" else { throw RealBridge.Failed(ended: await agent.ended()) }
        agent.send(SIGTERM)
        guard await agent.ended().status == 0 else { throw Gone() }
    }
}
