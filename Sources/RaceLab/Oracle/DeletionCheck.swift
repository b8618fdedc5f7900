import Model

/// Finds documents that a program deleted, that no program saved since, and that are there at the end.
struct DeletionCheck {
    let history: History
    let evidence: Evidence

    struct Findings {
        var anomalies: [Anomaly] = []
        var doubts: [ObservationDoubt] = []
    }

    func findings(_ all: DocumentChanges) -> Findings {
        var findings = Findings()
        guard history.rest != nil, all.end.app != History.absent || all.end.group != History.absent else {
            return findings
        }
        for (index, deletion) in all.changes.enumerated()
        where deletion.author != .bridge && deletion.after == History.absent {
            let later = all.changes[(index + 1)...]
            guard let back = later.first(where: { $0.before == History.absent && $0.after != History.absent })
            else { continue }
            switch outcome(of: deletion, back, all) {
            case .kept: break
            case .undone: findings.anomalies.append(anomaly(deletion, back, all))
            case .unclear: findings.doubts.append(doubt(deletion, back, all))
            case .moved:
                let path = history.documents[all.document]
                findings.doubts.append(.unclearMove(path, moved: deletion.step, back: back.step))
            }
        }
        return findings
    }

    private enum Outcome {
        /// Who saved the document again, or had changed it, did so knowingly.
        case kept
        case undone
        case unclear
        /// It was given another name, and who put something in its place is not seen.
        case moved
    }

    private func outcome(
        of deletion: DocumentChanges.Change,
        _ back: DocumentChanges.Change,
        _ all: DocumentChanges
    ) -> Outcome {
        let later = all.changes.filter { $0.step > deletion.step }
        if let outcome = outcome(ofMoved: deletion, back, later) { return outcome }
        if let gone = brought(to: back, later) {
            let knowledge = ProcessKnowledge(history: history, evidence: evidence)
            switch knowledge.answer(at: back.step, ofDeletion: gone.step, of: all.document, back.side) {
            case .knew: return .kept
            case .unaware: return deletion.author == .program ? .undone : .unclear
            case .unclear, .unseen: return .unclear
            }
        }
        let saves = later.filter { $0.step <= back.step && $0.after != History.absent }
        if saves.contains(where: { $0.author == .program }) { return .kept }
        // Whoever deleted it did not know what the other side had saved by then, and that stays.
        if back.author == .bridge, isNewer(back, than: deletion, all) { return .kept }
        if deletion.author == .unknown {
            return back.after == deletion.before || isLeftAway(deletion, back) ? .unclear : .kept
        }
        return saves.contains { $0.author == .unknown } ? .unclear : .undone
    }

    /// A program may give the old file another name before the new one takes its place: that is a save.
    private func outcome(
        ofMoved deletion: DocumentChanges.Change,
        _ back: DocumentChanges.Change,
        _ later: [DocumentChanges.Change]
    ) -> Outcome? {
        let call = evidence.writers[deletion.step].map { evidence.calls[$0].step.call.kind }
        guard evidence.moved.contains(deletion.step) || call == .rename else { return nil }
        let soon = later.filter { change in
            change.side == deletion.side && change.after != History.absent
                && history.steps[change.step].time - history.steps[deletion.step].time < Self.pause
        }
        if deletion.author == .program, soon.contains(where: { $0.author == .program }) { return .kept }
        let isUnseen = evidence.writers[back.step] == nil && back.author != .program
        return isUnseen && soon.contains { $0.step == back.step } ? .moved : nil
    }

    /// Who saves so takes no longer from the one name to the other.
    private static let pause = Duration.seconds(1)

    /// Whether a program of the other side had saved that content, and it had not come to the side of the
    /// deletion by then.
    private func isNewer(
        _ back: DocumentChanges.Change,
        than deletion: DocumentChanges.Change,
        _ all: DocumentChanges
    ) -> Bool {
        let earlier = all.changes.filter { $0.step < deletion.step && $0.after == back.after }
        return history.start[all.document][deletion.side] != back.after
            && !earlier.contains { $0.side == deletion.side }
            && earlier.contains { $0.author == .program }
    }

    /// A bridge that removes a file before it renames the next one leaves it away for a moment alone.
    private func isLeftAway(_ deletion: DocumentChanges.Change, _ back: DocumentChanges.Change) -> Bool {
        evidence.deleted.contains(deletion.step) && back.side == deletion.side
            && history.steps[back.step].time - history.steps[deletion.step].time > Self.moment
    }

    private static let moment = Duration.milliseconds(10)

    private func doubt(
        _ deletion: DocumentChanges.Change,
        _ back: DocumentChanges.Change,
        _ all: DocumentChanges
    ) -> ObservationDoubt {
        .unclearDeletion(history.documents[all.document], deleted: deletion.step, back: back.step)
    }

    /// Where the bridge had brought the deletion to the program that saved the document again.
    private func brought(
        to back: DocumentChanges.Change,
        _ later: [DocumentChanges.Change]
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
            ? "and it is there again since step \(back.step), though no program had saved it."
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
