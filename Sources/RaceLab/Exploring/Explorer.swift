/// Runs schedule after schedule.
package struct Explorer {
    package var scenario: Scenario
    package var bound = 2
    /// Asked before each run; `true`: no more.
    package var isTimeUp: () -> Bool = { false }
    /// Ends with the first schedule that shows this.
    package var wanted: AnomalyKind?

    private var report: ExplorationReport
    private var table = VersionTable()
    private var isOver = false

    package init(_ scenario: Scenario, bound: Int = 2) {
        self.scenario = scenario
        self.bound = bound
        report = ExplorationReport(scenario: scenario, bound: bound)
    }

    package mutating func explore() -> ExplorationReport {
        descend([])
        report.isExhaustive = !isOver
        return report
    }

    /// All schedules that begin with these departures.
    private mutating func descend(_ departures: [Chooser.Departure]) {
        guard !isOver else { return }
        if isTimeUp() {
            isOver = true
            report.ending = .stopped
            return
        }
        let run = Run.run(scenario, Chooser(.departing(departures)), faults: 0, &table)
        report.schedules += 1
        report.steps += run.schedule.steps
        note(run)
        guard departures.count < bound, !isOver else { return }
        for step in (departures.last.map { $0.step + 1 } ?? 0)..<max(run.others.count, 0) {
            var rest = run.others[step]
            while rest != 0, !isOver {
                let lane = rest.trailingZeroBitCount
                rest &= rest - 1
                descend(departures + [Chooser.Departure(step: step, lane: lane)])
            }
        }
    }

    private mutating func note(_ run: Run) {
        if run.history.rest?.unrest != nil { report.unfinished += 1 }
        for kind in run.judgement.kinds { report.counts[kind, default: 0] += 1 }
        guard
            let anomaly = run.judgement.anomalies.first(where: { anomaly in
                !report.findings.contains { $0.anomaly.kind == anomaly.kind }
            })
        else { return }
        let saved = SavedSchedule(scenario: scenario, schedule: run.schedule, anomaly: anomaly.kind)
        report.findings.append(
            Finding(anomaly: anomaly, saved: saved, history: run.history, original: saved, replays: 0)
        )
        if anomaly.kind == wanted {
            isOver = true
            report.ending = .found
        }
    }
}
