package import Model

/// A save that was reported, and whose content was not seen.
struct UnseenSave {
    var side: Side
    var path: RelativePath
    var digest: Digest?
    /// The change that was seen in its stead; `nil`: nothing had changed.
    var change: Int?
    /// How many steps there were then, and how much that program had reported before.
    var step: Int
    var reports: Int
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
            evidence.programs[side].reportsReads = true
            // What the other side had may have been here, and overwritten before the lab could look.
            guard let version = table.number(of: digest),
                held(version, document, side)
                    || version != History.absent && held(version, document, side.other)
            else { return refuse(.readNeverThere(side, path, digest)) }
            var step = Step(.read, Lane(side).rawValue, time)
            step.document = document
            step.side = side
            step.version = version
            reportedReads.append(
                ReportedRead(side: side, step: history.steps.count, report: evidence.readReports[side].count)
            )
            history.steps.append(step)
            evidence.readReports[side].append(Evidence.ReadReport(document: document, version: version))
        }
    }

    /// Distinguishes the reads that were made from those that cannot have been, or may not: these prove
    /// nothing of what a program knew.
    mutating func settleReads() {
        for read in reportedReads where !isMade(read) {
            let step = history.steps[read.step]
            evidence.unsureReads.insert(read.step)
            evidence.readReports[read.side][read.report].isSure = false
            guard evidence.seesAllCalls, !isMade(read, inPart: true), let version = step.version,
                let document = step.document
            else { continue }
            let digest = version == History.absent ? nil : table[version].digest
            refuse(.readNotMade(read.side, history.documents[document], digest))
        }
        reportedReads = []
    }

    /// By its system calls, where they are seen; else, whether it was in its container.
    ///
    /// - Parameter inPart: whether it suffices that it read a part of it.
    private func isMade(_ read: ReportedRead, inPart: Bool = false) -> Bool {
        if evidence.seesAllCalls { return acts.contain(read, inPart: inPart) }
        let reported = history.steps[read.step]
        guard let document = reported.document, let version = reported.version else { return true }
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
            let last = lastChange(document, side).flatMap { evidence.isReported($0) ? nil : $0 }
            unseen.append(
                UnseenSave(
                    side: side,
                    path: path,
                    digest: digest,
                    change: last,
                    step: history.steps.count,
                    reports: evidence.readReports[side].count
                )
            )
            return
        }
        if change(to: version, document, side) == nil { overtake(document, side) }
        evidence.programs[side].reportsSaves = true
        report(version, document, side, at: time)
        evidence.readReports[side].append(Evidence.ReadReport(document: document, version: version))
    }

    /// Whether it can have saved this: there was such a change, which it has not reported yet, or it has
    /// saved what was there already.
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

    /// The last change to that content, if no line has reported it yet.
    private func change(to version: Int, _ document: Int, _ side: Side) -> Int? {
        let last = history.steps.indices.last {
            let step = history.steps[$0]
            return step.what == .changed && step.document == document && step.side == side
                && step.version == version
        }
        return last.flatMap { evidence.isReported($0) ? nil : $0 }
    }

    /// It saved what was there already: so it had saved something else before, too quickly to be seen.
    private mutating func overtake(_ document: Int, _ side: Side) {
        unseen.removeAll { save in
            let isIt = save.side == side && numbers[save.path] == document && save.change == nil
            if isIt { evidence.unseenSaves += 1 }
            return isIt
        }
    }

    /// The program was not done. From now on it may save until it reports `done`, or ends, once more.
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

    /// Distinguishes the saves that were overwritten before they could be read from those that never were.
    ///
    /// The one that overwrote it was either a later save of the program, which it has reported, or a content
    /// that the bridge brought.
    mutating func settleUnseenSaves() {
        for save in unseen {
            let isOvertaken = save.change.map { change in
                guard let document = history.steps[change].document,
                    let version = history.steps[change].version
                else { return false }
                return evidence.isReported(change)
                    || version != History.absent && held(version, document, save.side.other, before: change)
            }
            let isSeen = !evidence.seesAllCalls || acts.hasChanged(save.path, save.side)
            if isOvertaken == true, isSeen {
                evidence.unseenSaves += 1
                evidence.programs[save.side].reportsSaves = true
            } else {
                settleEarly(save)
            }
        }
        unseen = []
    }

    /// Where the program saved only after it had reported so, its line counts as of then.
    private mutating func settleEarly(_ save: UnseenSave) {
        let document = number(of: save.path)
        let later = history.steps.indices.dropFirst(save.step).first { number in
            let step = history.steps[number]
            return step.what == .changed && step.document == document && step.side == save.side
                && step.version == table.number(of: save.digest) && !evidence.isReported(number)
        }
        guard let later, let version = history.steps[later].version else {
            return refuse(.saveNeverThere(save.side, save.path, save.digest))
        }
        // A bridge may have brought that.
        guard !held(version, document, save.side.other, before: later) else {
            return refuse(.saveReportedEarly(save.side, save.path, save.digest, step: later))
        }
        evidence.programs[save.side].reportsSaves = true
        for (step, count) in evidence.saves
        where history.steps[step].side == save.side && count >= save.reports {
            evidence.saves[step] = count + 1
        }
        evidence.readReports[save.side].insert(
            Evidence.ReadReport(document: document, version: version),
            at: save.reports
        )
        for index in reportedReads.indices
        where reportedReads[index].side == save.side && reportedReads[index].report >= save.reports {
            reportedReads[index].report += 1
        }
        evidence.saves[later] = save.reports
        reportWhole(later)
    }

    /// Distinguishes the saves that were made from those that another program made, by their system calls.
    mutating func settleSaves() {
        for save in reportedSaves where evidence.seesAllCalls && !acts.contain(save, among: reportedSaves) {
            let step = history.steps[save.step]
            guard let report = evidence.saves.removeValue(forKey: save.step), let document = step.document
            else { continue }
            evidence.readReports[save.side][report].isSure = false
            let isGone = step.version == History.absent
            let digest = isGone ? nil : step.version.map { table[$0].digest }
            refuse(.saveNotMade(save.side, history.documents[document], digest))
        }
        reportedSaves = []
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
    private mutating func report(_ version: Int, _ document: Int, _ side: Side, at time: Duration) {
        guard let change = change(to: version, document, side) else { return }
        reportedSaves.append(ReportedSave(side: side, step: change, time: time))
        evidence.saves[change] = evidence.readReports[side].count
        reportWhole(change)
    }

    /// A content that was reported is whole, whatever it is.
    private mutating func reportWhole(_ change: Int) {
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
