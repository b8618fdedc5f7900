import Documents
import Model
import Replica
import StateStore

/// Replaces documents of one replica as a bridge does: the previous file is displaced as a whole and
/// examined, so that a save made in between is merged and not lost.
struct ReplicaWriter {
    let state: StateDirectory
    let profile: Profile
    let settings: EngineSettings
    var replica: any Replica
    var discards: Discards
    var displacedFiles = DisplacedFiles()
    /// Displaced saves that were examined. If a program saves repeatedly, each outcome is reported once.
    var examined: Set<ConcurrentSave> = []
    private var lastNumber: UInt64

    /// `number` distinguishes the names of temporary files from those of an earlier run.
    init(
        _ replica: any Replica,
        state: StateDirectory,
        profile: Profile,
        settings: EngineSettings,
        number: UInt64
    ) throws(FileError) {
        (self.state, self.profile, self.settings) = (state, profile, settings)
        (self.replica, lastNumber) = (replica, number)
        self.replica.begin(settings.forReplica())
        discards = Discards(recorded: nil, settings.trash, limit: settings.maxDocument)
        try state.makeKeepingPlaces()
    }

    var side: Side { replica.side }
    func place(_ document: RelativePath) -> Location { Location(side, document) }
    func rule(for document: RelativePath) -> DocumentRule { profile.rule(for: document.description) }

    /// The saves made during the migration, as far as they are known.
    var concurrentSaves: [ConcurrentSave] {
        let open = displacedFiles.targets.map { ConcurrentSave(document: $0.path, outcome: .open) }
        return examined.union(open).sorted { $0.document < $1.document }
    }

    /// What the replica has, read through one descriptor.
    func read(_ document: RelativePath) -> Observation {
        if replica.namesake(of: document) != nil { return .absent }
        do throws(ReadObstacle) {
            let seen = try replica.signature(of: document, isKnown: false)
            if seen == nil { return .absent }
            let reading = try replica.read(
                document,
                unless: nil,
                seen: seen,
                mayWait: false,
                isKnown: false,
                pair: nil
            )
            switch reading {
            case .absent: return .absent
            case .same(let signature): return .unchanged(signature)
            case .content(let content):
                return Observation(content, by: rule(for: document), limits: settings.limits)
            }
        } catch {
            return .problem(Problem(error, maxBytes: settings.maxDocument))
        }
    }

    /// The bytes of the document, whether it is usable or not; `nil` if it does not exist.
    func bytes(of document: RelativePath) throws(FileError) -> [UInt8]? {
        if replica.namesake(of: document) != nil { return nil }
        let place = place(document)
        do throws(FileError) {
            let kind = try replica.status(of: place).kind
            guard kind == .regular else { throw .notRegular(place, kind) }
            return try replica.contents(of: place, limit: settings.maxDocument + 1)
        } catch .missing {
            return nil
        } catch .noDirectory(let directory) where directory.path != nil {
            return nil
        }
    }

    /// Writes a content to a temporary file beside its document.
    mutating func prepare(
        _ bytes: [UInt8],
        as document: RelativePath,
        over expected: Digest?
    ) throws(FileError) -> Staged {
        lastNumber += 1
        let write = DocumentWrite(
            document,
            bytes: bytes,
            digest: Digest(of: bytes),
            over: expected,
            like: expected != nil && replica.hasFiles ? place(document) : nil,
            number: lastNumber,
            isSynced: false
        )
        return try replica.prepare(write)
    }

    /// The outcome of a commit.
    enum Commit {
        case done
        /// The previous content is in this file, unread.
        case replaced(DisplacedFile)
        /// The document was not as expected.
        case raced
    }

    /// Commits a prepared content. `expected` is the content that it replaces.
    mutating func commit(
        _ staged: Staged,
        over expected: (digest: Digest, bytes: [UInt8])?,
        at now: Moment
    ) throws(FileError) -> Commit {
        let publication: Publication
        do throws(FileError) {
            publication = try replica.commit(staged, over: expected?.digest, waits: true)
        } catch {
            abandon(staged)
            throw error
        }
        // An answer that arrives later does not show that the content is there.
        if publication == .raced || publication == .pending { return .raced }
        replica.remember(unsynced: staged.target.path)
        guard case .replaced(let place) = publication, let expected else { return .done }
        var displaced = DisplacedFile(
            side: side,
            document: staged.target.path,
            place: place,
            expected: .content(expected.digest),
            base: expected.bytes,
            due: now.uptime
        )
        displaced.publication = staged.digest
        return .replaced(displaced)
    }

    func sync(_ staged: Staged) throws(FileError) {
        guard settings.durability.syncsFiles else { return }
        do throws(FileError) {
            try replica.sync(staged)
        } catch {
            abandon(staged)
            throw error
        }
    }

    private func abandon(_ staged: Staged) { try? replica.abandon(staged) }

    /// Makes the document's name durable. The names in one directory are synced together.
    mutating func syncName(of document: RelativePath) throws(FileError) {
        guard settings.durability.syncsDirectories else { return }
        try replica.syncDirectory(of: document, isDue: settings.durability == .dir)
    }

    mutating func flushDiscards() { discards.moveToTrash(in: state) { [replica] _ in replica } }

    /// Writes one document at once. `expected` is its current content, `nil` if it does not exist. Returns
    /// `false` if the document differs from that.
    mutating func put(
        _ bytes: [UInt8],
        as document: RelativePath,
        over expected: Digest?,
        at now: Moment
    ) throws(FileError) -> Bool {
        let standing = try self.bytes(of: document).map { (digest: Digest(of: $0), bytes: $0) }
        guard standing?.digest == expected else { return false }
        if standing == nil { try replica.makeDirectories(above: document) }
        let staged = try prepare(bytes, as: document, over: expected)
        try sync(staged)
        switch try commit(staged, over: standing, at: now) {
        case .raced: return false
        case .done: break
        case .replaced(let displaced): receive(displaced, at: now)
        }
        try replica.syncDirectory(of: document, isDue: true)
        flushDiscards()
        return true
    }
}
