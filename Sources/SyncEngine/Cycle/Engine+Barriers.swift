package import Model
import StateStore

/// What a barrier waits for, and whether everything is in sync.
extension Engine {
    /// Begins the barrier of that number over all documents, or only over these. `false` while all documents
    /// have yet to be listed, or the bridge is halted: what is waiting is not known then.
    package mutating func beginBarrier(_ number: UInt64, over documents: Set<RelativePath>? = nil) -> Bool {
        guard halt == nil, !scanner.isWanted else { return false }
        func isAsked(_ path: RelativePath) -> Bool { documents?.contains(path) ?? true }
        let waiting = debounceQueue.waiting.filter { debounceQueue.isQueued($0) || !isHeld($0) }
        barriers.begin(
            number,
            over: Set((waiting + writers.accessLog.questioned).filter(isAsked)),
            Set(writers.displacedFiles.places { isAsked($0.document) })
        )
        return true
    }

    /// All that was waiting is in sync or held. What a halt has dropped is listed again first.
    package func hasPassed(barrier number: UInt64) -> Bool {
        guard halt == nil, !scanner.isWanted, isRecorded else { return false }
        let unexamined = writers.displacedFiles.places { !isExcused($0) }
        return barriers.hasPassed(number, unexamined: unexamined) { isWaiting($0) }
    }

    package mutating func endBarrier(_ number: UInt64) { barriers.end(number) }

    /// Nothing is waiting but documents that are held, and those only for another try, and files that a
    /// program keeps open.
    package var isSettled: Bool {
        !writers.accessLog.hasQuestions && !scanner.isWanted && !debounceQueue.isDue && isRecorded
            && !writers.displacedFiles.contains { !isExcused($0) }
            && debounceQueue.waiting.allSatisfy { isHeld($0) }
    }

    /// Nothing that was achieved, or left by a run that was killed, has yet to be told, to the journal or to
    /// whoever asked for it.
    private var isRecorded: Bool {
        journal.isEmpty && scanner.isResumed && !creations.hasUnmade && beside.changes.isEmpty
    }

    private func isWaiting(_ path: RelativePath) -> Bool {
        debounceQueue.isQueued(path) || writers.accessLog.isAsking(about: path)
            || debounceQueue.isScheduled(path) && !isHeld(path)
    }

    private func isExcused(_ displaced: DisplacedFile) -> Bool {
        if displaced.isHeldOpen || displaced.isTooLarge { return true }
        return displaced.isUnrecognized && (displaced.isLeftover || isHeld(displaced.document))
    }

    private func isHeld(_ path: RelativePath) -> Bool {
        holds[path].map { !$0.isPending } ?? (viewPublisher.problem(of: path) != nil)
    }
}
