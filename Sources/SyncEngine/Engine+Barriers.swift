package import Reconciliation
import Storage

/// What was waiting when somebody asked to be told that everything up to then is in sync.
struct Barrier: Sendable {
    /// Documents that have not been looked at since, or were neither in sync nor held when they were.
    var documents: Set<RelativePath>
    /// Displaced files that have not been examined since: each may hold a save that is to be merged first.
    var displaced: Set<Location>
}

/// A barrier waits for what was waiting when it began, and for nothing that comes later: programs that save
/// without end hold nobody up.
extension Engine {
    /// Begins the barrier of that number over all documents, or only over these. `false` while all documents
    /// have yet to be listed, or the bridge is halted: what is waiting is not known then.
    package mutating func beginBarrier(_ number: UInt64, over documents: Set<RelativePath>? = nil) -> Bool {
        guard halt == nil, !wantsScan else { return false }
        func isAsked(_ path: RelativePath) -> Bool { documents?.contains(path) ?? true }
        let waiting = debounceQueue.waiting.filter { debounceQueue.isQueued($0) || !isHeld($0) }
        barriers[number] = Barrier(
            documents: Set((waiting + accessLog.questioned).filter(isAsked)),
            displaced: Set(displacedFiles.places { isAsked($0.document) })
        )
        return true
    }

    /// All that was waiting is in sync or held. What a halt has dropped is listed again first.
    package func hasPassed(barrier number: UInt64) -> Bool {
        guard let barrier = barriers[number], halt == nil, !wantsScan else { return false }
        return isRecorded && !barrier.documents.contains { isWaiting($0) }
            && !displacedFiles.contains { barrier.displaced.contains($0.place) && !isExcused($0) }
    }

    package mutating func endBarrier(_ number: UInt64) { barriers[number] = nil }

    /// A document was looked at, and is in sync or held. What is marked again meanwhile came later.
    mutating func passBarriers(_ path: RelativePath) {
        // Of a copy of the numbers: with the dictionary's own held, each removal would copy a whole barrier.
        for number in Array(barriers.keys) { barriers[number]?.documents.remove(path) }
    }

    /// What a displaced file held was merged: its document has to cross once more.
    mutating func holdBarriers(for displaced: DisplacedFile) {
        for number in Array(barriers.keys) where barriers[number]?.displaced.remove(displaced.place) != nil {
            barriers[number]?.documents.insert(displaced.document)
        }
    }

    /// Nothing is waiting but documents that are held, and those only for another try, and files that a
    /// program keeps open.
    package var isSettled: Bool {
        !accessLog.hasQuestions && !wantsScan && !debounceQueue.isDue && isRecorded
            && !displacedFiles.contains { !isExcused($0) }
            && debounceQueue.waiting.allSatisfy { isHeld($0) }
    }

    /// Nothing that was achieved, or left by a run that was killed, has yet to be told, to the journal or to
    /// whoever asked for it.
    private var isRecorded: Bool {
        journal.isEmpty && unresumed.isEmpty && !creations.hasUnmade && beside.changes.isEmpty
    }

    private func isWaiting(_ path: RelativePath) -> Bool {
        debounceQueue.isQueued(path) || accessLog.isAsking(about: path)
            || debounceQueue.isScheduled(path) && !isHeld(path)
    }

    private func isExcused(_ displaced: DisplacedFile) -> Bool {
        if displaced.isHeldOpen || displaced.isTooLarge { return true }
        return displaced.isUnrecognized && (displaced.isLeftover || isHeld(displaced.document))
    }

    private func isHeld(_ path: RelativePath) -> Bool {
        holds[path].map { !$0.isPending } ?? (viewProblems[path] != nil)
    }
}
