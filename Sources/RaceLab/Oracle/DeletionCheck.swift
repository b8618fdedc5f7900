import Model

/// Finds documents that a program deleted, that no program saved since, and that are there at the end.
struct DeletionCheck {
    let history: History

    func anomalies(_ all: DocumentChanges) -> [Anomaly] {
        guard history.rest != nil, all.end.app != History.absent || all.end.group != History.absent else {
            return []
        }
        return all.changes.indices.compactMap { place in
            let deletion = all.changes[place]
            guard deletion.author == .program, deletion.after == History.absent else { return nil }
            let later = all.changes[(place + 1)...]
            guard !later.contains(where: { $0.author != .bridge && $0.after != History.absent }),
                let back = later.first(where: { $0.before == History.absent && $0.after != History.absent })
            else { return nil }
            return anomaly(deletion, back, all)
        }
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
        return Anomaly(
            kind: .resurrectedDeletion,
            document: all.document,
            side: deletion.side,
            lane: history.steps[deletion.step].lane,
            steps: deletion.step...back.step,
            evidence: evidence,
            sentence:
                "\(who) deleted \(path) at step \(deletion.step), no program has saved it since, and it is "
                + "there again since step \(back.step)."
        )
    }
}
