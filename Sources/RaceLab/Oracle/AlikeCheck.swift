import Documents
import Model

/// Finds saves of the same by two programs or processes that did not know of each other: two steps of a
/// counter that became one look like that, and so does one change that both made.
struct AlikeCheck {
    let history: History
    let evidence: Evidence
    let values: ContentValues

    struct Findings {
        var doubts: [ObservationDoubt] = []
        /// Why it is not seen whether a save was such a one.
        var blindness: SkipReason?
    }

    func findings(_ all: DocumentChanges) -> Findings {
        var findings = repeats(all)
        findings.doubts += steps(all)
        if findings.blindness == nil, all.changes.contains(where: { mayBeStep($0, all.document) }) {
            findings.blindness = .countsUnseen
        }
        return findings
    }

    /// Whether what seems to be the bridge's may be a program's own change of a number to what the other side
    /// had.
    private func mayBeStep(_ change: DocumentChanges.Change, _ document: Int) -> Bool {
        let program = evidence.programs[change.side]
        return change.author != .program && !evidence.seesAllCalls && !program.tellsSaves
            && !evidence.waiting.contains(change.step)
            && !program.isOver(at: history.steps[change.step].time)
            && !steps(change, document).isEmpty
    }

    /// Saves of a content that another process of the same side had saved meanwhile.
    private func repeats(_ all: DocumentChanges) -> Findings {
        let knowledge = ProcessKnowledge(history: history, evidence: evidence)
        let saves = evidence.repeats.filter { repeated in
            repeated.document == all.document && evidence.calls[repeated.call].step.call.kind == .rename
        }
        .map { (call: $0.call, side: $0.side) }
        let rewritten = all.changes.filter { $0.before == $0.after }.compactMap { change in
            evidence.writers[change.step].map { (call: $0, side: change.side) }
        }
        var findings = Findings()
        for save in saves + rewritten {
            let number = evidence.calls[save.call].number
            let changes = all.changes.filter { $0.side == save.side && $0.step < number }
            guard let last = changes.last(where: { $0.before != $0.after }), last.author == .program else {
                continue
            }
            switch knowledge.answer(by: save.call, of: last.step, of: all.document, save.side) {
            case .unaware:
                let path = history.documents[all.document]
                findings.doubts.append(.savedAlike(path, saved: last.step, again: number))
            case .unseen(let reason): findings.blindness = reason
            case .unclear: findings.blindness = .repeatsUnseen
            case .knew: break
            }
        }
        return findings
    }

    /// Changes of a number to the same one on both sides, before either side had the other's.
    private func steps(_ all: DocumentChanges) -> [ObservationDoubt] {
        let saves = all.changes.filter { $0.author == .program }
        var doubts: [ObservationDoubt] = []
        for (place, later) in saves.enumerated() {
            let steps = steps(later, all.document)
            guard !steps.isEmpty else { continue }
            for earlier in saves[..<place] where earlier.side != later.side {
                let same = steps.intersection(self.steps(earlier, all.document)).map(\.leaf)
                guard let first = same.map(\.place).min(), !knew(later, same, since: earlier, all) else {
                    continue
                }
                let path = history.documents[all.document]
                doubts.append(.countedAlike(path, place: first, earlier.step, later.step))
            }
        }
        return doubts
    }

    /// What a number was, and what it became.
    private struct NumberStep: Hashable {
        var before: JSONLeaf
        var leaf: JSONLeaf
    }

    private func steps(_ change: DocumentChanges.Change, _ document: Int) -> Set<NumberStep> {
        let before = values.leaves(document, change.before)
        let after = values.leaves(document, change.after)
        let old = before.subtracting(after).filter(\.isNumber)
        let new = after.subtracting(before).filter(\.isNumber)
        return Set(
            new.flatMap { leaf in
                old.filter { $0.place == leaf.place }.map { NumberStep(before: $0, leaf: leaf) }
            }
        )
    }

    /// Whether its program had read that since, by its lines or its system calls.
    private func knew(
        _ change: DocumentChanges.Change,
        _ leaves: [JSONLeaf],
        since earlier: DocumentChanges.Change,
        _ all: DocumentChanges
    ) -> Bool {
        let lane = ObservedHistory.Lane(change.side).rawValue
        return history.steps[earlier.step..<change.step].contains { step in
            [.read, .fetched].contains(step.what) && step.lane == lane && step.document == all.document
                && !values.leaves(all.document, step.version ?? History.absent).isDisjoint(with: leaves)
        }
    }
}
