/// A run for display: its scenario, its history, and its anomalies.
package struct Picture: Sendable {
    /// The name of the scenario, or of the observation.
    package var name: String
    /// The saved schedule; `nil` for real programs.
    package var saved: SavedSchedule?
    package var history: History
    package var anomalies: [Anomaly]
    /// Its size, if it was shrunk.
    package var size: String?
    /// How its steps differ from the recorded ones, where it is a replay. Without an anomaly it proves
    /// nothing.
    package var difference: String?
    /// What is where after the whole history.
    let end: EndState
    /// If the history is a part of a longer one: the step numbers in that.
    package var numbers: [Int]?

    package init(_ saved: SavedSchedule, _ history: History, _ anomalies: [Anomaly], size: String? = nil) {
        name = saved.scenario.name
        self.saved = saved
        self.history = history
        self.anomalies = anomalies
        self.size = size
        end = EndState(history)
    }

    /// For an observation.
    ///
    /// - Parameter end: of the whole history.
    init(_ name: String, _ history: History, _ anomalies: [Anomaly], numbers: [Int], end: EndState) {
        self.name = name
        self.end = end
        self.history = history
        self.anomalies = anomalies
        self.numbers = numbers
    }

    /// The number of a step in reports.
    func number(of step: Int) -> Int { numbers?[step] ?? step }

    package init(_ finding: Finding) {
        self.init(finding.saved, finding.history, [finding.anomaly], size: finding.size)
    }

    /// For a single run.
    package init(_ scenario: Scenario, _ run: Run, layer: Int) {
        let anomalies = run.judgement.anomalies.causesFirst
        let saved = SavedSchedule(
            layer: layer,
            scenario: scenario,
            schedule: run.schedule,
            trace: run.trace,
            anomaly: anomalies.first?.kind
        )
        self.init(saved, run.history, anomalies)
    }

    package var verdict: RaceVerdict {
        if !anomalies.isEmpty { return .anomaly }
        return history.rest?.unrest == nil && difference == nil ? .clean : .unknown
    }
}

extension ExplorationReport {
    /// The findings, the expected one first; without findings, the run without preemptions.
    ///
    /// - Parameter stage: where it was explored.
    package func pictures(on backendKind: RaceBackendKind) -> [Picture] {
        if findings.isEmpty {
            let scenario = scenario.drawn(seed: seed)
            let run = Run.replay(scenario, Schedule(), on: backendKind)
            return [Picture(scenario, run, layer: backendKind.layer)]
        }
        return findingsByWeight.map(Picture.init)
    }

    /// The expected anomaly first, then causes before their consequences: a lost save before a late reload.
    package var findingsByWeight: [Finding] {
        findings.sorted { a, b in
            let expected = scenario.expected
            if (a.anomaly.kind == expected) != (b.anomaly.kind == expected) {
                return a.anomaly.kind == expected
            }
            return a.anomaly.kind.causalRank < b.anomaly.kind.causalRank
        }
    }

    /// The expected anomaly was not found.
    package var isMissingExpected: Bool { scenario.expected.map { counts[$0] == nil } ?? false }
}

extension RaceVerdict {
    package var word: String {
        switch self {
        case .clean: "clean"
        case .anomaly: "anomaly"
        case .unknown: "unknown"
        }
    }
}

extension ExplorationReport.Ending {
    var word: String {
        switch self {
        case .found: "found"
        case .done: "done"
        case .stopped: "stopped"
        }
    }
}
