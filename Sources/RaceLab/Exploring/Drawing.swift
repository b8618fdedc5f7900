/// How to run random schedules.
struct Drawing: Sendable {
    /// Schedules of one workload.
    struct Group: Sendable {
        var scenario: Scenario
        var seeds: [UInt64]
    }

    /// The steps of a schedule, about.
    var length: Int
    var priorityChanges: Int?
    var backendKind: RaceBackendKind
    /// Each group has a workload of its own, and needs a new world.
    var isDrawn: Bool
    var keepsHistories: Bool
    var isTimeUp: @Sendable () -> Bool

    /// Each workload needs a new world.
    private static var schedulesPerWorkload: Int { 16 }

    /// The next groups, of at most `left` schedules: of workloads drawn from a scenario, or of the other one.
    func groups(
        of undrawn: Scenario,
        else scenario: Scenario,
        _ seeds: inout SeededRandom,
        count: Int,
        _ left: Int
    ) -> [Group] {
        var left = left
        var groups: [Group] = []
        while groups.count < count, left > 0 {
            let drawn = (0..<min(left, Self.schedulesPerWorkload)).map { _ in seeds.next() }
            left -= drawn.count
            groups.append(
                Group(scenario: isDrawn ? undrawn.drawn(seed: drawn[0]) : scenario, seeds: drawn)
            )
        }
        return groups
    }

    /// Fewer than there are seeds, if the time is up.
    func runs(of group: Group, on simulator: inout Simulator) -> [Run] {
        if isDrawn { simulator = Simulator(group.scenario, on: backendKind, isTimeUp: isTimeUp) }
        var runs: [Run] = []
        for seed in group.seeds {
            if isTimeUp() { break }
            var run = simulator.run(scheduler(seed, group.scenario), faults: seed)
            if run.isStopped { break }
            if !keepsHistories { run.history = History() }
            runs.append(run)
        }
        return runs
    }

    private func scheduler(_ seed: UInt64, _ scenario: Scenario) -> Scheduler {
        var random = SeededRandom(seed: seed, .schedule)
        guard let changes = priorityChanges else {
            let odds = random.pick([2, 4, 8, 16, 32])
            return Scheduler(.randomWalk(random, odds: odds))
        }
        let order = scenario.actors.indices.shuffled(using: &random)
        return Scheduler(.byPriority(order, changes: (0..<changes).map { _ in random.below(length) }))
    }
}
