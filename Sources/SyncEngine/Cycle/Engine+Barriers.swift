package import Model
import Replica
import StateStore

/// The condition of a barrier, and whether everything is in sync.
extension Engine {
    /// Begins the barrier over these documents, or over all. `false` while not all documents are listed, or
    /// the bridge is halted: the pending changes are unknown then.
    package mutating func beginBarrier(_ number: UInt64, over documents: Set<RelativePath>? = nil) -> Bool {
        guard halt == nil, !scanner.isWanted else { return false }
        func isAsked(_ path: RelativePath) -> Bool { documents?.contains(path) ?? true }
        let waiting = debounceQueue.waiting.filter { debounceQueue.isQueued($0) || !isHeld($0) }
        barriers.begin(
            number,
            over: Set((waiting + writers.readerLog.questioned).filter(isAsked)),
            Set(writers.displacedFiles.places { isAsked($0.document) })
        )
        return true
    }

    /// Whether all that was pending is in sync or held, also saves in files that a program keeps open, if
    /// `includesOpenFiles`. Documents dropped by a halt must be listed again first.
    package func hasPassed(barrier number: UInt64, includesOpenFiles isWhole: Bool = true) -> Bool {
        guard halt == nil, !scanner.isWanted, isRecorded, replicas.deadline != .zero else { return false }
        let unexamined = writers.displacedFiles.places { !isExcused($0) || isWhole && $0.save != nil }
        return barriers.hasPassed(number, unexamined: unexamined) { isWaiting($0) }
    }

    package mutating func endBarrier(_ number: UInt64) { barriers.end(number) }

    /// Whether nothing is pending except held documents with retries, and files that a program keeps open.
    package var isSettled: Bool {
        !writers.readerLog.hasQuestions && !scanner.isWanted && !debounceQueue.isDue && isRecorded
            && !writers.displacedFiles.contains { !isExcused($0) } && replicas.deadline == nil
            && debounceQueue.waiting.allSatisfy { isHeld($0) }
    }

    /// Whether the journal and the requests have all results of this run, and of a killed one.
    private var isRecorded: Bool {
        journal.isEmpty && scanner.isResumed && !intents.hasUnmade && pendingResults.changes.isEmpty
    }

    package func isWaiting(_ path: RelativePath) -> Bool {
        debounceQueue.isQueued(path) || writers.readerLog.isAsking(about: path)
            || debounceQueue.isScheduled(path) && !isHeld(path)
    }

    private func isExcused(_ displaced: DisplacedFile) -> Bool {
        if displaced.isHeldOpen || displaced.isTooLarge { return true }
        return displaced.isUnrecognized && (displaced.isLeftover || isHeld(displaced.document))
    }

    package func isHeld(_ path: RelativePath) -> Bool {
        holds[path].map { !$0.isPending } ?? (viewPublisher.problem(of: path) != nil)
    }
}
