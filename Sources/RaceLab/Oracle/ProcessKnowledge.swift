import Model

/// What processes of one program knew of what others of them did, by their system calls.
struct ProcessKnowledge {
    let history: History
    let evidence: Evidence

    enum Answer {
        case knew, unaware
        case unclear
        /// Which processes saved, or which of their threads knew of it, is not seen.
        case unseen(SkipReason)
    }

    /// Of programs that the lab did not start there may be any number.
    private var unseen: SkipReason {
        evidence.programs.app.isThere == nil ? .programsUnseen : .processesUnseen
    }

    /// Whether who saved at `step` knew what another process had saved at `earlier`.
    func answer(at step: Int, of earlier: Int, of document: Int, _ side: Side) -> Answer {
        guard let call = evidence.writers[step] else { return .unseen(unseen) }
        return answer(by: call, of: earlier, of: document, side)
    }

    /// - Parameter call: the call that saved.
    func answer(by call: Int, of earlier: Int, of document: Int, _ side: Side) -> Answer {
        guard let before = evidence.writers[earlier] else { return .unseen(unseen) }
        let (mine, theirs) = (author(of: call).process, author(of: before).process)
        let file = "\(side.rawValue)/\(history.documents[document])"
        guard let pair = Pair(mine, theirs) else { return answerOfThreads(call, before, file) }
        let uses = evidence.calls.indices.filter { index in
            let step = evidence.calls[index].step
            return step.call.isUse(of: file) && pair.isMine(step.process)
        }
        // Who never had it before does not save it from memory.
        guard uses.contains(where: { $0 < before }) else { return .knew }
        // A command that renames what another one has made reads nothing of it.
        let mover = evidence.calls[call].process == mine ? nil : evidence.calls[call].process
        let later = uses.filter { $0 > before && $0 < call && evidence.calls[$0].process != mover }
        if let answer = reading(later, file) { return answer }
        let since = later.map { evidence.calls[$0].step.call }
        // What is open may be mapped, and be read without a call.
        if since.contains(where: { $0.kind == .open }) && !since.contains(where: { $0.kind == .read }) {
            return .unclear
        }
        return areBesides(pair) ? .unaware : .unclear
    }

    /// The threads of a process share its memory: what another one has read, one may know.
    private func answerOfThreads(_ call: Int, _ before: Int, _ file: String) -> Answer {
        let mine = author(of: call).thread
        guard mine != author(of: before).thread else { return .knew }
        let uses = evidence.calls[..<call].indices.filter {
            evidence.calls[$0].thread == mine && evidence.calls[$0].step.call.isUse(of: file)
        }
        // Who never had it before does not save what it has read itself.
        guard uses.contains(where: { $0 < before }) else { return .knew }
        return reading(uses.filter { $0 > before }, file) ?? .unseen(.threadsUnseen)
    }

    /// Whether who made these calls knew the content that they read; `nil` if they read none. One that read a
    /// part only may have seen there what it needs.
    private func reading(_ calls: [Int], _ file: String) -> Answer? {
        let reads = calls.filter { evidence.calls[$0].step.call.sources.contains(file) }
        if reads.isEmpty { return nil }
        return evidence.partialReads.isSuperset(of: reads) ? .unclear : .knew
    }

    /// Whether the program of a side knew, when it saved at `step`, that the bridge had deleted the document.
    func answer(at step: Int, ofDeletion gone: Int, of document: Int, _ side: Side) -> Answer {
        let program = evidence.programs[side]
        if program.reportsReads {
            let reports = evidence.readReports[side].prefix(evidence.saves[step] ?? .max)
            guard let last = reports.last(where: { $0.document == document }) else { return .knew }
            if last.version != History.absent { return .unaware }
            return last.isSure ? .knew : .unclear
        }
        guard let call = evidence.writers[step], let before = evidence.writers[gone], before < call else {
            return .unseen(unseen)
        }
        let file = "\(side.rawValue)/\(history.documents[document])"
        let saver = evidence.calls[call]
        let mover = saver.process == author(of: call).process ? nil : saver.process
        let mine = evidence.calls[..<call].indices.filter {
            evidence.calls[$0].player == saver.player && evidence.calls[$0].process != mover
        }
        if mine.contains(where: { $0 > before && evidence.calls[$0].step.call.isLook(at: file) }) {
            return .knew
        }
        // Who never had it before does not save it from memory.
        return mine.contains { $0 < before && evidence.calls[$0].step.call.isUse(of: file) }
            ? .unaware : .knew
    }

    /// Whether the program of a side knew, when it saved at `step`, what the bridge had brought it.
    ///
    /// - Parameters:
    ///   - isIt: whether a content has that.
    ///   - first: the step by which it came to be.
    ///   - came: the step that brought it.
    func answer(
        at step: Int,
        ofContents isIt: (Int) -> Bool,
        since first: Int,
        broughtAt came: Int,
        of document: Int,
        _ side: Side
    ) -> Answer {
        guard evidence.seesAllCalls, let call = evidence.writers[step] else {
            return .unseen(unseen)
        }
        let saver = evidence.calls[call]
        let lane = ObservedHistory.Lane(saver.player).rawValue
        let reads = (first..<step).filter { number in
            let step = history.steps[number]
            return step.what == .fetched && step.lane == lane && step.document == document
                && step.version.map(isIt) ?? false
        }
        if !reads.isEmpty { return evidence.partialFetches.isSuperset(of: reads) ? .unclear : .knew }
        let file = "\(side.rawValue)/\(history.documents[document])"
        let mover = saver.process == author(of: call).process ? nil : saver.process
        let uses = evidence.calls[..<call].filter {
            $0.player == saver.player && $0.process != mover && $0.step.call.isUse(of: file)
        }
        // Who never had it before does not save it from memory.
        guard uses.contains(where: { $0.number <= came }) else { return .unseen(unseen) }
        // What is open may be mapped, and be read without a call.
        let since = uses.filter { $0.number > came }.map(\.step.call.kind)
        return since.contains(.open) && !since.contains(.read) ? .unclear : .unaware
    }

    /// Whether a half-written content, which that call left, is a half for who reads it with the other one.
    func isTorn(_ read: Int, of write: Int) -> Bool? {
        if evidence.calls[read].player != evidence.calls[write].player { return true }
        guard let pair = Pair(evidence.calls[read].process, author(of: write).process) else { return false }
        let isGoingOn = evidence.calls[read...].contains { pair.isTheirs($0.process) }
        let wasThere = evidence.calls[..<write].contains { pair.isMine($0.process) }
        return areBesides(pair) && (isGoingOn || wasThere) ? true : nil
    }

    /// Who made the content: who renames a file has not always written it.
    private func author(of call: Int) -> GatedStep {
        let step = evidence.calls[call].step
        guard step.call.kind == .rename, let source = step.call.paths.first else { return step }
        let writer = evidence.calls[..<call].last {
            $0.step.call.kind != .rename && $0.step.call.touched.contains(source)
        }
        return writer?.step ?? step
    }

    /// Where one descends from the other, who started it may wait for it and know what it does.
    private func areBesides(_ pair: Pair) -> Bool {
        guard let child = pair.child else { return true }
        let calls = evidence.calls
        guard let first = calls.firstIndex(where: { $0.process.isBeneath(child) }),
            let last = calls.lastIndex(where: { $0.process.isBeneath(child) })
        else { return false }
        return calls[first...last].contains {
            !$0.process.isBeneath(child) && $0.process.isBeneath(pair.ancestor ?? child)
        }
    }

    /// Two processes, each with what it started and not with the other one.
    private struct Pair {
        let ancestor: Int32?
        let mine: Int32?
        let theirs: Int32?

        /// `nil` if they are the same.
        init?(_ mine: RacedProcess, _ theirs: RacedProcess) {
            guard mine.line.first != theirs.line.first else { return nil }
            ancestor = mine.commonAncestor(with: theirs)
            self.mine = mine.branch(beneath: ancestor)
            self.theirs = theirs.branch(beneath: ancestor)
        }

        /// The one that descends from the other.
        var child: Int32? { mine == nil ? theirs : theirs == nil ? mine : nil }

        func isMine(_ process: RacedProcess) -> Bool { isOf(mine, but: theirs, process) }
        func isTheirs(_ process: RacedProcess) -> Bool { isOf(theirs, but: mine, process) }

        private func isOf(_ branch: Int32?, but other: Int32?, _ process: RacedProcess) -> Bool {
            if let branch { return process.isBeneath(branch) }
            return ancestor.map(process.isBeneath) ?? false && !(other.map(process.isBeneath) ?? false)
        }
    }
}

extension GatedCall {
    /// Whether it has to do with a file's content.
    fileprivate func isUse(of file: String) -> Bool {
        switch kind {
        case .open, .read, .openToWrite, .write, .truncate, .rename:
            paths.contains(file) || links.contains(file)
        default: false
        }
    }

    /// Whether it finds out that a file is not there, by its name or in its directory's list.
    fileprivate func isLook(at file: String) -> Bool {
        let directory = file.split(separator: "/").dropLast().joined(separator: "/")
        switch kind {
        case .stat, .open: return paths.contains(file)
        case .read: return paths.contains(file) || paths.contains(directory)
        default: return false
        }
    }
}
