package import Model
package import Replica
package import StateStore

/// The way to the trash, of files that were displaced and understood.
///
/// It owns those that are on their way, the directories that may be empty without them, those that the trash
/// could not take and when it is asked again, and the bounds of the trash itself. It works in the state
/// directory that it is given, and returns what the journal is to be told of.
package struct Discards: Sendable {
    private var waiting: [(place: Location, digest: Digest)] = []
    /// Files that were taken out of directories that may be empty now, or did not come into them.
    private var emptied: [Location] = []
    private var stuck: [Location: Stuck] = [:]
    private var nextTry = Duration.zero
    private var attempts = 0
    private var trash: TrashKeeper
    /// What the journal has of the trash.
    private var recorded: String?
    /// What this run has kept of documents that it migrates: that need not go to the trash as well.
    private var originals: Set<Digest> = []
    /// Bytes; no document is larger.
    private let limit: Int

    /// A file that the trash could not take.
    private struct Stuck: Sendable {
        /// What it held then: a save of that content has been merged, and must not be once more.
        let digest: Digest
        let error: FileError
    }

    /// `recorded`: what the journal has of the trash.
    package init(recorded: String?, _ limits: TrashLimits, limit: Int) {
        self.recorded = recorded
        self.limit = limit
        trash = TrashKeeper(text: recorded ?? "", limits)
    }

    // MARK: On the way

    /// It goes to the trash with the next `flush`.
    package mutating func add(_ place: Location, _ digest: Digest) { waiting.append((place, digest)) }

    /// The directory may be empty without it, and goes then with the next `flush`.
    package mutating func noteEmptied(_ place: Location) { emptied.append(place) }

    package var hasEmptied: Bool { !emptied.isEmpty }

    /// Moves there what is on its way, then removes the directories that are empty by that. What the trash
    /// cannot take is kept where it lies.
    package mutating func flush(in state: StateDirectory, from replicas: inout BothSides<any Replica>) {
        moveToTrash(in: state) { [replicas] in replicas[of: $0] }
        removeEmptied(from: &replicas)
    }

    /// The same, where no directory is emptied. `replica`: the one that a place lies in.
    package mutating func moveToTrash(in state: StateDirectory, from replica: (Location) -> any Replica) {
        for (place, digest) in waiting {
            do throws(FileError) {
                try discard(place, digest, limit: limit, in: state, from: replica(place))
            } catch .missing {
                // Somebody has taken it away.
            } catch {
                stuck[place] = Stuck(digest: digest, error: error)
            }
        }
        waiting.removeAll(keepingCapacity: true)
    }

    /// Once for each directory, not for each of its files: some file systems read all of it to tell.
    private mutating func removeEmptied(from replicas: inout BothSides<any Replica>) {
        var tried: Set<Directory> = []
        for place in emptied where tried.insert(place.directory).inserted {
            replicas[of: place].removeEmptyDirectories(from: place.path.directory)
        }
        emptied.removeAll(keepingCapacity: true)
    }

    /// At once. `limit`: of more bytes than a document may have.
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

    /// Of a replica that has no file which could be moved: the bytes are kept, then let go there.
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

    /// The temporaries of a document that are on their way, or could not be taken yet.
    package func temporaries(of document: Location) -> [Location] {
        (waiting.map(\.place) + stuck.keys).filter { $0.isTemporary(of: document) }
            .sorted { $0.path < $1.path }
    }

    package var hasOriginals: Bool { !originals.isEmpty }
    package mutating func noteOriginals(_ digests: some Sequence<Digest>) { originals.formUnion(digests) }

    // MARK: What could not be taken

    /// When the trash is asked again.
    package var deadline: Duration? { stuck.isEmpty ? nil : nextTry }
    package mutating func retryNow() { nextTry = .zero }

    /// What is to be examined again, for a program may have written to it since: second names before what was
    /// to be renamed over the first ones.
    package func due(at now: Duration) -> [Location] {
        guard !stuck.isEmpty, nextTry <= now else { return [] }
        return stuck.keys.sorted { ($0.root.rawValue, $0.path) > ($1.root.rawValue, $1.path) }
    }

    /// What it held when the trash could not take it; it is no more on its way.
    package mutating func take(_ place: Location) -> Digest? { stuck.removeValue(forKey: place)?.digest }

    /// All that was due has been examined: what is stuck again waits longer.
    package mutating func noteRetried(at now: Duration) {
        attempts = stuck.isEmpty ? 0 : attempts + 1
        nextTry = stuck.isEmpty ? .zero : now + Backoff.delay(after: attempts)
    }

    /// Why replaced files still lie in the containers.
    package var problem: TrashProblem? {
        // Of several the same one each time, so that it is told once.
        let first = stuck.min { ($0.value.error.what, $0.key.path) < ($1.value.error.what, $1.key.path) }
        return first.map { TrashProblem(files: stuck.count, error: $0.value.error) }
    }

    // MARK: The trash

    /// How full it is, as far as that is known.
    package var knownUse: TrashUse { trash.use }
    /// It is looked through only where that is not known.
    package func use(in state: StateDirectory) -> TrashUse { (try? trash.use(in: state)) ?? trash.use }
    package var isPruning: Bool { trash.isBusy }

    /// Begins to drop what is too old or too much; `whole`: does all of it.
    package mutating func prune(at now: Moment, whole: Bool, in state: StateDirectory) throws(FileError) {
        do throws(FileError) {
            try trash.prune(now: now.unixNanoseconds, in: state)
            if whole { try trash.finish(in: state) }
        } catch {
            trash.stop()
            throw error
        }
    }

    /// `true` once it has come to an end by this.
    package mutating func goOnPruning(in state: StateDirectory) -> Bool {
        guard trash.isBusy else { return false }
        do throws(FileError) {
            try trash.goOn(in: state)
        } catch {
            // With the next pruning, not at once.
            trash.stop()
        }
        return !trash.isBusy
    }

    package mutating func drop(_ digest: Digest, in state: StateDirectory) throws(FileError) {
        try trash.drop(digest, in: state)
    }

    /// What was dropped and the journal still tells of.
    package mutating func takeDropped() -> [Digest] {
        defer { if !trash.dropped.isEmpty { trash.dropped = [] } }
        return trash.dropped
    }

    /// What the journal is to know of the trash, where that is news: the next run need not count.
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
