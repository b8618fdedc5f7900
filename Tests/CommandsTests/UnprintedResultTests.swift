import Foundation
import TestWorld
import Testing

@testable import Commands

/// Commands whose status 1 is a verdict on what they were given, or says that nothing was done, with a full
/// disk behind standard output.
@Suite(.timeLimit(.minutes(5))) struct UnprintedResultTests {
    private static let scenario = """
        documents: [a.json]
        actors:
          app: {does: [{write: a.json}]}
          agent: {side: app}
        """

    /// A clean call of each, in a directory with the files that it needs.
    private static let calls = [
        "race explore": ["stat-recheck", "--own-engine"], "race run": ["stat-recheck", "--own-engine"],
        "race replay": ["clean.json"],
        "race observe": ["--app", "app", "--group", "group", "--seconds", "1", "--patience", "100ms"],
        "race lint": ["scenario.yaml"], "profile lint": ["budget"], "migrate lint": ["--profile", "budget"],
        "profile test": ["budget", "fixtures"], "migrate verify": ["--profile", "budget", "budget.json"],
        "json check": ["--json", "budget.json"], "doctor": ["--app", "app", "--group", "group"],
        "event push": ["K", "open", "--app", "app", "--group", "group"],
        "widget add": ["a.json", "small", "--app", "app", "--group", "group"],
        "reloads simulate": ["--profile", "todo", "--budget", "unlimited"],
    ]

    private static var verdicts: [HelpPage] {
        WidgetBridgeCommand.leaves.compactMap { ($0.type as? any DocumentedCommand.Type)?.page }
            .filter { $0.unprinted == .undecided }
    }

    private func prepare(_ directory: String) async throws {
        for name in ["app", "group", "fixtures"] {
            let path = "\(directory)/\(name)"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
        try write(Self.scenario, to: "\(directory)/scenario.yaml")
        for path in ["budget.json", "fixtures/budget.v1.json", "fixtures/budget.v2.json"] {
            try write(RealBridge.oldBudget, to: "\(directory)/\(path)")
        }
        let new = "\(directory)/fixtures/budget.v2.json"
        let state = "\(directory)/state"
        #expect(
            await run(["migrate", "apply", "--profile", "budget", "--state", state, new]).status == .done
        )
        let saved = ["race", "run", "stat-recheck", "--own-engine", "--save", "\(directory)/clean.json"]
        #expect(await run(saved).status == .done)
    }

    @Test(arguments: calls.keys.sorted(), ["> /dev/full", ">&-"])
    func `No verdict is given if it cannot be printed`(command: String, output: String) async throws {
        try await withDirectory { directory in
            try await prepare(directory)
            let script = "cd '\(directory)'\nexec \"$@\""
            func ended(_ output: String) async throws -> Running.Ended {
                let wrapper = ["/bin/sh", "-c", "\(script) \(output)", "sh"]
                let words = command.split(separator: " ").map(String.init)
                return try await Running(words + (Self.calls[command] ?? []), through: wrapper).ended()
            }
            let unprinted = try await ended(output)
            #expect(unprinted.status == 2 && unprinted.errors.contains("cannot write: "), "\(unprinted)")
            // Nothing changes, so there is no verdict anyway.
            if command == "race observe" { return }
            let printed = try await ended("")
            #expect(printed.status == 0 && !printed.output.isEmpty, "\(printed)")
        }
    }

    @Test func `Every command with a verdict is tried, and its help says what 2 means`() {
        let words = WidgetBridgeCommand.leaves.filter {
            ($0.type as? any DocumentedCommand.Type)?.page.unprinted == .undecided
        }
        #expect(words.map(\.words).sorted() == Self.calls.keys.sorted())
        for page in Self.verdicts {
            let meaning = page.exits.first { $0.status == .undecided }?.meaning
            #expect(meaning?.contains("cannot be printed") == true, "\(page.name)")
        }
    }

    /// Else a script would take an error for a verdict.
    @Test func `Status 1 is an error wherever it is no verdict`() throws {
        for (words, type) in WidgetBridgeCommand.leaves {
            let page = try #require((type as? any DocumentedCommand.Type)?.page)
            guard let failed = page.exits.first(where: { $0.status == .failed })?.meaning,
                page.unprinted == .failed
            else { continue }
            let isError = ["error", "unreadable", "cannot be read", "timed out"].contains {
                failed.contains($0)
            }
            #expect(isError, "\(words): \(failed)")
        }
    }

    @Test func `A find remains a find if it cannot be printed`() async throws {
        let wrapper = ["/bin/sh", "-c", "exec \"$@\" > /dev/full", "sh"]
        let invalid = try await Running(["json", "check", "--json", "/dev/null"], through: wrapper).ended()
        #expect(invalid.status == 1, "\(invalid)")
    }
}
