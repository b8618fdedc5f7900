import Model

extension Checker {
    /// The state between one read and the next.
    private struct Memory {
        /// For each location, the steps at which edits were last displaced from it.
        var displaced: [Int: [Int: Int]] = [:]
        /// The last version that each reader got from a location, and the step.
        var lastRead: [Int: (version: Int, step: Int)] = [:]
        /// Since when all agents are idle, and the documents that they hold.
        var quietSince: Int?
        var busy: Set<Int> = []
        var held: [Int: Int] = [:]
        /// Of the half-written contents that were read.
        var resemblances: [Int: Resemblance] = [:]
    }

    mutating func checkReads() {
        var memory = Memory()
        memory.busy = []
        for (number, step) in history.steps.enumerated() {
            if step.what == .read, !history.isAgent(step.lane) {
                judgement.reads += 1
                judge(number, step, &memory)
            }
            follow(number, step, &memory)
        }
    }

    private var whole: Set<Int> {
        intended.union(history.start.flatMap { [$0.app, $0.group] }).subtracting([History.absent])
    }

    private func follow(_ number: Int, _ step: Step, _ memory: inout Memory) {
        if history.isAgent(step.lane) {
            if step.what == .idle {
                memory.busy.remove(step.lane)
                memory.held[step.lane] = step.held
                if memory.busy.isEmpty { memory.quietSince = number }
            } else {
                memory.busy.insert(step.lane)
                memory.quietSince = nil
            }
        }
        guard step.what == .changed, let document = step.document, let side = step.side else { return }
        if !history.isAgent(step.lane) { memory.quietSince = nil }
        let after = edits(step.version)
        for edit in edits(step.before) where !after.contains(edit) {
            memory.displaced[place(document, side), default: [:]][edit] = number
        }
    }

    private mutating func judge(_ number: Int, _ step: Step, _ memory: inout Memory) {
        guard let document = step.document, let side = step.side, let version = step.version else { return }
        if isTorn(version) {
            let resemblance = memory.resemblances[version] ?? Resemblance(of: version, to: whole, history)
            memory.resemblances[version] = resemblance
            judgement.anomalies.append(torn(number, step, version, resemblance))
        }
        let reader = place(document, side) << 8 | step.lane
        let previous = memory.lastRead[reader]
        memory.lastRead[reader] = (version, number)
        guard !isTorn(version) else { return }
        let began = step.call.map { history.calls[$0].first } ?? number
        let known = Set(edits(version))
        var missing: [(edit: Int, saved: Int)] = []
        for (edit, at) in acknowledged where at.step < began && !known.contains(edit) {
            let call = history.calls[at.call]
            guard call.document == document, isVisible(call, to: step.lane), !isGone(edit, by: number) else {
                continue
            }
            missing.append((edit, at.step))
        }
        missing.sort { $0.edit < $1.edit }
        judgeMissing(missing, number, step, memory)
        if let previous { judgeOrder(previous, number, step, memory) }
        if let taken = takenBack(number, step) { judgement.anomalies.append(dirty(number, step, taken)) }
    }

    private func isVisible(_ call: Call, to reader: Int) -> Bool {
        !call.isNewestOnly || history.lanes[reader].version == history.lanes[call.lane].version
    }

    /// A program removed it on purpose, or it is in a conflict copy.
    private func isGone(_ edit: Int, by step: Int) -> Bool {
        superseded[edit].map { $0 <= step } ?? false || history.rest?.kept.contains(edit) == true
    }

    // MARK: Stale reads

    private mutating func judgeMissing(
        _ missing: [(edit: Int, saved: Int)],
        _ number: Int,
        _ step: Step,
        _ memory: Memory
    ) {
        guard let document = step.document, let side = step.side else { return }
        let isHeld = memory.held.values.contains { $0 & (1 << document) != 0 }
        if let quiet = memory.quietSince, !isHeld, !missing.isEmpty, missing.allSatisfy({ $0.saved < quiet })
        {
            judgement.anomalies.append(stale(missing, number, step))
            return
        }
        for (edit, saved) in missing {
            guard let displaced = memory.displaced[place(document, side)]?[edit], displaced > saved else {
                continue
            }
            judgeOvertaken(edit, displaced, number, step)
        }
    }

    /// An exchange displaced the edit: it must be back before the agent is idle.
    private mutating func judgeOvertaken(_ edit: Int, _ displaced: Int, _ number: Int, _ step: Step) {
        guard history.isAgent(history.steps[displaced].lane) else { return }
        let later = history.steps.indices.dropFirst(number + 1)
        let back = later.first { index in
            let one = history.steps[index]
            return one.what == .changed && one.document == step.document && one.side == step.side
                && edits(one.version).contains(edit)
        }
        // An edit that never comes back is reported as lost.
        guard let back else { return }
        judgement.overtakenReads += 1
        let time = history.steps[back].time - history.steps[displaced].time
        judgement.longestOvertaking = max(judgement.longestOvertaking, time)
        let rested = history.steps[displaced..<back].contains { $0.what == .idle }
        if rested { judgement.anomalies.append(overtaken(edit, displaced, back, number, step)) }
    }

    private mutating func judgeOrder(
        _ previous: (version: Int, step: Int),
        _ number: Int,
        _ step: Step,
        _ memory: Memory
    ) {
        guard let document = step.document, let side = step.side, let version = step.version else { return }
        let now = edits(version)
        let lost = edits(previous.version).filter { edit in
            guard !now.contains(edit), !isGone(edit, by: number), acknowledged[edit] != nil else {
                return false
            }
            return !comesBack(edit, after: number, document, side)
        }
        let isBlink =
            version == History.absent && previous.version != History.absent
            && !history.steps[previous.step..<number].contains { one in
                one.what == .changed && one.document == document && one.version == History.absent
                    && !history.isAgent(one.lane)
            } && !isDeleted(document, before: number)
        guard !lost.isEmpty || isBlink else { return }
        judgement.anomalies.append(goneBack(previous, lost, number, step))
    }

    private func isDeleted(_ document: Int, before number: Int) -> Bool {
        history.steps[..<number].contains {
            $0.what == .changed && $0.document == document && $0.version == History.absent
                && !history.isAgent($0.lane)
        }
    }

    private func comesBack(_ edit: Int, after number: Int, _ document: Int, _ side: Side) -> Bool {
        history.steps[(number + 1)...].contains {
            $0.what == .changed && $0.document == document && $0.side == side
                && edits($0.version).contains(edit)
        }
    }

    // MARK: Dirty reads

    private func isTorn(_ version: Int) -> Bool {
        guard version != History.absent, !intended.contains(version) else { return false }
        return !history.versions[version].isReadable || halves.contains(version)
    }

    /// The range of steps if the turn that published this content also took it back. A name that was free for
    /// a moment does not count: a reader cannot take that for a content.
    private func takenBack(_ number: Int, _ step: Step) -> ClosedRange<Int>? {
        if step.version == History.absent { return nil }
        guard
            let put = history.steps[..<number].lastIndex(where: {
                $0.what == .changed && $0.document == step.document && $0.side == step.side
            }), history.isAgent(history.steps[put].lane),
            let back = history.steps[number...].firstIndex(where: {
                $0.what == .changed && $0.document == step.document && $0.side == step.side
            }),
            history.steps[back].call == history.steps[put].call,
            history.steps[back].version == history.steps[put].before
        else { return nil }
        return put...back
    }
}
