import Documents
import Model

/// Who made a change, as far as the contents show.
enum ChangeAuthor: Hashable, Sendable {
    /// The program of that side.
    case program
    case bridge
    /// Either may have.
    case unknown
}

/// Distinguishes the bridge's changes from the programs': the bridge puts on one side what the other has.
struct Attribution {
    let history: History
    let evidence: Evidence
    let values: ContentValues
    /// A bridge may bring a content for this long after the other side has gone on.
    let lag: Duration

    /// The side of a document as far as its changes were followed.
    private struct SideState {
        /// What it has, and what it had before, whether or not it is whole.
        var now: Int
        /// The whole contents that it had, each until when.
        var past: [(version: Int, until: Duration)] = []
        var whole: Int
        /// Who made that content; `nil`: it is there from the start.
        var author: ChangeAuthor?
        /// The changes since then that left no whole content.
        var broken: [Int] = []
    }

    /// The authors by step.
    func authors() -> [Int: ChangeAuthor] {
        var authors: [Int: ChangeAuthor] = [:]
        var states = history.start.map { both in
            both.map { SideState(now: $0, whole: $0) }
        }
        for (number, step) in history.steps.enumerated() where step.what == .changed {
            guard let document = step.document, let side = step.side, let version = step.version else {
                continue
            }
            defer { states[document][side].now = version }
            guard values.isWhole(version) else {
                states[document][side].broken.append(number)
                continue
            }
            let author = author(of: number, step, version, states[document])
            authors[number] = author
            for one in states[document][side].broken {
                authors[one] = broken(one, before: (version, author), states[document])
            }
            states[document][side].past.append((states[document][side].whole, step.time))
            states[document][side].whole = version
            states[document][side].author = author
            states[document][side].broken = []
        }
        for both in states {
            for side in Side.allCases {
                for one in both[side].broken { authors[one] = broken(one, before: nil, both) }
            }
        }
        return authors
    }

    // MARK: Whole contents

    private func author(
        of number: Int,
        _ step: Step,
        _ version: Int,
        _ states: BothSides<SideState>
    ) -> ChangeAuthor {
        guard let side = step.side, let document = step.document else { return .unknown }
        if let known = known(number, step, side) { return known }
        let (mine, theirs) = (states[side], states[side.other])
        let before = values.leaves(document, mine.whole)
        let after = values.leaves(document, version)
        let (new, gone) = (after.subtracting(before), before.subtracting(after))
        func isBrought(from other: Int) -> Bool {
            let leaves = values.leaves(document, other)
            return other != History.absent && new.isSubset(of: leaves) && gone.isDisjoint(with: leaves)
        }
        if isBrought(from: theirs.now == History.absent ? History.absent : theirs.whole) {
            let old = mine.past.map { values.leaves(document, $0.version) }
            let isReturn =
                mine.now != History.absent && new.allSatisfy { leaf in old.contains { $0.contains(leaf) } }
            // A program may have taken its change back. A bridge brings what the other side's program made of
            // it.
            let isOfOther =
                theirs.author == .program
                && theirs.past.contains {
                    !gone.isDisjoint(with: values.leaves(document, $0.version))
                }
            return isReturn && !old.isEmpty && !isOfOther && !(new.isEmpty && gone.isEmpty)
                ? .unknown : .bridge
        }
        let recent = theirs.past.filter { evidence.bridgeTime.between($0.until, step.time) < lag }
        if recent.contains(where: { isBrought(from: $0.version) }) { return .unknown }
        if mayBeMissed(document, side.other, at: step.time) { return .unknown }
        if evidence.programs[side.other].isOver(at: step.time) { return .program }
        let places = Set(new.union(gone).map(\.place))
        let busy = BusySide(history: history, values: values, time: lag)
        return busy.changes(places, document, side.other, at: number) ? .unknown : .program
    }

    /// Whether a bridge may have brought at that time what the lab did not see on the other side. If no
    /// program saves there any more, the bridge did.
    private func mayBeMissed(_ document: Int, _ side: Side, at time: Duration) -> Bool {
        evidence.missed.contains { missed in
            !missed.isOfBridge && missed.document == document && missed.side == side
                && !evidence.programs[side].isOver(at: missed.after) && missed.after < time
                && evidence.bridgeTime.between(missed.before, time) < lag
        }
    }

    /// What does not need the contents.
    private func known(_ number: Int, _ step: Step, _ side: Side) -> ChangeAuthor? {
        if let call = evidence.writers[number] {
            return evidence.calls[call].player == .bridge ? .bridge : .program
        }
        let program = evidence.programs[side]
        if evidence.isReported(number) { return .program }
        if evidence.waiting.contains(number) { return .bridge }
        if program.isOver(at: step.time) { return .bridge }
        guard program.reportsSaves else { return nil }
        return hasSomethingNew(number, step, side) ? .unknown : .bridge
    }

    /// Whether the other side, and this one, never had a value of it: then no bridge can have put it there,
    /// unless the lab missed where it came from.
    func hasSomethingNew(_ number: Int, _ step: Step, _ side: Side) -> Bool {
        guard let document = step.document, let version = step.version, values.isWhole(version),
            !mayBeMissed(document, side.other, at: step.time)
        else { return false }
        return values.leaves(document, version).contains { leaf in
            !values.hasHeld(document, leaf, before: number)
        }
    }

    // MARK: Absent and half-written contents

    /// - Parameter next: the whole content that came after it, if one did, and its author.
    private func broken(
        _ number: Int,
        before next: (version: Int, author: ChangeAuthor)?,
        _ states: BothSides<SideState>
    ) -> ChangeAuthor {
        let step = history.steps[number]
        guard let side = step.side, let document = step.document else { return .unknown }
        if evidence.writers[number] != nil, let known = known(number, step, side) { return known }
        let program = evidence.programs[side]
        if program.isOver(at: step.time) || evidence.isReported(number) || evidence.waiting.contains(number) {
            return evidence.isReported(number) ? .program : .bridge
        }
        let mine = states[side].whole
        if step.version == History.absent {
            return absence(step, before: next, mine, at: number)
        }
        let there = content(document, side.other, at: number)
        if there == step.version { return .bridge }
        let bytes = history.versions[step.version ?? 0].bytes
        let isCopy = mayBeCopied(number)
        // A bridge that renames files puts whole ones there, of what the other side has.
        if evidence.renamed.contains(number), program.isThere == true, !isCopy { return .program }
        switch next?.author {
        case .program: return .program
        case .unknown: return .unknown
        case .bridge:
            let isPart = isFragment(bytes, of: next?.version ?? 0, over: mine)
            return isPart ? .bridge : program.isThere == true ? .unknown : .bridge
        case nil:
            if isCopy { return program.isThere == true ? .unknown : .bridge }
            return program.isThere == true ? .program : .unknown
        }
    }

    /// Whether a bridge may have put this content there: the other side had it lately, or one that it is a
    /// part of.
    func mayBeCopied(_ number: Int) -> Bool {
        let step = history.steps[number]
        guard let document = step.document, let side = step.side, let version = step.version else {
            return false
        }
        let bytes = history.versions[version].bytes
        let before = content(document, side, at: number)
        return recent(document, side.other, at: number).contains { other in
            other != History.absent && (other == version || isFragment(bytes, of: other, over: before))
        }
    }

    /// What a side has, and what it had so lately that a bridge may bring it still.
    private func recent(_ document: Int, _ side: Side, at number: Int) -> [Int] {
        var contents: [Int] = []
        for step in history.steps[..<number].reversed()
        where step.what == .changed && step.document == document && step.side == side {
            contents.append(step.version ?? History.absent)
            if evidence.bridgeTime.between(step.time, history.steps[number].time) >= lag { return contents }
        }
        return contents + [history.start[document][side]]
    }

    private func absence(
        _ step: Step,
        before next: (version: Int, author: ChangeAuthor)?,
        _ mine: Int,
        at number: Int
    ) -> ChangeAuthor {
        guard let document = step.document, let side = step.side else { return .unknown }
        // A bridge removes what was removed on the other side.
        if content(document, side.other, at: number) == History.absent {
            return wasThere(document, side.other, before: number) ? .bridge : .program
        }
        guard let next else { return .program }
        let isBack = values.isSame(document, next.version, mine)
        switch (next.author, evidence.programs[side].isThere) {
        case (.program, _): return .program
        case (.bridge, true?) where isBack: return .program
        case (.bridge, false?): return .bridge
        default: return .unknown
        }
    }

    private func wasThere(_ document: Int, _ side: Side, before number: Int) -> Bool {
        history.start[document][side] != History.absent
            || history.steps[..<number].contains {
                $0.what == .changed && $0.document == document && $0.side == side
                    && $0.version != History.absent
            }
    }

    private func content(_ document: Int, _ side: Side, at number: Int) -> Int {
        let last = history.steps[..<number].last {
            $0.what == .changed && $0.document == document && $0.side == side
        }
        return last?.version ?? history.start[document][side]
    }

    /// Whether it may be a part of a write of that content over the old one.
    func isFragment(_ bytes: [UInt8], of whole: Int, over old: Int) -> Bool {
        let (whole, old) = (history.versions[whole].bytes, history.versions[old].bytes)
        return Fragment.isFragment(bytes, of: whole, over: old)
            || Fragment.isPatched(bytes, by: whole, over: old)
    }
}

/// Whether some bytes are an unfinished write.
enum Fragment {
    /// Whether some bytes begin like one of these contents and go on to their end like one of them.
    static func isMade(_ bytes: [UInt8], of contents: [[UInt8]]) -> Bool {
        let begun = contents.map { zip(bytes, $0).prefix { $0 == $1 }.count }.max() ?? 0
        let ended = contents.map { zip(bytes.reversed(), $0.reversed()).prefix { $0 == $1 }.count }.max() ?? 0
        return begun + ended >= bytes.count
    }

    /// The beginning of a content, with or without the end of the one that it is written over.
    static func isFragment(_ bytes: [UInt8], of whole: [UInt8], over old: [UInt8]) -> Bool {
        if bytes == whole { return false }
        if bytes.isEmpty { return true }
        if bytes == old { return false }
        let written = zip(bytes, whole).prefix { $0 == $1 }.count
        if written == bytes.count { return true }
        guard bytes.count == max(old.count, written) else { return false }
        let kept = zip(bytes.reversed(), old.reversed()).prefix { $0 == $1 }.count
        return written + kept >= bytes.count
    }

    /// Parts of a content at their places in the one that it is written over, in any order.
    static func isPatched(_ bytes: [UInt8], by whole: [UInt8], over old: [UInt8]) -> Bool {
        guard bytes != whole, bytes != old, bytes.count >= old.count,
            bytes.count <= max(old.count, whole.count)
        else { return false }
        return bytes.indices.allSatisfy { index in
            // What is skipped after the end is zero.
            let kept = index < old.count ? old[index] : 0
            return bytes[index] == kept || index < whole.count && bytes[index] == whole[index]
        }
    }
}
