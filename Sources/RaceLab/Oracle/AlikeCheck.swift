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
        return change.author != .program && !evidence.seesAllCalls && !program.reportsSaves
            && !evidence.waiting.contains(change.step)
            && !program.isOver(at: history.steps[change.step].time)
            && !steps(from: change.before, to: change.after, document).isEmpty
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
        let saves = saves(all)
        let numbers = saves.map { steps(from: $0.known, to: $0.after, all.document) }
        var doubts: [ObservationDoubt] = []
        for (index, later) in saves.enumerated() where !numbers[index].isEmpty {
            for (earlier, other) in zip(saves, numbers).prefix(index) where earlier.side != later.side {
                let same = numbers[index].intersection(other).map(\.leaf)
                guard let first = same.map(\.place).min(), !knew(later, same, since: earlier, all) else {
                    continue
                }
                let path = history.documents[all.document]
                doubts.append(.countedAlike(path, place: first, earlier.step, later.step))
            }
        }
        return doubts
    }

    private struct Save {
        var step: Int
        var side: Side
        /// What its program had read or saved last; if calls do not show it, what the save replaced.
        var known: Int
        var after: Int
    }

    /// The saves of programs, also of what the bridge had brought before.
    private func saves(_ all: DocumentChanges) -> [Save] {
        var saves = all.changes.filter { $0.author == .program }.map {
            Save(step: $0.step, side: $0.side, known: $0.before, after: $0.after)
        }
        guard evidence.seesAllCalls else { return saves }
        for repeated in evidence.repeats where repeated.document == all.document {
            let call = evidence.calls[repeated.call]
            let change = all.changes.last { $0.side == repeated.side && $0.step < call.number }
            guard call.player != .bridge, call.step.call.kind == .rename, let change else { continue }
            saves.append(
                Save(step: call.number, side: repeated.side, known: change.after, after: change.after)
            )
        }
        saves.sort { $0.step < $1.step }
        for index in saves.indices {
            let save = saves[index]
            let own = saves[..<index].last { $0.side == save.side }
            let lane = ObservedHistory.Lane(save.side).rawValue
            let read = history.steps[(own?.step ?? 0)..<save.step].last {
                $0.what == .fetched && $0.lane == lane && $0.document == all.document && $0.side == save.side
            }
            saves[index].known = read?.version ?? own?.after ?? save.known
        }
        return saves
    }

    /// What a number was, and what it became.
    private struct NumberStep: Hashable {
        var before: JSONLeaf
        var leaf: JSONLeaf
    }

    private func steps(from before: Int, to after: Int, _ document: Int) -> Set<NumberStep> {
        let (before, after) = (values.leaves(document, before), values.leaves(document, after))
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
        _ save: Save,
        _ leaves: [JSONLeaf],
        since earlier: Save,
        _ all: DocumentChanges
    ) -> Bool {
        let lane = ObservedHistory.Lane(save.side).rawValue
        return history.steps[earlier.step..<save.step].contains { step in
            [.read, .fetched].contains(step.what) && step.lane == lane && step.document == all.document
                && !values.leaves(all.document, step.version ?? History.absent).isDisjoint(with: leaves)
        }
    }
}
