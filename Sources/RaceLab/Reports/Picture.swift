/// A run as it is shown: what it was a run of, what happened, and what is wrong with it.
package struct Picture: Sendable {
    /// Of the scenario, or of what was watched.
    package var name: String
    /// How it is had again; `nil` where real programs ran.
    package var saved: SavedSchedule?
    package var history: History
    package var anomalies: [Anomaly]
    /// How small it is, if it was made small.
    package var size: String?
    /// Where the history is a part of a longer one: the numbers of its steps in that.
    package var numbers: [Int]?

    package init(_ saved: SavedSchedule, _ history: History, _ anomalies: [Anomaly], size: String? = nil) {
        name = saved.scenario.name
        self.saved = saved
        self.history = history
        self.anomalies = anomalies
        self.size = size
    }

    /// Of what was only watched.
    init(_ name: String, _ history: History, _ anomalies: [Anomaly], numbers: [Int]) {
        self.name = name
        self.history = history
        self.anomalies = anomalies
        self.numbers = numbers
    }

    /// What people know a step by.
    func number(of step: Int) -> Int { numbers?[step] ?? step }

    package init(_ finding: Finding) {
        self.init(finding.saved, finding.history, [finding.anomaly], size: finding.size)
    }

    /// A single run.
    package init(_ scenario: Scenario, _ run: Run, layer: Int) {
        let anomalies = run.judgement.anomalies
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
        return history.rest?.unrest == nil ? .clean : .unknown
    }
}

extension ExplorationReport {
    /// What was found, the expected first; where nothing was found, the run in which nobody interferes.
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

    /// The expected first, then the one that says most: that a save was lost says more than a late reload.
    package var findingsByWeight: [Finding] {
        findings.sorted { a, b in
            let expected = scenario.expected
            if (a.anomaly.kind == expected) != (b.anomaly.kind == expected) {
                return a.anomaly.kind == expected
            }
            return a.anomaly.kind < b.anomaly.kind
        }
    }

    /// What the scenario says must be found was not.
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
