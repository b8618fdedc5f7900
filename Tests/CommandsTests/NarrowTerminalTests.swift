import Foundation
import RaceLab
import TestWorld
import Testing

@testable import Commands

/// What is printed on a terminal of 40 columns, and elsewhere.
@Suite(.timeLimit(.minutes(2))) struct NarrowTerminalTests {
    private static let width = 40

    /// Only something that must not be broken may be wider, alone in its line: a path, a command, or an
    /// operation of a patch.
    private func overflow(_ text: String) -> [Substring] {
        text.split(separator: "\n").filter { line in
            String(line).displayWidth > Self.width
                && line.wholeMatch(of: /\s*((app|group|kept:|kept in)\s+)?(\S+|`[^`]*`\S?|.*"op":.*)/) == nil
        }
    }

    private func check(_ arguments: [String], shows words: String...) async {
        let whole = await run(arguments)
        let narrow = await run(arguments, columns: Self.width)
        #expect(narrow.status == whole.status)
        #expect(overflow(narrow.output).isEmpty, "\(arguments.prefix(2)): \(narrow.output)")
        #expect(!whole.output.contains("…"), "\(arguments.prefix(2)): \(whole.output)")
        for word in words { #expect(whole.output.contains(word), "\(whole.output)") }
    }

    @Test func `Tables and lists of a bridge fit`() async throws {
        try await RealBridge.with { bridge in
            let flags = bridge.flags + ["--profile", "budget"]
            try bridge.save(RealBridge.oldBudget, as: "budget.json", in: bridge.app)
            for (number, side) in [bridge.app, bridge.group].enumerated() {
                let text =
                    #"{"a-field-with-a-long-name":"\#(String(repeating: "long ", count: number + 9))"}"#
                try bridge.save(text, as: "a-document-with-a-long-name.json", in: side)
            }
            try bridge.save("{", as: "broken.json", in: bridge.group)
            await check(
                ["sync", "--dry-run"] + flags,
                shows: "create    app → group  budget.json  created in app; translated"
            )
            #expect(try await bridge.run("sync", "--profile", "budget").status == 7)
            try bridge.save(#"{"b":1}"#, as: "a-document-with-a-long-name.json", in: bridge.app)
            #expect(try await bridge.run("sync", "--profile", "budget").status == 7)
            await check(["status"] + flags, shows: "\na-document-with-a-long-name.json  conflict")
            await check(["conflicts"] + flags, shows: "a-document-with-a-long-name.json, ")
            await check(["history"] + flags, shows: "a-document-with-a-long-name.json, ")
            await check(["doctor", "--app", "none", "--group", "none"], shows: "error     none\n")
            await check(["why", "a-document-with-a-long-name.json"] + flags)
            for command in ["status", "plan", "verify"] { await check(["migrate", command] + flags) }
            #expect(await run(["migrate", "apply"] + flags).status == .done)
            await check(["migrate", "history"] + flags, shows: "1 → 2  applied  app:budget.json\n")
            await check(["migrate", "rollback"] + flags)
        }
    }

    @Test func `Lists of what is built in fit`() async {
        await check(["profile", "list"], shows: "\nbudget    budget.json    1, 2      BudgetWidget\n")
        await check(["race", "presets"])
    }

    /// Commands to be copied stay whole.
    private func overflowOfRace(_ text: String) -> [Substring] {
        overflow(text).filter { !$0.contains("widgetbridge race ") }
    }

    @Test(arguments: [
        ["explore", "stat-recheck"], ["explore", "stat-recheck", "--own-engine"],
        ["explore", "late-v1-save", "--find", "lost-update"], ["run", "two-agents", "--seed", "3"],
        ["explore", "app-budget", "--seconds", "1"],
    ])
    func `The report of a race fits`(arguments: [String]) async {
        let narrow = await run(["race"] + arguments, columns: Self.width)
        #expect(overflowOfRace(narrow.output).isEmpty, "\(narrow.output)")
    }

    @Test func `Findings and warnings fit, and latencies have no columns`() async throws {
        let narrow = await run(["profile", "lint", "budget"], columns: Self.width)
        #expect(!narrow.output.isEmpty && overflow(narrow.output).isEmpty, "\(narrow.output)")
        try await withDirectory { directory in
            try write(
                "documents: [a.json]\nactors: {app: {does: [{write: a.json}]}, agent: {side: app}}\n",
                to: "\(directory)/a.yaml"
            )
            let lint = await run(["race", "lint", "\(directory)/a.yaml"], columns: Self.width)
            #expect(!lint.output.isEmpty && overflow(lint.output).isEmpty, "\(lint.output)")
        }
        var latencies = Latencies()
        for sample in [3, 120] { latencies.visible.add(.milliseconds(sample)) }
        let lines = LatencyLines(bold: { $0 }, columns: Self.width).lines(latencies)
        #expect(lines.contains { $0.hasPrefix("write to visible  p50 ") }, "\(lines)")
        #expect(overflow(lines.joined(separator: "\n")).isEmpty, "\(lines)")
    }

    @Test func `A row that fits is not broken, and a broken one is indented`() {
        let parts = ["a.json", "1 → 2", "LOSSLESS"].map { text in Layout.Part(text: text) { "<\($0)>" } }
        #expect(Layout().row(parts) == ["<a.json>  <1 → 2>  <LOSSLESS>"])
        #expect(Layout(columns: 23).row(parts) == ["<a.json>  <1 → 2>  <LOSSLESS>"])
        #expect(Layout(columns: 22).row(parts) == ["<a.json>  <1 → 2>", "    <LOSSLESS>"])
        #expect(Layout(columns: 10).row(parts) == ["<a.json>", "    <1 → 2>", "    <LOSSLESS>"])
    }

    @Test func `A text goes below its start where there is no room beside it`() {
        #expect(
            Layout(columns: 30).wrapped("1234567890", "some words of text") == [
                "1234567890some words of text"
            ]
        )
        #expect(
            Layout(columns: 29).wrapped("1234567890", "some words of text, and more of it") == [
                "1234567890", "    some words of text, and", "    more of it",
            ]
        )
        #expect(Layout().wrapped("1234567890", "some words") == ["1234567890some words"])
    }
}
