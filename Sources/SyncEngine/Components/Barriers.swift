package import Model
import Replica

/// Those who wait until what was saved before they asked is in sync, by their numbers.
///
/// A barrier waits for what was waiting when it began, and for nothing that comes later: programs that save
/// without end hold nobody up. The component owns what each of them still waits for.
package struct Barriers: Sendable {
    private var barriers: [UInt64: Barrier] = [:]

    private struct Barrier: Sendable {
        /// Documents that have not been looked at since, or were neither in sync nor held when they were.
        var documents: Set<RelativePath>
        /// Displaced files that have not been examined since: each may hold a save that is to be merged
        /// first.
        var displaced: Set<Location>
    }

    package init() {}

    /// Over these documents and displaced files, which are waiting.
    package mutating func begin(
        _ number: UInt64,
        over documents: Set<RelativePath>,
        _ displaced: Set<Location>
    ) {
        barriers[number] = Barrier(documents: documents, displaced: displaced)
    }

    package mutating func end(_ number: UInt64) { barriers[number] = nil }

    /// A document was looked at, and is in sync or held. What is marked again meanwhile came later.
    package mutating func pass(_ document: RelativePath) {
        // Of a copy of the numbers: with the dictionary's own held, each removal would copy a whole barrier.
        for number in Array(barriers.keys) { barriers[number]?.documents.remove(document) }
    }

    /// What a displaced file held was merged: its document has to cross once more.
    package mutating func hold(for displaced: Location, of document: RelativePath) {
        for number in Array(barriers.keys) where barriers[number]?.displaced.remove(displaced) != nil {
            barriers[number]?.documents.insert(document)
        }
    }

    /// None of its documents is waiting any more, and none of its displaced files is unexamined.
    package func hasPassed(
        _ number: UInt64,
        unexamined: [Location],
        isWaiting: (RelativePath) -> Bool
    ) -> Bool {
        guard let barrier = barriers[number] else { return false }
        return !barrier.documents.contains(where: isWaiting)
            && !unexamined.contains(where: barrier.displaced.contains)
    }
}
