import Documents
import Foundation
import RaceLab
import TestWorld
import Testing

@testable import Commands

@Suite struct RaceLintTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var yaml: String
        var line: Int
        var code: String
        var text: String
        var testDescription: String { text }
    }

    private static func lint(_ yaml: String, _ arguments: String...) async throws -> Ran {
        try await withDirectory { directory in
            try write(yaml, to: "\(directory)/a.yaml")
            var ran = await run(["race", "lint", "\(directory)/a.yaml"] + arguments)
            ran.output = ran.output.replacing(directory + "/", with: "")
            ran.errors = ran.errors.replacing(directory + "/", with: "")
            return ran
        }
    }

    @Test(arguments: Preset.names + Preset.appNames)
    func `A preset is without mistakes and warnings, as text and as JSON`(name: String) async throws {
        let shown = [await run(["race", "show", name]), await run(["race", "show", name, "--json"])]
        for text in shown.map(\.output) {
            let ended = try await Binary.run(["race", "lint", "-"], input: text)
            #expect(ended == Binary.Ended(status: 0), "\(ended)")
        }
        #expect(await run(["race", "lint", name]) == Ran(status: .done))
    }

    @Test func `All mistakes are printed, each with its place and what is meant`() async throws {
        let yaml = """
            documents: [a.json, {name: b.json, thre: no}]
            colour: red
            machine: {grain: soon, faults: -1}
            settings: {durability: bach}
            actors:
              agent: {engine: copyer}
              app: {does: [wrte, {raed: a.json}, {write: c.json, times: none}, wait]}
              other: {does: [read]}
            expect: lost-updat
            """
        let ran = try await Self.lint(yaml)
        #expect(ran.status == .failed && ran.output.isEmpty)
        let lines = ran.errors.split(separator: "\n").map(String.init)
        let expected = [
            ("a.yaml:1:36; ", "there"), ("a.yaml:2:1; ", nil), ("a.yaml:3:18; ", nil), ("a.yaml:3:32; ", nil),
            ("a.yaml:4:24; ", "batch"), ("a.yaml:6:19; ", "copier"), ("a.yaml:7:16; ", "write"),
            ("a.yaml:7:23; ", "read"), ("a.yaml:7:61; ", nil), ("a.yaml:7:68; ", nil),
            ("a.yaml:8:10; ", nil), ("a.yaml:9:9; ", "lost-update"),
        ]
        #expect(lines.count == expected.count, "\(ran.errors)")
        for (line, (place, meant)) in zip(lines, expected) {
            #expect(line.contains(place), "\(line)")
            #expect(
                meant.map { line.hasSuffix("Did you mean `\($0)`?") } ?? !line.contains("mean"),
                "\(line)"
            )
        }
        // `explore` stops at the first.
        try await withDirectory { directory in
            try write(yaml, to: "\(directory)/a.yaml")
            let explored = await run(["race", "explore", "\(directory)/a.yaml"])
            #expect(explored.status == .usage)
            #expect(explored.errors.replacing(directory + "/", with: "") == lines[0] + "\n")
        }
    }

    @Test func `What makes no sense is found in all actors`() async throws {
        let ran = try await Self.lint(
            """
            documents: [a.json]
            actors:
              agent: {does: [wait: 1s]}
              app: {version: 1, does: [write, read-on-notice]}
              widget: {engine: copier, does: [wait: 1s]}
              fate: {does: [crash: nobody, crash: fate]}
            """
        )
        #expect(ran.status == .failed && ran.output.isEmpty)
        let lines = ran.errors.split(separator: "\n").map(String.init)
        let places = ["3:10", "4:18", "4:35", "5:11", "5:20", "6:17", "6:32"]
        #expect(lines.count == places.count, "\(ran.errors)")
        for (line, place) in zip(lines, places) { #expect(line.contains("a.yaml:\(place); "), "\(line)") }
    }

    static let warnings = [
        Case(
            yaml:
                "documents: [a.json]\nactors:\n  app: {does: [read]}\n  widget: {does: [subscribe, read-on-notice]}\n  agent: {}",
            line: 4,
            code: "never-told",
            text: "`read-on-notice` of `a.json` waits for ever"
        ),
        Case(
            yaml:
                "documents: [a.json]\nactors:\n  app: {does: [write, {read: a.json, times: 0}]}\n  agent: {}",
            line: 3,
            code: "never-runs",
            text: "`read` never runs"
        ),
        Case(
            yaml:
                "documents: [a.json]\nactors:\n  app: {does: [write]}\n  widget: {does: [subscribe, subscribe]}\n  agent: {}",
            line: 4,
            code: "subscribed-already",
            text: "this actor has subscribed to `a.json` already"
        ),
        Case(
            yaml:
                "documents: [a.json]\nactors:\n  app: {does: [write, {read: a.json, field: x}]}\n  agent: {}",
            line: 3,
            code: "ignored-key",
            text: "`read` ignores `field`"
        ),
        Case(
            yaml: "documents: [a.json]\nactors:\n  app: {does: [write]}\n  agent: {side: group}",
            line: 4,
            code: "ignored-key",
            text: "an actor of kind `agent` ignores `side`"
        ),
        Case(
            yaml: "documents: [a.json]\nactors:\n  app: {does: [write]}\n  agent: {side: app}",
            line: 4,
            code: "ignored-key",
            text: "an actor of kind `agent` ignores `side`"
        ),
        Case(
            yaml:
                "documents:\n  - name: a.json\n    holds: '{}'\n    padding: 9\nactors: {app: {does: [write]}, agent: {}}",
            line: 4,
            code: "ignored-key",
            text: "`holds` gives the content of `a.json`, which has no padding then"
        ),
        Case(
            yaml: "documents: [a.json]\nactors: {app: {does: [write]}, agent: {}}\nchecks:\n- own-check",
            line: 4,
            code: "needs-own-check",
            text: "only a check that is written in Swift finds an `own-check`"
        ),
        Case(
            yaml: "documents:\n  - a.json\n  - b.json\nactors: {app: {does: [write]}, agent: {}}",
            line: 3,
            code: "unused-document",
            text: "no operation uses `b.json`"
        ),
        Case(
            yaml:
                "documents:\n  - {name: a.json, there: no}\nactors: {app: {does: [read, delete]}, agent: {}}",
            line: 2,
            code: "never-written",
            text: "`a.json` does not exist at the start, and no actor writes it"
        ),
        Case(
            yaml:
                "documents: [a.json]\nactors: {app: {does: [write]}, agent: {}}\nchecks: [divergence]\nexpect: lost-update",
            line: 4,
            code: "unchecked",
            text: "`expect` has `lost-update`, which `checks` leaves out"
        ),
        Case(
            yaml: "documents: [a.json]\nactors: {app: {does: [write]}, agent: {}}\nexpect: own-check",
            line: 3,
            code: "needs-own-check",
            text: "only a check that is written in Swift finds an `own-check`"
        ),
        Case(
            yaml:
                "documents: [a.json]\nengine: deaf\nactors: {app: {does: [write]}, agent: {engine: copier}}",
            line: 2,
            code: "unused-engine",
            text: "no agent uses the engine `deaf`"
        ),
        Case(
            yaml: "documents: [a.json]\nengine: shared-state\nactors: {app: {does: [write]}, agent: {}}",
            line: 2,
            code: "shares-with-none",
            text: "`shared-state` shares its journal with no other agent"
        ),
    ]

    @Test(arguments: warnings)
    func `What has no effect is warned of, and can be explored`(warned: Case) async throws {
        let ran = try await Self.lint(warned.yaml)
        #expect(ran.status == .done && ran.errors.isEmpty, "\(ran)")
        #expect(ran.output.hasPrefix("a.yaml:\(warned.line):"), "\(ran.output)")
        #expect(ran.output.contains(": \(warned.text)") && ran.output.contains("; "), "\(ran.output)")
        #expect(ran.output.split(separator: "\n").count == 1, "\(ran.output)")
        let json = try await Self.lint(warned.yaml, "--json")
        #expect(json.status == .done && json.errors.isEmpty)
        #expect(json.output.contains(#""severity":"warning","rule":"\#(warned.code)""#), "\(json.output)")
        _ = try Scenario(yaml: warned.yaml, file: "a.yaml")
    }

    @Test func `A notice that another actor or a restarted bridge may send is waited for rightly`()
        async throws
    {
        for operations in ["crash: agent", "crash: widget", "cut-power"] {
            let yaml = """
                documents: [a.json]
                actors:
                  widget: {does: [subscribe, read-on-notice]}
                  fate: {does: [\(operations)]}
                  agent: {}
                """
            #expect(try await Self.lint(yaml) == Ran(status: .done))
        }
    }

    @Test func `As JSON mistakes are on standard output, too`() async throws {
        let ran = try await Self.lint(
            "documents: [a.json]\nactors: {agent: {}, app: {does: [wrte]}}",
            "--json"
        )
        #expect(ran.status == .failed && ran.errors.isEmpty)
        let start = #"{"file":"a.yaml","line":2,"column":34,"severity":"error","rule":"unknown-word","#
        #expect(ran.output.hasPrefix(start), "\(ran.output)")
        #expect(ran.output.hasSuffix(#""advice":"correct it","meant":"write"}"# + "\n"), "\(ran.output)")
    }

    @Test func `Other files are checked though one cannot be read`() async throws {
        try await withDirectory { directory in
            try write("documents: []\nactors: {}\n", to: "\(directory)/b.yaml")
            let ran = await run(["race", "lint", "\(directory)/none.yaml", "\(directory)/b.yaml", "nosuch"])
            #expect(ran.status == .usage && ran.output.isEmpty)
            #expect(ran.errors.contains("none.yaml") && ran.errors.contains("a scenario needs a document"))
            #expect(ran.errors.contains("unknown scenario, `nosuch`"))
        }
    }

    @Test func `Nothing is checked by an empty list`() async throws {
        let yaml = "documents: [a.json]\nactors: {agent: {}, app: {does: [write]}}\nchecks: []"
        let ran = try await Self.lint(yaml)
        #expect(ran.status == .failed && ran.errors.contains("nothing is checked"))
    }
}
