import Documents
import Model

/// Finds what programs changed and no container has at the end, though no program took it back knowingly.
struct LossCheck {
    let history: History
    let evidence: Evidence
    let values: ContentValues

    /// A value that a change put there, or took away.
    private struct Effect: Hashable {
        var leaf: JSONLeaf
        var isThere: Bool

        func holds(in leaves: Set<JSONLeaf>) -> Bool { leaves.contains(leaf) == isThere }
    }

    private enum Outcome: Hashable {
        case kept
        /// By the change that displaced it.
        case lost(by: Int)
        /// Whether that change took it back knowingly is not seen.
        case unclear(Int)
        /// Which process or thread of that side took it back is not seen.
        case unseen(SkipReason)

        /// - Parameter answer: whether who saved at `step` knew of it.
        init(_ answer: ProcessKnowledge.Answer, at step: Int) {
            self =
                switch answer {
                case .knew: .kept
                case .unaware: .lost(by: step)
                case .unclear: .unclear(step)
                case .unseen(let reason): .unseen(reason)
                }
        }
    }

    struct Findings {
        var anomalies: [Anomaly] = []
        var doubts: [ObservationDoubt] = []
        /// Why it is not seen whether a program knew what another process of its side had saved.
        var blindness: SkipReason?
    }

    private var knowledge: ProcessKnowledge { ProcessKnowledge(history: history, evidence: evidence) }

    func findings(_ changes: DocumentChanges) -> Findings {
        var findings = Findings()
        guard history.rest != nil else { return findings }
        let copies = evidence.copies.map { values.parsed(changes.document, $0) }
        for index in changes.changes.indices {
            let change = changes.changes[index]
            // What a deletion takes away is the subject of another check.
            guard change.author != .bridge, change.after != History.absent else { continue }
            var lost: [(Effect, Int)] = []
            var unclear: [(Effect, Int)] = []
            let effects = effects(change, changes.document)
            for effect in effects where !copies.contains(where: effect.holds) {
                switch intended(effect, among: effects, from: index, changes) {
                case .kept: break
                case .lost(let culprit): lost.append((effect, culprit))
                case .unclear(let step): unclear.append((effect, step))
                case .unseen(let reason): findings.blindness = reason
                }
            }
            if let culprit = lost.map(\.1).min() {
                findings.anomalies.append(anomaly(change, lost.map(\.0), culprit, changes))
            } else if let gone = unclear.map(\.1).min() {
                findings.doubts.append(doubt(change, unclear.map(\.0), gone, changes))
            }
        }
        let alike = AlikeCheck(history: history, evidence: evidence, values: values).findings(changes)
        findings.doubts += alike.doubts
        findings.blindness = findings.blindness ?? alike.blindness
        return findings
    }

    /// The outcome of an effect that its program intended; an effect that it did not intend counts as kept.
    private func intended(
        _ effect: Effect,
        among effects: [Effect],
        from index: Int,
        _ all: DocumentChanges
    ) -> Outcome {
        let change = all.changes[index]
        if change.author == .unknown {
            return unclearLoss(of: effect, from: index, all).map(Outcome.unclear) ?? .kept
        }
        let outcome = outcome(of: effect, from: index, all)
        guard case .lost(let culprit) = outcome else { return outcome }
        switch origin(of: effect, among: effects, change, all) {
        case .edit: return outcome
        case .memory: return .kept
        case .unclear: return .unclear(culprit)
        }
    }

    private func effects(_ change: DocumentChanges.Change, _ document: Int) -> [Effect] {
        let before = values.leaves(document, change.before)
        let after = values.leaves(document, change.after)
        let new = after.subtracting(before)
        let places = Set(new.map(\.place))
        // A value that has another in its place is not a removal of its own.
        let gone = before.subtracting(after).filter { $0.isListed || !places.contains($0.place) }
        return (new.map { Effect(leaf: $0, isThere: true) } + gone.map { Effect(leaf: $0, isThere: false) })
            .sorted { ($0.leaf.place, $0.leaf.value) < ($1.leaf.place, $1.leaf.value) }
    }

    // MARK: Where it comes from

    private enum Origin {
        /// The program knew what it changed.
        case edit
        /// The program had that in memory and did not know that the bridge had brought something else.
        case memory
        case unclear
    }

    /// - Parameter effects: all those of the change.
    private func origin(
        of effect: Effect,
        among effects: [Effect],
        _ change: DocumentChanges.Change,
        _ all: DocumentChanges
    ) -> Origin {
        if evidence.programs[change.side].reportsReads {
            guard let known = evidence.reports(before: change, all.document, history).last else {
                return .edit
            }
            guard effect.holds(in: values.leaves(all.document, known.version)) else { return .edit }
            return known.isSure ? .memory : .unclear
        }
        if let base = base(of: change, all.document) {
            let isOld = effect.holds(in: values.leaves(all.document, base.version))
            return !base.isSure ? .unclear : isOld ? .memory : .edit
        }
        let earlier = all.contents(of: change.side, before: change, from: history.start).map {
            values.leaves(all.document, $0)
        }
        func isOld(_ effect: Effect) -> Bool { earlier.contains(where: effect.holds) }
        // Who saves from memory saves something new beside it.
        return isOld(effect) && !effects.allSatisfy(isOld) ? .unclear : .edit
    }

    /// The content that the program of that side had when it saved, by its system calls: the one that it read
    /// or saved last. It is not sure if the program has read a part of another one since.
    private func base(of change: DocumentChanges.Change, _ document: Int) -> (version: Int, isSure: Bool)? {
        guard let saving = evidence.writers[change.step] else { return nil }
        let player = evidence.calls[saving].player
        let known = history.steps[..<change.step].indices.filter { number in
            let step = history.steps[number]
            guard step.document == document, step.version.map(values.isWhole) ?? false else { return false }
            let call = step.what == .changed ? evidence.writers[number] : evidence.fetches[number]
            return call.map { $0 < saving && evidence.calls[$0].player == player } ?? false
        }
        let last = known.last { !evidence.partialFetches.contains($0) }
        guard let base = last ?? known.last, let version = history.steps[base].version else { return nil }
        let isSure = last != nil && known.allSatisfy { $0 <= base || history.steps[$0].version == version }
        return (version, isSure)
    }

    // MARK: What became of it

    private func outcome(of effect: Effect, from index: Int, _ all: DocumentChanges) -> Outcome {
        let mine = all.changes[index]
        func holds(_ version: Int) -> Bool { effect.holds(in: values.leaves(all.document, version)) }
        if Side.allCases.contains(where: { all.end[$0] != History.absent && holds(all.end[$0]) }) {
            return .kept
        }
        var outcome = Outcome.kept
        /// The sides that had it and have it no more.
        var gone: Set<Side> = []
        for later in all.changes[(index + 1)...] {
            let (had, has) = (holds(later.before), holds(later.after))
            if had, !has {
                // The bridge brings what was done on the other side.
                let isBrought = later.author == .bridge && gone.contains(later.side.other)
                gone.insert(later.side)
                switch later.author {
                case .bridge:
                    if !isBrought {
                        outcome = isOfMissed(later, mine, all) ? .unclear(later.step) : .lost(by: later.step)
                    }
                case .unknown: outcome = .unclear(later.step)
                case .program:
                    outcome = removal(of: effect, by: later, author: mine, all)
                    switch outcome {
                    case .kept, .unseen: return outcome
                    case .lost, .unclear: break
                    }
                }
            } else if has, !had {
                gone.remove(later.side)
                outcome = .kept
            } else if !had, later.author == .program, later.side == mine.side, sets(later, effect, all) {
                return .kept
            }
        }
        return outcome
    }

    /// Whether the bridge may have brought there a save that came and went after that change, unread.
    private func isOfMissed(
        _ change: DocumentChanges.Change,
        _ mine: DocumentChanges.Change,
        _ all: DocumentChanges
    ) -> Bool {
        evidence.missed.contains { missed in
            !missed.isOfBridge && missed.document == all.document
                && !evidence.programs[missed.side].isOver(at: missed.after)
                && missed.before >= history.steps[mine.step].time
                && missed.after <= history.steps[change.step].time
        }
    }

    /// When a change was displaced that a program may have made, or the bridge, from a content of the other
    /// side that was not seen; `nil` if it was not.
    private func unclearLoss(of effect: Effect, from index: Int, _ all: DocumentChanges) -> Int? {
        let change = all.changes[index]
        // What the other side had is judged where it came from. An older state is no sign of a save.
        let theirs =
            [history.start[all.document][change.side.other]]
            + all.changes[..<index].filter { $0.side != change.side }.map(\.after)
        func isHeld(_ version: Int) -> Bool { effect.holds(in: values.leaves(all.document, version)) }
        guard effect.isThere, !theirs.contains(where: isHeld) else { return nil }
        let step: Int
        switch outcome(of: effect, from: index, all) {
        case .kept, .unseen: return nil
        case .lost(let culprit): step = culprit
        case .unclear(let culprit): step = culprit
        }
        // If the other side's program goes on to change that value, it may have made this one, too.
        let isReplaced = all.changes[(index + 1)...].contains { later in
            later.author != .bridge && sets(later, effect, all)
        }
        return isReplaced ? nil : step
    }

    /// A program sets the same place anew.
    private func sets(_ change: DocumentChanges.Change, _ effect: Effect, _ all: DocumentChanges) -> Bool {
        guard !effect.leaf.isListed else { return false }
        let before = values.leaves(all.document, change.before)
        return values.leaves(all.document, change.after).subtracting(before).contains {
            $0.place == effect.leaf.place
        }
    }

    /// A program saved over it.
    private func removal(
        of effect: Effect,
        by change: DocumentChanges.Change,
        author: DocumentChanges.Change,
        _ all: DocumentChanges
    ) -> Outcome {
        if change.side == author.side {
            let answer = knowledge.answer(at: change.step, of: author.step, of: all.document, change.side)
            return Outcome(answer, at: change.step)
        }
        if evidence.programs[change.side].reportsReads {
            let known = evidence.reports(before: change, all.document, history).filter {
                effect.holds(in: values.leaves(all.document, $0.version))
            }
            if known.contains(where: \.isSure) { return .kept }
            return known.isEmpty ? .lost(by: change.step) : .unclear(change.step)
        }
        if change.after == History.absent { return .kept }
        let came = all.changes.last { earlier in
            earlier.side == change.side && earlier.step < change.step
                && !effect.holds(in: values.leaves(all.document, earlier.before))
        }
        let answer = knowledge.answer(
            at: change.step,
            ofContents: { effect.holds(in: values.leaves(all.document, $0)) },
            since: author.step,
            broughtAt: came?.step ?? 0,
            of: all.document,
            change.side
        )
        guard case .unseen = answer else { return Outcome(answer, at: change.step) }
        return mayBeFromMemory(effect, change, all) ? .unclear(change.step) : .kept
    }

    /// Whether a program that saved over what it had not done itself may have saved an earlier content, which
    /// it had in memory, with a change of its own.
    private func mayBeFromMemory(
        _ effect: Effect,
        _ change: DocumentChanges.Change,
        _ all: DocumentChanges
    ) -> Bool {
        let after = values.leaves(all.document, change.after)
        let earlier = ([change.before] + all.contents(of: change.side, before: change, from: history.start))
            .map { values.leaves(all.document, $0) }
        // Of a list, an element that is gone is as it was before it came.
        let here = after.filter { $0.place == effect.leaf.place }
        let isOld =
            effect.leaf.isListed
            || earlier.contains { leaves in leaves.filter { $0.place == effect.leaf.place } == here }
            || here.isEmpty
        let hasNew = after.contains { leaf in !earlier.contains { $0.contains(leaf) } }
        return isOld && hasNew
    }

    // MARK: Findings

    private static let mostPlaces = 3

    private static func named(_ effects: [Effect]) -> String {
        var places: [String] = []
        for place in effects.map(\.leaf.place) where !places.contains(place) { places.append(place) }
        let named = places.prefix(mostPlaces).map { $0.isEmpty ? "the whole" : $0 }.joined(separator: ", ")
        return named + (places.count > mostPlaces ? " and \(places.count - mostPlaces) more" : "")
    }

    private func doubt(
        _ change: DocumentChanges.Change,
        _ effects: [Effect],
        _ gone: Int,
        _ all: DocumentChanges
    ) -> ObservationDoubt {
        let isRemoval = !effects.contains(where: \.isThere)
        return .unclearLoss(
            history.documents[all.document],
            places: Self.named(effects.filter { $0.isThere != isRemoval }),
            saved: change.step,
            gone: gone,
            isRemoval: isRemoval
        )
    }

    private func anomaly(
        _ change: DocumentChanges.Change,
        _ effects: [Effect],
        _ culprit: Int,
        _ all: DocumentChanges
    ) -> Anomaly {
        var evidence = Anomaly.Evidence()
        evidence.versions = [change.before, change.after]
        evidence.culprit = culprit
        evidence.culpritLane = history.steps[culprit].lane
        evidence.count = effects.count
        let lanes = history.lanes
        let isSameSide = history.steps[culprit].lane == history.steps[change.step].lane
        let who = (isSameSide ? "another process in " : "") + lanes[history.steps[culprit].lane].name
        return Anomaly(
            kind: .lostUpdate,
            document: all.document,
            side: change.side,
            lane: history.steps[change.step].lane,
            steps: change.step...max(change.step, culprit),
            evidence: evidence,
            sentence: "The change of \(Self.named(effects)) in \(history.documents[all.document]), which "
                + "\(lanes[history.steps[change.step].lane].name) saved at step \(change.step), is in no container "
                + "at the end: \(who) displaced it at step \(culprit)."
        )
    }
}
