import Documents
import Model
import StateStore

/// Judges actors in Swift: by the values in their documents, since these mark no edits.
struct CodeCheck {
    private let scenario: Scenario
    private let history: History
    /// The contents of conflict copies.
    private let copies: [[UInt8]]
    private let rules: [DocumentRule?]
    /// The errors that actors threw.
    private let failures: [(lane: Int, error: String)]

    init<G>(_ executor: ScheduleExecutor<G>, _ history: History) {
        scenario = executor.scenario
        self.history = history
        copies = executor.backend.kept(in: Trash.conflicts)
        rules = executor.rules
        failures = executor.codes.indices.compactMap { lane in
            executor.codes[lane]?.failure.map { (lane, $0) }
        }
    }

    func anomalies() -> [Anomaly] {
        let all = losses() + failures.map { failure($0.lane, $0.error) }
        return all.filter { scenario.checks.contains($0.kind) }
    }

    private func failure(_ lane: Int, _ error: String) -> Anomaly {
        let sentence = "\(history.lanes[lane].name)'s code failed: \(error)"
        var anomaly = Anomaly.refused(sentence, history)
        anomaly.lane = lane
        return anomaly
    }

    /// What they saved, what no program knowingly replaced, and what is nowhere.
    private func losses() -> [Anomaly] {
        let (evidence, authors) = evidence()
        let values = ContentValues(history) { rules[$0] }
        let check = LossCheck(history: history, evidence: evidence, values: values)
        return history.documents.indices.flatMap { document in
            check.findings(DocumentChanges(document, history, authors, values)).anomalies
                .filter { scenario.actors[$0.lane].code != nil }
        }
    }

    /// The lab has seen every read and every save.
    private func evidence() -> (Evidence, [Int: ChangeAuthor]) {
        var evidence = Evidence()
        var authors: [Int: ChangeAuthor] = [:]
        for side in Side.allCases {
            evidence.programs[side] = Evidence.Program(isThere: true)
            evidence.programs[side].reportsSaves = true
            evidence.programs[side].reportsReads = true
        }
        evidence.copies = copies
        for (number, step) in history.steps.enumerated() where [.changed, .read].contains(step.what) {
            if step.what == .changed { authors[number] = history.isAgent(step.lane) ? .bridge : .program }
            guard scenario.actors[step.lane].isProgram, let document = step.document, let side = step.side,
                let version = step.version
            else { continue }
            func report(_ version: Int?) {
                guard let version, version != History.absent else { return }
                evidence.readReports[side].append(Evidence.ReadReport(document: document, version: version))
            }
            // Whoever deletes a document means all of it.
            if step.what == .changed, version == History.absent { report(step.before) }
            if step.what == .changed { evidence.saves[number] = evidence.readReports[side].count }
            report(version)
        }
        return (evidence, authors)
    }
}
