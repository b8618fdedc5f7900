/// Runs schedules: first all within the bound, then random ones.
///
/// Several threads run the schedules, and the results are taken in an order that does not depend on the
/// threads: any number of threads finds the same.
package struct Explorer {
    /// The current workload; random operations are drawn again at intervals.
    private var scenario: Scenario
    private let undrawn: Scenario
    private let options: ExploreOptions
    private var report: ExplorationReport
    private let workers: Workers
    private var isOver = false
    /// The part of the search that is done, about.
    private var done = 0.0
    /// The run in which an actor waited first.
    private var waits: [Rest.Wait: Schedule] = [:]

    package init(_ scenario: Scenario, _ options: ExploreOptions = ExploreOptions()) {
        undrawn = scenario
        self.scenario = scenario.drawn(seed: options.seed)
        self.options = options
        workers = Workers(
            options.backendKind.jobs(options.jobs),
            self.scenario,
            on: options.backendKind,
            isTimeUp: options.isTimeUp
        )
        report = ExplorationReport(scenario: scenario, bound: options.bound)
        report.seed = options.seed
        report.coverage = Coverage(self.scenario)
        report.hasOwnCheck = options.check != nil || scenario.hasCode
        report.isReduced =
            options.isReduced && options.check == nil && options.backendKind.isRepeatable
            && Footprint.isExact(for: self.scenario)
    }

    package mutating func explore() -> ExplorationReport {
        search()
        report.isExhaustive = !isOver
        walkRandomly()
        addDeadlocks()
        if options.shrinks { report.findings = report.findings.map { shrunk($0, options) } }
        return report
    }

    private var isRepeatable: Bool { options.backendKind.isRepeatable }
    private var keepsHistories: Bool { options.check != nil || !isRepeatable }

    // MARK: Within the bound

    private mutating func search() {
        guard mayGoOn(), let root = runs([[]]).first, !root.isStopped else { return stop() }
        var search = ScheduleSearch(root, bound: options.bound, isReduced: report.isReduced)
        take(root)
        while mayGoOn() {
            let branches = search.waiting(workers.lookahead)
            if branches.isEmpty { break }
            for (branch, run) in zip(branches, runs(branches.map(\.departures))) {
                if run.isStopped { stop() } else { search.set(run, at: branch) }
            }
            while report.ending != .found, let run = search.next() {
                done = search.done
                take(run)
            }
        }
        (report.skipped, report.isCutByBound) = (search.skipped, search.isCut)
    }

    /// Runs schedules on all threads.
    private func runs(_ departures: [[Scheduler.Departure]]) -> [Run] {
        let (isReduced, keepsHistories, faults) = (report.isReduced, keepsHistories, options.seed)
        return workers.map(departures) { departures, simulator in
            let scheduler = Scheduler(.departing(departures))
            var run = simulator.run(scheduler, faults: faults, keepsFootprints: isReduced)
            if !keepsHistories { run.history = History() }
            return run
        }
    }

    private mutating func take(_ run: Run) {
        report.schedules += 1
        count(run, in: scenario)
    }

    private mutating func mayGoOn() -> Bool {
        if !isOver, options.isTimeUp() { stop() }
        return !isOver
    }

    private mutating func stop() {
        if isOver { return }
        isOver = true
        report.ending = .stopped
    }

    // MARK: Random schedules

    private mutating func walkRandomly() {
        var seeds = SeededRandom(seed: options.seed, .schedule)
        let drawing = Drawing(
            length: max(1, report.steps / max(1, report.schedules)),
            priorityChanges: options.priorityChanges,
            backendKind: options.backendKind,
            isDrawn: undrawn.hasDrawnWorkload,
            keepsHistories: keepsHistories,
            isTimeUp: options.isTimeUp
        )
        while report.randomSchedules < options.randomSchedules, mayGoOn() {
            let left = options.randomSchedules - report.randomSchedules
            let groups = drawing.groups(of: undrawn, else: scenario, &seeds, count: workers.lookahead, left)
            let results = workers.map(groups) { group, simulator in drawing.runs(of: group, on: &simulator) }
            for (group, runs) in zip(groups, results) {
                for run in runs where !isOver {
                    report.randomSchedules += 1
                    count(run, in: group.scenario)
                }
                if runs.count < group.seeds.count { stop() }
            }
        }
    }

    // MARK: Results

    private mutating func count(_ run: Run, in scenario: Scenario) {
        report.steps += run.schedule.steps
        report.overtakenReads += run.judgement.overtakenReads
        report.longestOvertaking = max(report.longestOvertaking, run.judgement.longestOvertaking)
        if let unrest = run.extent.unrest {
            report.unfinished += 1
            report.unrest = report.unrest ?? unrest
        }
        // The operations of another workload are other ones.
        let isSameWorkload = scenario == self.scenario
        report.coverage.add(run.extent, isSameWorkload: isSameWorkload)
        if isSameWorkload {
            for wait in run.extent.waits where waits[wait] == nil { waits[wait] = run.schedule }
        }
        var anomalies = run.judgement.anomalies
        if let sentence = options.check?(run) { anomalies.append(.refused(sentence, run.history)) }
        for anomaly in anomalies { record(anomaly, run, in: scenario) }
        for kind in Set(anomalies.map(\.kind)) { report.counts[kind, default: 0] += 1 }
        let count = report.schedules + report.randomSchedules
        if count.isMultiple(of: 1_024) {
            options.progress(ExplorationProgress(schedules: count, total: total))
        }
    }

    private var total: ExplorationProgress.Total {
        if options.randomSchedules == .max { return .unlimited }
        if report.randomSchedules > 0 { return .known(report.schedules + options.randomSchedules) }
        let all = min(Double(report.schedules) / max(done, .leastNormalMagnitude), 1e15)
        return .estimated(max(report.schedules, Int(all)) + options.randomSchedules)
    }

    private mutating func record(_ anomaly: Anomaly, _ run: Run, in scenario: Scenario) {
        guard report.counts[anomaly.kind] == nil,
            !report.findings.contains(where: { $0.anomaly.kind == anomaly.kind })
        else { return }
        add(anomaly, run, in: scenario)
        guard options.stopsAtFirst || anomaly.kind == options.wanted else { return }
        isOver = true
        report.ending = .found
    }

    /// The number of a content depends on the runs before it in that world, so the run is repeated in a new
    /// one.
    private mutating func add(_ anomaly: Anomaly, _ run: Run, in scenario: Scenario) {
        let run = isRepeatable ? Run.replay(scenario, run.schedule) : run
        let again = run.judgement.anomalies.first { $0.kind == anomaly.kind }
        let saved = SavedSchedule(
            layer: options.backendKind.layer,
            scenario: scenario,
            schedule: run.schedule,
            trace: run.history.trace,
            anomaly: anomaly.kind
        )
        report.findings.append(
            Finding(
                anomaly: again ?? anomaly,
                saved: saved,
                history: run.history,
                original: saved,
                replays: 0
            )
        )
    }

    /// An operation that never ran, in any schedule, because its actor waited.
    private mutating func addDeadlocks() {
        guard report.isExhaustive, scenario.checks.contains(.deadlock) else { return }
        for wait in report.coverage.endlessWaits {
            guard report.counts[.deadlock] == nil, let schedule = waits[wait] else { continue }
            var strict = scenario
            strict.checks = [.deadlock]
            let run = Run.replay(strict, schedule, on: options.backendKind)
            guard let anomaly = run.judgement.anomalies.first else { continue }
            add(anomaly, run, in: strict)
            report.counts[.deadlock] = report.coverage.waits[wait]
        }
    }
}
