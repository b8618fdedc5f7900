import Documents
import RaceLab
import Synchronization
import TestWorld
import Testing

/// Skipping equivalent schedules must lose nothing: no anomaly, and no way in which actors see things.
@Suite("A reduced search", .threadPerTest)
struct ReducingTests {
    struct Search: Sendable, CustomTestStringConvertible {
        var preset: String
        var isOwnEngine: Bool
        var bound: Int
        var testDescription: String { "\(preset), \(isOwnEngine ? "own engine, " : "")bound \(bound)" }

        func scenario() throws -> Scenario {
            let scenario = try #require(try Preset.scenario(preset))
            return isOwnEngine ? scenario.withOwnEngine : scenario
        }
    }

    /// The full search of these is small with two preemptions, too.
    private static let quick: Set = [
        "read-modify-write", "late-v1-save", "stat-recheck", "unlink-then-rename", "notify-before-rename",
    ]

    static let searches = [1, 2].flatMap { bound in
        (Preset.names + Preset.appNames).flatMap { name in
            [false, true].map { Search(preset: name, isOwnEngine: $0, bound: bound) }
        }
    }.filter { $0.bound == 1 ? $0.preset != "two-agents" : quick.contains($0.preset) }

    static func report(_ scenario: Scenario, bound: Int, isReduced: Bool) -> ExplorationReport {
        var options = ExploreOptions()
        options.bound = bound
        options.isReduced = isReduced
        options.shrinks = false
        options.jobs = 2
        var explorer = Explorer(scenario, options)
        return explorer.explore()
    }

    @discardableResult
    private func compare(_ scenario: Scenario, bound: Int) -> (
        full: ExplorationReport, less: ExplorationReport
    ) {
        let full = Self.report(scenario, bound: bound, isReduced: false)
        let less = Self.report(scenario, bound: bound, isReduced: true)
        #expect(less.isExhaustive && full.isExhaustive)
        #expect(less.coverage.views == full.coverage.views)
        #expect(Set(less.counts.keys) == Set(full.counts.keys))
        #expect(full.isCutByBound || !less.isCutByBound)
        #expect(less.coverage.untouched == full.coverage.untouched)
        #expect(Set(less.coverage.waits.keys) == Set(full.coverage.waits.keys))
        #expect(full.skipped == 0)
        #expect(less.schedules <= full.schedules)
        return (full, less)
    }

    @Test("finds the same as the full one, and sees as much", arguments: searches)
    func isSound(search: Search) throws { compare(try search.scenario(), bound: search.bound) }

    static let worlds = [
        // Evidence; a crash; requests; deletions; a writer whose file is displaced; timers; no exchange.
        """
        documents: [a.json]
        settings: {evidence: yes}
        actors:
          app: {does: [write-from-memory, read]}
          widget: {does: [write, read]}
          agent: {}
        """,
        """
        documents: [a.json, b.json]
        settings: {evidence: yes}
        actors:
          app: {does: [write, {write-from-memory: b.json}]}
          widget: {does: [{write: b.json}, read]}
          agent: {}
        """,
        """
        documents: [a.json, b.json]
        actors:
          app: {does: [write, {write: b.json}]}
          fate: {does: [crash: agent]}
          agent: {}
        """,
        """
        documents: [a.json]
        actors:
          app: {does: [edit]}
          widget: {does: [subscribe, edit]}
          agent: {}
        """,
        """
        documents: [a.json, {name: b.json, there: no}]
        actors:
          app: {does: [delete, {write: b.json}]}
          widget: {does: [truncate-and-write, {read: b.json}]}
          agent: {}
        """,
        """
        documents: [a.json]
        actors:
          app: {does: [write-in-place, delete]}
          widget: {does: [unlink-and-write, read]}
          agent: {}
        """,
        """
        documents: [a.json]
        actors:
          app: {does: [write, wait: 1ms, write]}
          widget: {does: [subscribe, read, wait: 90ms, read]}
          agent: {}
        """,
        """
        documents: [a.json]
        machine: {exchange: no}
        actors:
          app: {does: [write, read]}
          widget: {does: [subscribe, write, read]}
          agent: {}
        """,
    ]

    @Test("is sound in worlds where little commutes", arguments: worlds)
    func isSoundElsewhere(yaml: String) throws {
        compare(try Scenario(yaml: yaml, file: "world"), bound: 1)
    }

    static let actors = [
        """
        documents: [budget.json, habits.json]
        actors:
          app: {does: [write]}
          widget: {does: [{write: habits.json}, read]}
          reader: {kind: widget, does: [read]}
          agent: {}
        """,
        """
        documents: [budget.json]
        actors:
          app: {does: [read-modify-write]}
          widget: {does: [subscribe, read-on-notice]}
          second: {kind: widget, does: [write, read]}
          agent: {}
        """,
    ]

    @Test("runs fewer schedules of four actors than there are", arguments: actors)
    func isSmall(yaml: String) throws {
        let (full, less) = compare(try Scenario(yaml: yaml, file: "four"), bound: 1)
        #expect(less.skipped > 0 && less.schedules * 5 <= full.schedules * 4)
    }

    @Test("is sound with four preemptions, and with any number")
    func isDeep() throws {
        let scenario = try #require(try Preset.scenario("read-modify-write"))
        compare(scenario, bound: 3)
        let yaml = "{documents: [a.json], actors: {app: {does: [write]}, widget: {does: [read]}, agent: {}}}"
        let (full, less) = compare(try Scenario(yaml: yaml, file: "three"), bound: 40)
        #expect(full.isEveryOrder && less.isEveryOrder && less.skipped > 0)
    }

    @Test("does not depend on the number of threads")
    func isDeterministic() throws {
        var reports: [String] = []
        for jobs in [1, 3] {
            var options = ExploreOptions()
            (options.bound, options.isReduced, options.jobs) = (1, true, jobs)
            var explorer = Explorer(try Scenario(yaml: Self.actors[0], file: "four"), options)
            reports.append(explorer.explore().json.description)
        }
        #expect(reports[0] == reports[1])
    }

    @Test("skips nothing where the order of any two steps may matter, or a check may tell them apart")
    func isFull() throws {
        let changes = [
            "machine: {grain: 1s}", "machine: {faults: 30}", "engine: inode-reuse",
            "actors: {app: {does: [write]}, widget: {does: [write]}, agent: {}, second: {kind: agent}}",
            "actors: {app: {does: [write]}, fate: {does: [cut-power]}, agent: {}}",
        ]
        for change in changes {
            let actors =
                change.hasPrefix("actors")
                ? "" : ", actors: {app: {does: [write]}, widget: {does: [write]}, agent: {}}"
            let scenario = try Scenario(yaml: "{documents: [a.json], \(change)\(actors)}", file: "world")
            let report = Self.report(scenario, bound: 1, isReduced: true)
            #expect(!report.isReduced && report.skipped == 0, "\(change)")
        }
        var options = ExploreOptions()
        options.isReduced = true
        options.check = { _ in nil }
        var explorer = Explorer(try #require(try Preset.scenario("stat-recheck")), options)
        #expect(explorer.explore().skipped == 0)
    }

    @Test("tells how many schedules it will run, about")
    func progress() throws {
        let yaml = """
            documents: [budget.json]
            actors:
              app: {does: [write, write]}
              widget: {does: [write, read]}
              second: {kind: widget, does: [subscribe, read-on-notice]}
              agent: {}
            """
        let isTold = Atomic(false)
        var options = ExploreOptions()
        options.isReduced = true
        var last: ExplorationProgress?
        options.progress = {
            last = $0
            isTold.store(true, ordering: .relaxed)
        }
        options.isTimeUp = { isTold.load(ordering: .relaxed) }
        var explorer = Explorer(try Scenario(yaml: yaml, file: "four"), options)
        #expect(explorer.explore().ending == .stopped)
        let progress = try #require(last)
        guard case .estimated(let total) = progress.total else {
            Issue.record("\(progress.total)")
            return
        }
        #expect(progress.schedules == 1_024 && total > 1_024 && total < 1_000_000)
    }
}
