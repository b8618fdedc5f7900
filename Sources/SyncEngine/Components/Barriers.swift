package import Model
import Replica

/// Requests that wait until all earlier saves are in sync, by their numbers.
///
/// A barrier waits for the changes that were pending when it began, and for no later ones: programs that save
/// all the time do not block it. The component keeps what each barrier still waits for.
package struct Barriers: Sendable {
    private var barriers: [UInt64: Barrier] = [:]

    private struct Barrier: Sendable {
        /// Documents that were not read since, or were neither in sync nor held then.
        var documents: Set<RelativePath>
        /// Displaced files that were not examined since: each may have a save that must be merged first.
        var displaced: Set<Location>
    }

    package init() {}

    /// Begins a barrier for these pending documents and displaced files.
    package mutating func begin(
        _ number: UInt64,
        over documents: Set<RelativePath>,
        _ displaced: Set<Location>
    ) {
        barriers[number] = Barrier(documents: documents, displaced: displaced)
    }

    package mutating func end(_ number: UInt64) { barriers[number] = nil }

    /// The document was read, and is in sync or held. Later changes do not concern the barrier.
    package mutating func pass(_ document: RelativePath) {
        // Iterates over a copy of the numbers: while the dictionary's own are held, each removal would copy a
        // whole barrier.
        for number in Array(barriers.keys) { barriers[number]?.documents.remove(document) }
    }

    /// The content of a displaced file was merged: its document must be synced once more.
    package mutating func hold(for displaced: Location, of document: RelativePath) {
        for number in Array(barriers.keys) where barriers[number]?.displaced.remove(displaced) != nil {
            barriers[number]?.documents.insert(document)
        }
    }

    /// Whether none of its documents is pending, and all of its displaced files are examined.
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
