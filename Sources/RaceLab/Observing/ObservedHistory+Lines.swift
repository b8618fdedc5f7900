package import Model

/// A save that was told, and whose content was not seen.
struct UnseenSave {
    var side: Side
    var path: RelativePath
    var digest: Digest?
    /// The change that was seen in its stead; `nil`: nothing had changed.
    var change: Int?
    /// How many steps there were then, and what that program had told before.
    var step: Int
    var tellings: Int
}

extension ObservedHistory {
    /// A line that the program of a side wrote, after its document was read again.
    package mutating func heard(_ line: LabLine, from side: Side, at time: Duration) {
        switch line {
        case .done: evidence.programs[side].isDone = true
        case .shown(let text):
            var step = Step(.shown, Lane(side).rawValue, time)
            step.text = history.texts.count
            history.texts.append(text)
            history.steps.append(step)
        case .saved(let path, let digest):
            if evidence.programs[side].isDone { savedAfterDone(path, side) }
            saved(path, digest, from: side, at: time)
        case .read(let path, let digest):
            let document = number(of: path)
            evidence.programs[side].tellsReads = true
            // What the other side had may have been here, and overwritten before the lab could look.
            guard let version = table.number(of: digest),
                held(version, document, side)
                    || version != History.absent && held(version, document, side.other)
            else { return refuse(.readNeverThere(side, path, digest)) }
            var step = Step(.read, Lane(side).rawValue, time)
            step.document = document
            step.side = side
            step.version = version
            toldReads.append(
                ToldRead(side: side, step: history.steps.count, telling: evidence.tellings[side].count)
            )
            history.steps.append(step)
            evidence.tellings[side].append(Evidence.Telling(document: document, version: version))
        }
    }

    /// Tells the reads that were made from those that cannot have been, or may not: these prove nothing of
    /// what a program knew.
    mutating func settleReads() {
        for read in toldReads where !isMade(read) {
            let step = history.steps[read.step]
            evidence.unsureReads.insert(read.step)
            evidence.tellings[read.side][read.telling].isSure = false
            guard evidence.seesAllCalls, !isMade(read, inPart: true), let version = step.version,
                let document = step.document
            else { continue }
            let digest = version == History.absent ? nil : table[version].digest
            refuse(.readNotMade(read.side, history.documents[document], digest))
        }
        toldReads = []
    }

    /// By its system calls, where they are seen; else, whether it was in its container.
    ///
    /// - Parameter inPart: whether it suffices that it read a part of it.
    private func isMade(_ read: ToldRead, inPart: Bool = false) -> Bool {
        if evidence.seesAllCalls { return acts.contain(read, inPart: inPart) }
        let told = history.steps[read.step]
        guard let document = told.document, let version = told.version else { return true }
        return held(version, document, read.side, before: read.step)
    }

    private var acts: SeenActs { SeenActs(history: history, evidence: evidence) }

    private mutating func saved(
        _ path: RelativePath,
        _ digest: Digest?,
        from side: Side,
        at time: Duration
    ) {
        let document = number(of: path)
        let version = table.number(of: digest)
        guard let version, isSaved(version, document, side) else {
            let last = lastChange(document, side).flatMap { evidence.isTold($0) ? nil : $0 }
            unseen.append(
                UnseenSave(
                    side: side,
                    path: path,
                    digest: digest,
                    change: last,
                    step: history.steps.count,
                    tellings: evidence.tellings[side].count
                )
            )
            return
        }
        if change(to: version, document, side) == nil { overtake(document, side) }
        evidence.programs[side].tellsSaves = true
        tell(version, document, side, at: time)
        evidence.tellings[side].append(Evidence.Telling(document: document, version: version))
    }

    /// Whether it can have saved this: there was such a change, which it has not told yet, or it has saved
    /// what was there already.
    private func isSaved(_ version: Int, _ document: Int, _ side: Side) -> Bool {
        if change(to: version, document, side) != nil { return true }
        let isThere = holding[document][side] == version
        // It may have come and gone too quickly to be seen.
        let wasThere =
            lastChange(document, side) != nil
            || unseen.contains {
                $0.side == side && numbers[$0.path] == document
            }
        return isThere && (version != History.absent || wasThere)
    }

    /// The last change to that content, if no line has told it yet.
    private func change(to version: Int, _ document: Int, _ side: Side) -> Int? {
        let last = history.steps.indices.last {
            let step = history.steps[$0]
            return step.what == .changed && step.document == document && step.side == side
                && step.version == version
        }
        return last.flatMap { evidence.isTold($0) ? nil : $0 }
    }

    /// It saved what was there already: so it had saved something else before, too quickly to be seen.
    private mutating func overtake(_ document: Int, _ side: Side) {
        unseen.removeAll { save in
            let isIt = save.side == side && numbers[save.path] == document && save.change == nil
            if isIt { evidence.unseenSaves += 1 }
            return isIt
        }
    }

    /// It was not done. From now on it may save until it tells, or ends, once more.
    mutating func savedAfterDone(_ path: RelativePath, _ side: Side) {
        evidence.programs[side].over = nil
        let doubt = ObservationDoubt.savedAfterDone(side, path)
        if !unfounded.contains(doubt) { refuse(doubt) }
    }

    /// Whether that side is known to have had such a content.
    func hasHeld(_ path: RelativePath, _ side: Side, _ digest: Digest?) -> Bool {
        guard let document = numbers[path], let version = table.number(of: digest) else { return false }
        return held(version, document, side)
    }

    /// Tells the saves that were overwritten before they could be read from those that never were.
    ///
    /// The one that overwrote it was either a later save of the program, which it has told, or a content that
    /// the bridge brought.
    mutating func settleUnseenSaves() {
        for save in unseen {
            let isOvertaken = save.change.map { change in
                guard let document = history.steps[change].document,
                    let version = history.steps[change].version
                else { return false }
                return evidence.isTold(change)
                    || version != History.absent && held(version, document, save.side.other, before: change)
            }
            let isSeen = !evidence.seesAllCalls || acts.hasChanged(save.path, save.side)
            if isOvertaken == true, isSeen {
                evidence.unseenSaves += 1
                evidence.programs[save.side].tellsSaves = true
            } else {
                settleEarly(save)
            }
        }
        unseen = []
    }

    /// Where the program saved only after it had told so, its line counts as of then.
    private mutating func settleEarly(_ save: UnseenSave) {
        let document = number(of: save.path)
        let later = history.steps.indices.dropFirst(save.step).first { number in
            let step = history.steps[number]
            return step.what == .changed && step.document == document && step.side == save.side
                && step.version == table.number(of: save.digest) && !evidence.isTold(number)
        }
        guard let later, let version = history.steps[later].version else {
            return refuse(.saveNeverThere(save.side, save.path, save.digest))
        }
        // A bridge may have brought that.
        guard !held(version, document, save.side.other, before: later) else {
            return refuse(.saveToldEarly(save.side, save.path, save.digest, step: later))
        }
        evidence.programs[save.side].tellsSaves = true
        for (step, count) in evidence.saves
        where history.steps[step].side == save.side && count >= save.tellings {
            evidence.saves[step] = count + 1
        }
        evidence.tellings[save.side].insert(
            Evidence.Telling(document: document, version: version),
            at: save.tellings
        )
        for place in toldReads.indices
        where toldReads[place].side == save.side && toldReads[place].telling >= save.tellings {
            toldReads[place].telling += 1
        }
        evidence.saves[later] = save.tellings
        tellWhole(later)
    }

    /// Tells the saves that were made from those that another program made, by their system calls.
    mutating func settleSaves() {
        for save in toldSaves where evidence.seesAllCalls && !acts.contain(save, among: toldSaves) {
            let step = history.steps[save.step]
            guard let telling = evidence.saves.removeValue(forKey: save.step), let document = step.document
            else { continue }
            evidence.tellings[save.side][telling].isSure = false
            let isGone = step.version == History.absent
            let digest = isGone ? nil : step.version.map { table[$0].digest }
            refuse(.saveNotMade(save.side, history.documents[document], digest))
        }
        toldSaves = []
    }

    private static let mostUnfounded = 10

    private mutating func refuse(_ doubt: ObservationDoubt) {
        unfoundedCount += 1
        if unfounded.count < Self.mostUnfounded { unfounded.append(doubt) }
    }

    /// The first ones, and how many there were, where not each is listed.
    var unfoundedDoubts: [ObservationDoubt] {
        unfounded + (unfoundedCount > unfounded.count ? [.neverThere(unfoundedCount)] : [])
    }

    /// The last change was made while these files were locked.
    mutating func changedUnder(_ locked: Set<UInt64>, _ path: RelativePath, _ side: Side) {
        if !locked.isEmpty, let change = lastChange(number(of: path), side) { locks[change] = locked }
    }

    private func lastChange(_ document: Int, _ side: Side) -> Int? {
        history.steps.lastIndex { $0.what == .changed && $0.document == document && $0.side == side }
    }

    /// - Parameter end: only what was there before this step counts.
    private func held(_ version: Int, _ document: Int, _ side: Side, before end: Int = .max) -> Bool {
        history.start[document][side] == version
            || history.steps.prefix(end).contains {
                $0.what == .changed && $0.document == document && $0.side == side && $0.version == version
            }
    }

    /// The last change to that content is the program's.
    private mutating func tell(_ version: Int, _ document: Int, _ side: Side, at time: Duration) {
        guard let change = change(to: version, document, side) else { return }
        toldSaves.append(ToldSave(side: side, step: change, time: time))
        evidence.saves[change] = evidence.tellings[side].count
        tellWhole(change)
    }

    /// A content that was told is whole, whatever it is.
    private mutating func tellWhole(_ change: Int) {
        guard history.steps[change].call == nil, history.steps[change].version != History.absent else {
            return
        }
        history.steps[change].call = history.calls.count
        history.calls.append(save(history.steps[change], change))
    }
}

extension ObservedHistory.Lane {
    /// Of the program of a side.
    init(_ side: Side) { self = side == .app ? .app : .group }
}
