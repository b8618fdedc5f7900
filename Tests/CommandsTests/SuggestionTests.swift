import Documents
import Foundation
import TestWorld
import Testing

@testable import Commands

@Suite struct SuggestionTests {
    private static let commands = ["agent", "sync", "wait", "status", "why", "json", "profile"]

    @Test(arguments: [
        ("stauts", "status"), ("satus", "status"), ("sttatus", "status"), ("statuz", "status"),
        ("STATUS", "status"), ("snyc", "sync"), ("wy", "why"), ("profiles", "profile"),
    ])
    func `The nearest known word is found for every kind of typing error`(_ word: String, _ meant: String) {
        #expect(nearestWord(to: word, among: Self.commands) == meant)
    }

    @Test(arguments: ["", "x", "bogus", "status", String(repeating: "s", count: 100_000)])
    func `Nothing is suggested for a word that is not similar to any, or known`(_ word: String) {
        #expect(nearestWord(to: word, among: Self.commands) == nil)
    }

    @Test func `A common extension does not make two documents similar`() {
        #expect(nearestWord(to: "other.json", among: ["notes.json"]) == nil)
        #expect(nearestWord(to: "ntoes.json", among: ["notes.json"]) == "notes.json")
    }

    @Test func `Of several equally similar words the first is suggested`() {
        #expect(nearestWord(to: "one.jso", among: ["one.jsn", "one.json"]) == "one.jsn")
        #expect(nearestWord(to: "a", among: [String]()) == nil)
    }

    @Test(arguments: [
        (["stauts"], "unknown command, `stauts`; `widgetbridge --help` lists all commands", "status"),
        (
            ["migrate", "plna"],
            "unknown command, `plna`; `widgetbridge migrate --help` lists all commands", "plan"
        ),
        (
            ["help", "agnet"], "unknown command, `agnet`; `widgetbridge --help` lists all commands",
            "agent"
        ),
        (["sync", "--dry-rum"], "unknown option '--dry-rum'; see `widgetbridge sync --help`", "--dry-run"),
        (
            ["race", "show", "stat-rechek"],
            "unknown scenario, `stat-rechek`; `widgetbridge race presets` lists them; a file is named by its "
                + "path", "stat-recheck"
        ),
        (
            ["profile", "show", "bugdet"],
            "unknown profile, `bugdet`; built in are budget, habits, todo, finance, balances; a file is named "
                + "by its path", "budget"
        ),
        (
            ["race", "explore", "stat-recheck", "--find", "lost-updat"],
            "the value 'lost-updat' is invalid for '--find <find>': expected one of 'torn-read', 'stale-read', "
                + "'overtaken-read', 'non-monotonic-read', 'dirty-read', 'lost-update', "
                + "'resurrected-deletion', 'divergence', 'ping-pong', 'duplicate-reload', "
                + "'out-of-order-reload', 'missed-reload', 'premature-reload', 'reload-storm', "
                + "'frozen-widget', 'stale-as-fresh', 'lost-tap', 'deadlock'; see "
                + "`widgetbridge race explore --help`",
            "lost-update"
        ),
        (
            ["sync", "--commit", "exchnage"],
            "the value 'exchnage' is invalid for '--commit <commit>': expected one of 'exchange' and "
                + "'rename'; see `widgetbridge sync --help`",
            "exchange"
        ),
        (
            ["migrate", "plan", "--profile", "budget", "--document", "budgte.json", "x.json"],
            "profile budget has no such document, `budgte.json`; choose with --document one of budget.json",
            "budget.json"
        ),
    ])
    func `The suggestion follows the advice`(
        _ arguments: [String],
        _ line: String,
        _ meant: String
    ) async {
        let line = "widgetbridge: \(line). Did you mean `\(meant)`?\n"
        #expect(await run(arguments) == Ran(status: .usage, errors: line))
    }

    @Test(arguments: [
        ("ap: a\ngroup: b\n", "status", "app"),
        ("bridges:\n  home: {app: a, gruop: b}\n", "status", "group"),
        ("bridges:\n  home: {app: a, group: b}\n  work: {app: c, group: d}\n", "--bridge hoem", "home"),
    ])
    func `Keys and bridges of a configuration are suggested`(
        _ yaml: String,
        _ line: String,
        _ meant: String
    ) async throws {
        try await withDirectory { directory in
            try write(yaml, to: "\(directory)/w.yaml")
            let words = line.split(separator: " ").map(String.init).filter { $0 != "status" }
            let ran = await run(["status", "--config", "\(directory)/w.yaml"] + words)
            #expect(ran.status == .usage && ran.errors.hasSuffix(". Did you mean `\(meant)`?\n"))
        }
    }

    @Test(arguments: [
        (
            ["profile", "lint"],
            "profile: a\ndocuments:\n  d.json:\n    version: {field: v}\n    versions:\n      1: {}\n"
                + "      2: {lenses: [renam: {from: a, to: b}]}\n",
            "rename"
        ),
        (
            ["race", "explore"], "documents: [a.json]\nactors: {agent: {}, app: {does: [wrte]}}\n", "write"
        ),
        (
            ["race", "explore"], "documents: [a.json]\nactors: {agent: {}, app: {does: [{raed: a.json}]}}\n",
            "read"
        ),
        (
            ["race", "explore"],
            "documents: [a.json]\nexpect: lost-updat\nactors: {agent: {}, app: {does: [write]}}\n",
            "lost-update"
        ),
        (["status", "--config"], "app: a\ngroup: b\ncommit: renam\n", "rename"),
        (["status", "--config"], "app: a\ngroup: b\npolling: ture\n", "true"),
    ])
    func `A mistyped word in a file is suggested`(_ command: [String], _ yaml: String, _ meant: String)
        async throws
    {
        try await withDirectory { directory in
            try write(yaml, to: "\(directory)/a.yaml")
            let ran = await run(command + ["\(directory)/a.yaml"])
            #expect(ran.status != .done && ran.errors.hasSuffix(". Did you mean `\(meant)`?\n"), "\(ran)")
        }
    }

    @Test(arguments: [false, true])
    func `Documents of the bridge are suggested, with an agent and without`(hasAgent: Bool) async throws {
        try await RealBridge.with { bridge in
            try bridge.save("{}", as: "todo.json", in: bridge.app)
            let agent = hasAgent ? try await bridge.startAgent() : nil
            #expect(try await bridge.run(hasAgent ? "wait" : "sync").status == 0)
            for command in ["get", "why"] {
                let ended = try await bridge.run(command, "tood.json")
                #expect(ended.status == 1)
                #expect(ended.errors.hasPrefix("widgetbridge: no such document, "))
                #expect(ended.errors.hasSuffix(". Did you mean `todo.json`?\n"))
            }
            if let agent { try await bridge.end(agent) }
        }
    }

    @Test func `A kind of widget that no profile has is wrong usage`() async throws {
        try await RealBridge.withAgent("--profile", "budget") { bridge in
            let ended = try await bridge.run("subscribe", "--kind", "BugdetWidget", "--count", "1")
            #expect(ended.status == 64 && ended.output.isEmpty)
            #expect(ended.errors.hasPrefix("widgetbridge: unknown widget kind, `BugdetWidget`; there are "))
            #expect(ended.errors.hasSuffix(". Did you mean `BudgetWidget`?\n"))
            // A document without a rule in the profile has a kind with its name.
            try bridge.save("{}", as: "other.json", in: bridge.app)
            let known = try await bridge.run("subscribe", "--kind", "other.json", "--count", "1")
            #expect(known.status == 0 && known.output.contains(#""kind":"other.json""#))
        }
        try await RealBridge.withAgent { bridge in
            let ended = try await bridge.run("subscribe", "--kind", "BudgetWidget")
            let line =
                "unknown widget kind, `BudgetWidget`; without a profile it is a document's name"
            #expect(ended == Binary.Ended(status: 64, errors: "widgetbridge: \(line)\n"))
        }
    }

    @Test func `One of several bridges having the kind is enough`() async throws {
        try await RealBridge.with { bridge in
            try write(
                """
                bridges:
                  one: {app: \(bridge.app), group: \(bridge.group), state: \(bridge.state), profile: budget}
                  two: {app: \(bridge.root)/c, group: \(bridge.root)/d, state: \(bridge.root)/s}
                """,
                to: "\(bridge.root)/w.yaml"
            )
            for name in ["c", "d"] {
                try FileManager.default.createDirectory(
                    atPath: "\(bridge.root)/\(name)",
                    withIntermediateDirectories: false
                )
            }
            try bridge.save(RealBridge.oldBudget, as: "budget.json", in: bridge.app)
            let config = ["--config", "\(bridge.root)/w.yaml"]
            let agent = try Running(["agent"] + config)
            #expect(await agent.line() == "ready")
            let subscribe = ["subscribe", "--count", "1", "--kind"]
            let known = try await Binary.run(subscribe + ["BudgetWidget"] + config)
            #expect(known.status == 0 && known.output.contains(#""bridge":"one""#))
            let none = try await Binary.run(subscribe + ["BudgetWidgte"] + config)
            #expect(none.status == 64 && none.errors.hasSuffix(". Did you mean `BudgetWidget`?\n"))
            try await bridge.end(agent)
        }
    }
}
