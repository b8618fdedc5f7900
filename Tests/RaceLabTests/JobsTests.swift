import Documents
import RaceLab
import Synchronization
import TestWorld
import Testing

@Suite("A search on several threads", .threadPerTest)
struct JobsTests {
    static let worlds = [
        "{documents: [a.json], actors: {app: {does: [write]}, widget: {does: [subscribe, write]}, agent: {}}}",
        "{documents: [a.json], actors: {app: {does: [anything: 3]}, widget: {does: [anything: 3]}, agent: {}}}",
        // Half files that a power cut has left are held.
        """
        documents: [{name: a.json, there: no}, {name: b.json, there: no}]
        actors:
          app: {does: [{delete: a.json}, {truncate-and-write: b.json}]}
          widget: {does: [{write-from-memory: a.json}]}
          agent: {}
          fate: {does: [cut-power]}
        """,
    ]

    private func report(_ scenario: Scenario, jobs: Int, _ change: (inout ExploreOptions) -> Void) -> String {
        var options = ExploreOptions()
        options.jobs = jobs
        options.randomSchedules = 100
        change(&options)
        var explorer = Explorer(scenario, options)
        return explorer.explore().json.description
    }

    private func scenarios() throws -> [Scenario] {
        let presets = ["stat-recheck", "read-modify-write", "crash-between-two-sides", "late-v1-save"]
        return try presets.map { try #require(try Preset.scenario($0)) }
            + Self.worlds.map { try Scenario(yaml: $0, file: "world") }
    }

    @Test("gives the same report, word for word")
    func isDeterministic() throws {
        for scenario in try scenarios() {
            let one = report(scenario, jobs: 1) { $0.seed = 7 }
            let three = report(scenario, jobs: 3) { $0.seed = 7 }
            #expect(one == three, "\(scenario.name)")
        }
    }

    @Test("stops at the same first schedule")
    func stops() throws {
        let scenario = try #require(try Preset.scenario("swap-back"))
        let one = report(scenario, jobs: 1) { $0.wanted = .dirtyRead }
        #expect(report(scenario, jobs: 3) { $0.wanted = .dirtyRead } == one)
        #expect(one.contains(#""ending":"found""#))
    }

    @Test("shows every run to a check, in the order of the schedules")
    func checks() throws {
        for scenario in try scenarios() {
            var orders: [[String]] = []
            for jobs in [1, 3] {
                var traces: [String] = []
                _ = report(scenario, jobs: jobs) { options in
                    options.check = { run in
                        traces.append(run.trace)
                        return nil
                    }
                }
                orders.append(traces)
            }
            #expect(orders[0] == orders[1] && orders[0].count > 100)
        }
    }

    @Test("is stopped between two schedules, and says that it is not done")
    func isTimeUp() throws {
        let calls = Atomic(0)
        let scenario = try #require(try Preset.scenario("two-agents")).withOwnEngine
        var options = ExploreOptions()
        options.jobs = 2
        options.isTimeUp = { calls.wrappingAdd(1, ordering: .relaxed).newValue > 40 }
        var explorer = Explorer(scenario, options)
        let report = explorer.explore()
        #expect(report.ending == .stopped && !report.isExhaustive && report.verdict == .unknown)
        #expect(report.schedules <= 40)
    }

    @Test("is stopped within a schedule, of which nothing counts")
    func isTimeUpWithin() throws {
        let calls = Atomic(0)
        let scenario = try #require(try Preset.scenario("two-agents"))
        var options = ExploreOptions()
        options.isTimeUp = { calls.wrappingAdd(1, ordering: .relaxed).newValue > 2 }
        var explorer = Explorer(scenario, options)
        let report = explorer.explore()
        #expect(report.ending == .stopped && report.schedules == 0 && report.verdict == .unknown)
        #expect(calls.load(ordering: .relaxed) < 20)
    }

    @Test("tells how far it has come: of a known number, or of an estimated one")
    func progress() throws {
        let scenario = try #require(try Preset.scenario("stat-recheck"))
        var totals: [ExplorationProgress] = []
        var options = ExploreOptions()
        options.bound = 1
        options.randomSchedules = 1_100
        options.jobs = 2
        options.progress = { totals.append($0) }
        var explorer = Explorer(scenario, options)
        let report = explorer.explore()
        let all = report.schedules + report.randomSchedules
        #expect(totals.map(\.schedules) == [1_024] && totals.map(\.total) == [.known(all)])
    }
}
