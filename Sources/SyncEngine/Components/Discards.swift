package import Model
package import Replica
package import StateStore

/// Displaced files on their way to the trash.
///
/// It keeps the files to move, the directories that may become empty, the files that the trash rejected with
/// the time of the next try, and the trash's limits. It writes to the given state directory, and returns the
/// entries for the journal.
package struct Discards: Sendable {
    private var waiting: [(place: Location, digest: Digest, isKept: Bool)] = []
    /// Files removed from directories that may be empty now, or that were never put there.
    private var emptied: [Location] = []
    private var stuck: [Location: Stuck] = [:]
    private var nextTry = Duration.zero
    private var attempts = 0
    private var trash: TrashKeeper
    /// The state of the trash in the journal.
    private var recorded: String?
    /// Contents that this run stored as originals of a migration: these need not go to the trash as well.
    private var originals: Set<Digest> = []
    /// In bytes; the size limit of a document.
    private let limit: Int

    /// A file that the trash rejected.
    private struct Stuck: Sendable {
        /// Its content at that time: a save with that content was merged, and must not be merged again.
        let digest: Digest
        let error: FileError
    }

    /// `recorded`: the state of the trash in the journal.
    package init(recorded: String?, _ limits: TrashLimits, limit: Int) {
        self.recorded = recorded
        self.limit = limit
        trash = TrashKeeper(text: recorded ?? "", limits)
    }

    // MARK: On the way

    /// The next `flush` moves it to the trash. `isKept`: a document still has its content, so it is removed.
    package mutating func add(_ place: Location, _ digest: Digest, isKept: Bool = false) {
        waiting.append((place, digest, isKept))
    }

    /// The next `flush` removes the directory if it is empty.
    package mutating func addEmptied(_ place: Location) { emptied.append(place) }

    package var hasEmptied: Bool { !emptied.isEmpty }

    /// Moves the files to the trash, then removes directories that are empty. A file that the trash rejects
    /// stays where it is.
    package mutating func flush(in state: StateDirectory, from replicas: inout BothSides<any Replica>) {
        moveToTrash(in: state) { [replicas] in replicas[of: $0] }
        removeEmptied(from: &replicas)
    }

    /// The same without removing directories. `replica`: the replica of a location.
    package mutating func moveToTrash(in state: StateDirectory, from replica: (Location) -> any Replica) {
        for (place, digest, isKept) in waiting {
            do throws(FileError) {
                if isKept {
                    try replica(place).remove(place)
                } else {
                    try discard(place, digest, limit: limit, in: state, from: replica(place))
                }
            } catch .missing {
                // Another program removed the file.
            } catch {
                stuck[place] = Stuck(digest: digest, error: error)
            }
        }
        waiting.removeAll(keepingCapacity: true)
    }

    /// Once per directory, not per file: on some file systems the check reads the whole directory.
    private mutating func removeEmptied(from replicas: inout BothSides<any Replica>) {
        var tried: Set<Directory> = []
        for place in emptied where tried.insert(place.directory).inserted {
            replicas[of: place].removeEmptyDirectories(from: place.path.directory)
        }
        emptied.removeAll(keepingCapacity: true)
    }

    /// Moves one file at once. `limit`: for a file above the size limit of documents.
    package mutating func discard(
        _ place: Location,
        _ digest: Digest,
        limit: Int? = nil,
        in state: StateDirectory,
        from replicas: BothSides<any Replica>
    ) throws(FileError) {
        let limit = limit ?? self.limit
        try discard(place, digest, limit: limit, in: state, from: replicas[of: place])
    }

    private mutating func discard(
        _ place: Location,
        _ digest: Digest,
        limit: Int,
        in state: StateDirectory,
        from replica: any Replica
    ) throws(FileError) {
        if place.side != nil, !replica.hasFiles {
            return try discard(place, digest, in: state, outOf: replica)
        }
        if originals.contains(digest) { return try state.remove(place) }
        try trash.discard(place, digest: digest, limit: limit, in: state)
    }

    /// For a replica without files: stores the bytes, then removes them there.
    private mutating func discard(
        _ place: Location,
        _ digest: Digest,
        in state: StateDirectory,
        outOf replica: any Replica
    ) throws(FileError) {
        if !originals.contains(digest) {
            try trash.keep(try replica.contents(of: place, limit: limit), digest: digest, in: state)
        }
        try replica.remove(place)
    }

    /// Stores the base of what a program may still save in the file.
    package mutating func keepBase(of open: inout DisplacedFile, in state: StateDirectory) {
        guard !open.isBaseKept, let base = open.base else { return }
        do throws(FileError) {
            try trash.keep(base, digest: Digest(of: base), in: state)
            open.isBaseKept = true
        } catch {
            // Tried again with the next examination.
        }
    }

    /// The temporary files of a document that wait for the trash, or were rejected.
    package func temporaries(of document: Location) -> [Location] {
        (waiting.map(\.place) + stuck.keys).filter { $0.isTemporary(of: document) }
            .sorted { $0.path < $1.path }
    }

    package var hasOriginals: Bool { !originals.isEmpty }
    package mutating func addOriginals(_ digests: some Sequence<Digest>) { originals.formUnion(digests) }

    // MARK: Rejected files

    /// When to try the trash again.
    package var deadline: Duration? { stuck.isEmpty ? nil : nextTry }
    package mutating func retryNow() { nextTry = .zero }

    /// The files to examine again, as a program may have written to them since: second names first, before
    /// the files that were to replace the first names.
    package func due(at now: Duration) -> [Location] {
        guard !stuck.isEmpty, nextTry <= now else { return [] }
        return stuck.keys.sorted { ($0.root.rawValue, $0.path) > ($1.root.rawValue, $1.path) }
    }

    /// Whether the trash rejected it.
    package func contains(_ place: Location) -> Bool { stuck[place] != nil }

    /// Its content when the trash rejected it; the file is no longer waiting.
    package mutating func take(_ place: Location) -> Digest? { stuck.removeValue(forKey: place)?.digest }

    /// All due files were examined: those rejected again wait longer.
    package mutating func countRetry(at now: Duration) {
        attempts = stuck.isEmpty ? 0 : attempts + 1
        nextTry = stuck.isEmpty ? .zero : now + Backoff.delay(after: attempts)
    }

    /// Why displaced files are still in the containers.
    package var problem: TrashProblem? {
        // Always the same one of several, so that it is reported once.
        let first = stuck.min { ($0.value.error.what, $0.key.path) < ($1.value.error.what, $1.key.path) }
        return first.map { TrashProblem(files: stuck.count, error: $0.value.error) }
    }

    // MARK: The trash

    /// The use of the trash, as far as it is known.
    package var knownUse: TrashUse { trash.use }
    /// Counts the files only if the use is unknown.
    package func use(in state: StateDirectory) -> TrashUse { (try? trash.use(in: state)) ?? trash.use }
    package var isPruning: Bool { trash.isBusy }

    /// Starts deleting what is too old or too much; `whole`: completes it.
    package mutating func prune(at now: Moment, whole: Bool, in state: StateDirectory) throws(FileError) {
        do throws(FileError) {
            try trash.prune(now: now.unixNanoseconds, in: state)
            if whole { try trash.finish(in: state) }
        } catch {
            trash.stop()
            throw error
        }
    }

    /// `true` once it is complete.
    package mutating func goOnPruning(in state: StateDirectory) -> Bool {
        guard trash.isBusy else { return false }
        do throws(FileError) {
            try trash.advance(in: state)
        } catch {
            // Retried with the next pruning.
            trash.stop()
        }
        return !trash.isBusy
    }

    package mutating func drop(_ digest: Digest, in state: StateDirectory) throws(FileError) {
        try trash.drop(digest, in: state)
    }

    /// Deleted contents that the journal still lists.
    package mutating func takeDropped() -> [Digest] {
        defer { if !trash.dropped.isEmpty { trash.dropped = [] } }
        return trash.dropped
    }

    /// The state of the trash for the journal, if it changed: then the next run need not count.
    package mutating func takeNews(in state: StateDirectory) throws(FileError) -> String? {
        guard let text = try trash.text(in: state), text != recorded else { return nil }
        recorded = text
        return text
    }
}

extension Location {
    fileprivate func isTemporary(of document: Location) -> Bool {
        root == document.root && path.directory == document.path.directory
            && TemporaryName(path.name)?.belongs(to: document.path) == true
    }
}
