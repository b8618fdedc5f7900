package import Model
package import Replica

/// Lists what lies in the containers.
///
/// Owns what a look at everything could not tell (directories that cannot be listed, names that no path can
/// say, documents that nothing can be said of yet) and when everything is looked at again. It needs the
/// replicas and no journal, and knows nothing of documents: what the names stand for is the caller's affair.
package struct Scanner: Sendable {
    /// Everything is to be listed at once.
    package private(set) var isWanted = false
    /// When what could not be reached is tried again.
    package private(set) var nextTry: Duration?
    private var delay = Self.firstRetry / 2
    /// Directories that could not be listed: what lies in them is not known.
    package private(set) var unlisted: [Location: FileError] = [:]
    /// Names a side has that are not UTF-8, so that no path can say them.
    package private(set) var unnamable: BothSides<[String]> = BothSides(app: [], group: [])
    /// Documents that a run which was killed may have brought there, where that cannot be told yet.
    private var unresumed: Set<RelativePath> = []

    private static var firstRetry: Duration { .seconds(1) }
    private static var longestRetry: Duration { .seconds(60) }

    package init() {}

    // MARK: When

    package mutating func want() { isWanted = true }

    /// Somebody asks: what could not be listed is tried at once.
    package mutating func retry() { if !unlisted.isEmpty { isWanted = true } }

    package func isDue(at now: Duration) -> Bool { isWanted || nextTry.map { $0 <= now } == true }

    /// After a look at everything. `isReachable`: both containers were listed.
    package mutating func plan(at now: Duration, isReachable: Bool) {
        if !isReachable {
            nextTry = now + Self.firstRetry
        } else if !unlisted.isEmpty || !unresumed.isEmpty {
            delay = min(delay * 2, Self.longestRetry)
            nextTry = now + delay
        } else {
            delay = Self.firstRetry / 2
            nextTry = nil
        }
    }

    /// After a look at a part: what could not be listed there is tried again, too.
    package mutating func planIfUnlisted(at now: Duration, isReachable: Bool) {
        if !unlisted.isEmpty, nextTry == nil { plan(at: now, isReachable: isReachable) }
    }

    // MARK: What is not known

    /// Everything that lies in the containers is known.
    package var isComplete: Bool { unlisted.isEmpty && !isWanted }

    /// It lies in a directory that could not be listed.
    package func isUnlisted(_ path: RelativePath, on side: Side) -> Bool {
        unlisted.keys.contains { $0.side == side && path.isInside($0.path) }
    }

    /// What a run that was killed has done to it cannot be told before the next look at everything.
    package mutating func note(unresumed document: RelativePath, at now: Duration) {
        unresumed.insert(document)
        nextTry = nextTry ?? now + Self.firstRetry
    }

    package func isUnresumed(_ document: RelativePath) -> Bool { unresumed.contains(document) }

    package var isResumed: Bool { unresumed.isEmpty }

    // MARK: Listing

    /// Before everything is listed: what was not known may be now.
    package mutating func begin() {
        isWanted = false
        unlisted = [:]
        unresumed = []
        unnamable = BothSides(app: [], group: [])
    }

    /// Throws where the container itself cannot be listed. A directory in it that cannot holds the documents
    /// beneath it, and stops nothing.
    package mutating func list(
        _ top: RelativePath?,
        on side: Side,
        in replicas: inout BothSides<any Replica>
    ) throws(FileError) -> ReplicaListing {
        let listing = try replicas[side].list(top)
        for (path, error) in listing.unlisted { unlisted[Location(side, path)] = error }
        for name in listing.unnamable { note(name, on: side) }
        return listing
    }

    /// A watcher has seen a name that is not UTF-8 there: the directory tells which such names it has now.
    package mutating func note(unnamable name: String, on replica: any Replica) {
        let above = name.split(separator: "/").dropLast().joined(separator: "/")
        let prefix = above.isEmpty ? "" : above + "/"
        unnamable[replica.side].removeAll {
            $0.hasPrefix(prefix) && !$0.dropFirst(prefix.count).contains("/")
        }
        for name in replica.unnamable(in: RelativePath(above)) { note(name, on: replica.side) }
    }

    private mutating func note(_ name: String, on side: Side) {
        if !unnamable[side].contains(name) { unnamable[side].append(name) }
    }
}
