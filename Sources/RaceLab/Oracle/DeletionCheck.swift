import Model

/// Finds documents that a program deleted, that no program saved since, and that are there at the end.
struct DeletionCheck {
    let history: History
    let evidence: Evidence

    struct Findings {
        var anomalies: [Anomaly] = []
        /// Whether a program knew of a deletion when it saved is not seen.
        var isBlind = false
    }

    func findings(_ all: DocumentChanges) -> Findings {
        var findings = Findings()
        guard history.rest != nil, all.end.app != History.absent || all.end.group != History.absent else {
            return findings
        }
        for (place, deletion) in all.changes.enumerated()
        where deletion.author == .program && deletion.after == History.absent {
            let later = all.changes[(place + 1)...]
            guard let back = later.first(where: { $0.before == History.absent && $0.after != History.absent })
            else { continue }
            if !later.contains(where: { $0.author != .bridge && $0.after != History.absent }) {
                findings.anomalies.append(anomaly(deletion, back, all))
            } else if let gone = brought(to: back, later) {
                let knowledge = ProcessKnowledge(history: history, evidence: evidence)
                switch knowledge.answer(at: back.step, ofDeletion: gone.step, of: all.document, back.side) {
                case .knew: break
                case .unaware: findings.anomalies.append(anomaly(deletion, back, all))
                case .unclear, .unseen: findings.isBlind = true
                }
            }
        }
        return findings
    }

    /// Where the bridge had brought the deletion to the program that saved the document again.
    private func brought(
        to back: DocumentChanges.Change,
        _ later: ArraySlice<DocumentChanges.Change>
    ) -> DocumentChanges.Change? {
        guard back.author == .program else { return nil }
        let last = later.last { $0.side == back.side && $0.step < back.step }
        return last?.author == .program ? nil : last
    }

    private func anomaly(
        _ deletion: DocumentChanges.Change,
        _ back: DocumentChanges.Change,
        _ all: DocumentChanges
    ) -> Anomaly {
        var evidence = Anomaly.Evidence()
        evidence.versions = [deletion.before, back.after]
        evidence.culprit = back.step
        evidence.culpritLane = history.steps[back.step].lane
        let (who, path) = (
            history.lanes[history.steps[deletion.step].lane].name, history.documents[all.document]
        )
        let isByBridge = back.author != .program
        let saved =
            isByBridge
            ? "no program has saved it since, and it is there again since step \(back.step)."
            : "\(history.lanes[history.steps[back.step].lane].name) saved it again at step \(back.step), without a "
                + "look whether it was still there."
        return Anomaly(
            kind: .resurrectedDeletion,
            document: all.document,
            side: deletion.side,
            lane: history.steps[deletion.step].lane,
            steps: deletion.step...back.step,
            evidence: evidence,
            sentence: "\(who) deleted \(path) at step \(deletion.step), \(saved)"
        )
    }
}
