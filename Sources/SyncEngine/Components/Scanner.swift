package import DirectoryReplica
package import FileSystem
package import Model

/// Lists what lies in the containers.
///
/// Owns what a look at everything could not tell (directories that cannot be listed, names that no path can
/// say, documents that nothing can be said of yet) and when everything is looked at again. It needs the disk
/// and no journal, and knows nothing of documents: what the names stand for is the caller's affair.
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

    /// What lies in a directory, and in those beneath it.
    package struct Listing: Sendable {
        /// All but directories, and what a dot hides, in the order they were found.
        package var files: [RelativePath] = []
        /// What a run has left.
        package var temporaries: [(Location, TemporaryName)] = []
    }

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
        in files: any FileSystem,
        _ caseFolding: inout CaseFolding
    ) throws(FileError) -> Listing {
        var listing = Listing()
        var waiting = [Directory(Root(side), top)]
        while let directory = waiting.popLast() {
            let entries: [DirectoryEntry]
            do throws(FileError) {
                entries = try files.list(directory)
            } catch {
                guard let path = directory.path else { throw error }
                if case .noDirectory = error { continue }
                unlisted[Location(side, path)] = error
                continue
            }
            caseFolding.note(directory, in: files)
            for entry in entries {
                guard let name = String(validating: entry.bytes, as: UTF8.self) else {
                    note(unnamable: entry, in: directory, side)
                    continue
                }
                guard let path = RelativePath.child(of: directory.path, name) else { continue }
                let place = Location(side, path)
                if let temporary = TemporaryName(name) { listing.temporaries.append((place, temporary)) }
                if name.hasPrefix(".") { continue }
                if (entry.kind ?? (try? files.status(of: place).kind)) == .directory {
                    waiting.append(Directory(Root(side), path))
                } else {
                    listing.files.append(path)
                }
            }
        }
        return listing
    }

    /// A watcher has seen a name that is not UTF-8 there: the directory tells which such names it has now.
    package mutating func note(unnamable name: String, on side: Side, in files: any FileSystem) {
        let parts = name.split(separator: "/")
        let above = parts.dropLast().joined(separator: "/")
        let directory = Directory(Root(side), RelativePath(above))
        let prefix = above.isEmpty ? "" : above + "/"
        unnamable[side].removeAll { $0.hasPrefix(prefix) && !$0.dropFirst(prefix.count).contains("/") }
        for entry in (try? files.list(directory)) ?? []
        where String(validating: entry.bytes, as: UTF8.self) == nil {
            note(unnamable: entry, in: directory, side)
        }
    }

    private mutating func note(unnamable entry: DirectoryEntry, in directory: Directory, _ side: Side) {
        guard entry.bytes.suffix(5).elementsEqual(".json".utf8) else { return }
        let name = directory.path.map { "\($0)/\(escaped(entry.bytes))" } ?? escaped(entry.bytes)
        if !unnamable[side].contains(name) { unnamable[side].append(name) }
    }
}
