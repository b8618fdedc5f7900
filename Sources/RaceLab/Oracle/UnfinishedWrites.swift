import Model

/// Marks contents that are JSON, and still only a part of a write: of the new bytes and the old ones.
struct UnfinishedWrites {
    private(set) var history: History
    /// The steps of changes that may have been such a part.
    private(set) var unclear: [Int] = []

    init(_ observed: History, _ evidence: Evidence) {
        history = observed
        // A program reported that it had saved that content.
        let reported = Set(evidence.saves.keys.compactMap { observed.steps[$0].version })
        for document in observed.documents.indices {
            for side in Side.allCases {
                let changes = observed.steps.indices.filter { number in
                    let step = observed.steps[number]
                    return step.what == .changed && step.document == document && step.side == side
                }
                var before = observed.start[document][side]
                for (change, next) in zip(changes, changes.dropFirst()) {
                    let version = observed.steps[change].version ?? History.absent
                    let isOpen = evidence.unfinished.contains(change)
                    let isUnreported =
                        evidence.programs[side].reportsSaves && !evidence.isReported(change)
                        && evidence.isReported(next)
                    let isWhole = reported.contains(version) || isRenamed(version, side, change, evidence)
                    let isPart = !isWhole && isPart(version, of: next, over: before, inOrder: !isOpen)
                    if isOpen || isUnreported, isPart {
                        history.versions[version].isReadable = false
                        drop(version)
                        continue
                    }
                    before = version
                    let isUnclear = evidence.maybeUnfinished.contains(change)
                    if isUnclear, isPart, !evidence.isReported(change) { unclear.append(change) }
                }
            }
        }
    }

    /// Whether a file with that content took the name. On the other side, a bridge may do that with what it
    /// finds half written.
    private func isRenamed(_ version: Int, _ side: Side, _ change: Int, _ evidence: Evidence) -> Bool {
        evidence.renamed.contains { number in
            let step = history.steps[number]
            return step.version == version && (step.side == side || number < change)
        }
    }

    /// - Parameter inOrder: it is not seen that the program writes on; two saves may look like parts that
    ///   were written in another order.
    private func isPart(_ version: Int, of next: Int, over before: Int, inOrder: Bool) -> Bool {
        guard version != History.absent, before != History.absent, let whole = history.steps[next].version
        else {
            return false
        }
        let (bytes, old) = (history.versions[version].bytes, history.versions[before].bytes)
        let new = history.versions[whole].bytes
        return Fragment.isFragment(bytes, of: new, over: old)
            || !inOrder && Fragment.isPatched(bytes, by: new, over: old)
    }

    /// It is no save.
    private mutating func drop(_ version: Int) {
        for number in history.steps.indices where history.steps[number].version == version {
            if history.steps[number].what == .changed { history.steps[number].call = nil }
        }
        for number in history.calls.indices where history.calls[number].intends == version {
            history.calls[number].intends = nil
        }
    }
}
