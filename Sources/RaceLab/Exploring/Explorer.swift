/// What to explore, and how far.
package struct ExploreOptions {
    /// The maximum number of preemptions; all schedules within it are run.
    package var bound = 2
    /// The number of random schedules; with `isTimeUp`, as many as there is time for.
    package var randomSchedules = 0
    /// The seed of the random schedules.
    package var seed: UInt64 = 1
    /// Draws priorities with this many changes instead of single steps (PCT): for many actors and long runs.
    package var priorityChanges: Int?
    /// Called before each run; `true` stops. The lab itself has no clock.
    package var isTimeUp: () -> Bool = { false }
    /// Stops at the first schedule with any anomaly, or with this one.
    package var stopsAtFirst = false
    package var wanted: AnomalyKind?
    /// Whether to shrink findings.
    package var shrinks = true
    /// Whether to skip shrinking as well, because the user waits.
    package var isHurried: () -> Bool = { false }
    /// Called at intervals with the number of schedules.
    package var progress: (Int) -> Void = { _ in }
    /// Called for every run; a returned sentence describes a fault.
    package var check: (Run) -> String? = { _ in nil }

    /// The disk to run on.
    package var backendKind = RaceBackendKind.simulated

    package init() {}
}

/// Runs schedules: first all within the bound, then random ones.
package struct Explorer {
    /// The current workload; random operations are drawn again at intervals.
    private var scenario: Scenario
    private let undrawn: Scenario
    private let options: ExploreOptions
    private var report: ExplorationReport
    private var simulator: Simulator
    private var isOver = false

    package init(_ scenario: Scenario, _ options: ExploreOptions = ExploreOptions()) {
        undrawn = scenario
        self.scenario = scenario.drawn(seed: options.seed)
        self.options = options
        simulator = Simulator(self.scenario, on: options.backendKind)
        report = ExplorationReport(scenario: scenario, bound: options.bound)
        report.seed = options.seed
    }

    package mutating func explore() -> ExplorationReport {
        descend([])
        report.isExhaustive = !isOver
        wander()
        if options.shrinks { report.findings = report.findings.map { shrunk($0, options) } }
        return report
    }

    // MARK: Within the bound

    /// Runs all schedules that start with these departures and are within the bound.
    private mutating func descend(_ departures: [Scheduler.Departure]) {
        guard mayGoOn() else { return }
        let run = simulator.run(Scheduler(.departing(departures)), faults: options.seed)
        report.schedules += 1
        note(run)
        guard departures.count < options.bound else { return }
        let first = departures.last.map { $0.step + 1 } ?? 0
        for step in run.others.indices.dropFirst(first) {
            var rest = run.others[step]
            while rest != 0, !isOver {
                let lane = rest.trailingZeroBitCount
                rest &= rest - 1
                descend(departures + [Scheduler.Departure(step: step, lane: lane)])
            }
        }
    }

    private mutating func mayGoOn() -> Bool {
        if !isOver, options.isTimeUp() {
            isOver = true
            report.ending = .stopped
        }
        return !isOver
    }

    // MARK: Random schedules

    private mutating func wander() {
        var seeds = SeededRandom(seed: options.seed, .schedule)
        let length = max(1, report.steps / max(1, report.schedules))
        while report.randomSchedules < options.randomSchedules, mayGoOn() {
            let seed = seeds.next()
            if undrawn.hasDrawnWorkload, report.randomSchedules.isMultiple(of: Self.schedulesPerWorkload) {
                scenario = undrawn.drawn(seed: seed)
                simulator = Simulator(scenario, on: options.backendKind)
            }
            let run = simulator.run(scheduler(seed, length), faults: seed)
            report.randomSchedules += 1
            note(run)
        }
    }

    /// Each workload needs a new world.
    private static var schedulesPerWorkload: Int { 16 }

    private func scheduler(_ seed: UInt64, _ length: Int) -> Scheduler {
        var random = SeededRandom(seed: seed, .schedule)
        guard let changes = options.priorityChanges else {
            let odds = random.pick([2, 4, 8, 16, 32])
            return Scheduler(.wandering(random, odds: odds))
        }
        let order = scenario.actors.indices.shuffled(using: &random)
        return Scheduler(.byPriority(order, changes: (0..<changes).map { _ in random.below(length) }))
    }

    // MARK: Results

    private mutating func note(_ run: Run) {
        report.steps += run.schedule.steps
        report.overtakenReads += run.judgement.overtakenReads
        report.longestOvertaking = max(report.longestOvertaking, run.judgement.longestOvertaking)
        if run.history.rest?.unrest != nil { report.unfinished += 1 }
        var judgement = run.judgement
        if let sentence = options.check(run) { judgement.anomalies.append(.refused(sentence, run.history)) }
        for anomaly in judgement.anomalies { note(anomaly, run) }
        for kind in judgement.kinds { report.counts[kind, default: 0] += 1 }
        let count = report.schedules + report.randomSchedules
        if count.isMultiple(of: 1_024) { options.progress(count) }
    }

    private mutating func note(_ anomaly: Anomaly, _ run: Run) {
        guard report.counts[anomaly.kind] == nil,
            !report.findings.contains(where: { $0.anomaly.kind == anomaly.kind })
        else { return }
        let saved = SavedSchedule(
            layer: options.backendKind.layer,
            scenario: scenario,
            schedule: run.schedule,
            trace: run.history.trace,
            anomaly: anomaly.kind
        )
        report.findings.append(
            Finding(anomaly: anomaly, saved: saved, history: run.history, original: saved, replays: 0)
        )
        guard options.stopsAtFirst || anomaly.kind == options.wanted else { return }
        isOver = true
        report.ending = .found
    }
}
