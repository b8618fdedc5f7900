package import Documents
package import Model
package import Replica
package import StateStore

/// Brings two sides to agreement, one turn at a time.
///
/// It never waits and never asks the time: hints and `now` come in, what became true comes out. It may be
/// driven by an agent, by one call of `sync`, or by a simulation.
package struct Engine {
    package let state: StateDirectory
    package internal(set) var journal: JournalBuffer
    package let settings: EngineSettings
    package internal(set) var counters = EngineCounters()
    var lossGuard: LossGuard

    var containers: ContainerPair
    var scanner = Scanner()
    var rules: DocumentRules
    var debounceQueue = DebounceQueue()
    var records = DocumentTable()
    var holds = Holds()
    var viewPublisher: ViewPublisher
    var writers = Writers()
    var barriers = Barriers()
    var openDocuments = OpenDocuments()
    var discards: Discards
    var conflictLog: ConflictLog
    var pendingEdits = PendingEdits()
    var creations: Creations
    /// What became true beside the plans of a turn, or before it.
    var beside = Turn()

    /// `number` keeps the names of temporaries apart from those of an earlier run. `boot` tells one start of
    /// the machine from others; empty where that is not known.
    package init(
        replicas: BothSides<any Replica>,
        state: StateDirectory,
        journal: any Journal,
        profile: Profile?,
        settings: EngineSettings,
        number: UInt64,
        boot: String = ""
    ) throws(EngineError) {
        self.state = state
        self.settings = settings
        self.journal = try JournalBuffer(
            journal,
            profile: profile?.id,
            changesProfile: settings.changesProfile
        )
        do {
            let published = try journal.value(of: PublishedViews.key)
            viewPublisher = ViewPublisher(PublishedViews(text: published ?? "", profile))
            for (path, record) in try journal.documents()
            // One of before the profile had views: it is no document any more.
            where profile?.document(ofView: path.description) == nil { records[path] = record }
            let begun = settings.begun(replicas, made: try journal.madeDirectories())
            creations = Creations(try journal.intents(), boot: boot)
            containers = ContainerPair(begun, marks: try ContainerPair.marks(in: journal), number: number)
            let pins = try journal.value(of: VersionPins.key)
            rules = DocumentRules(profile, fixed: settings.pinnedVersions, pins: pins)
            let losses = LossCounts(text: try journal.value(of: LossCounts.key) ?? "")
            lossGuard = LossGuard(losses, settings.lossThreshold)
            let trash = try journal.value(of: TrashKeeper.key)
            discards = Discards(recorded: trash, settings.trash, limit: settings.maxDocument)
        } catch {
            throw .journal(error)
        }
        do { try state.makeKeepingPlaces() } catch { throw .state(error) }
        do { conflictLog = try Self.conflictLog(of: self.journal, in: state, settings) } catch {
            throw .journal(error)
        }
    }

    /// How a document, or what stands in its place, looks now.
    package func status(of place: Location) throws(FileError) -> DocumentStatus {
        try replicas[of: place].status(of: place)
    }

    /// Something may have changed there.
    package mutating func markDirty(_ path: RelativePath, at now: Moment) {
        // Also where it was put aside: a program may have closed that.
        writers.displacedFiles.retryHeldOpen(of: path)
        if isDocument(path) {
            hint(path, at: now)
        } else if let document = document(ofView: path) {
            hint(document, at: now)
        } else if !holds.isEmpty {
            // A link, say, that stood in the way of documents.
            for held in holds.documents.sorted() where held.isInside(path) { hint(held, at: now) }
        }
    }

    /// What is held is looked at at once: else whoever waits would be told what was true before the hint.
    mutating func hint(_ path: RelativePath, at now: Moment) {
        if holds[path] == nil {
            debounceQueue.hint(path, at: now.uptime)
        } else {
            debounceQueue.enqueue(path)
        }
    }

    /// When to come back; zero for at once, `nil` for when something happens.
    package var deadline: Duration? {
        if journal.isFull { return journal.deadline }
        if scanner.isWanted || !beside.changes.isEmpty || (creations.hasUnmade && journal.isEmpty) {
            return .zero
        }
        if discards.isPruning { return .zero }
        let dues = [
            debounceQueue.deadline, writers.deadline, scanner.nextTry, discards.deadline, journal.deadline,
            replicas.deadline,
        ]
        return dues.compactMap(\.self).min()
    }

    /// Nothing is due, and nothing is on its way to be.
    package var isAtRest: Bool {
        debounceQueue.isEmpty && writers.displacedFiles.areAllHeldOpen && !writers.accessLog.hasQuestions
            && !creations.hasUnmade && journal.isEmpty && replicas.deadline == nil
    }

    package func isDocument(_ path: RelativePath) -> Bool {
        !viewPublisher.isOld(path) && rules.isDocument(path)
    }

    package func rule(for path: RelativePath) -> DocumentRule { rules.rule(for: path) }

    package var profile: Profile? { rules.profile }

    var limits: JSONLimits { settings.limits }

    var replicas: BothSides<any Replica> {
        _read { yield containers.replicas }
        _modify { yield &containers.replicas }
    }
}

package enum EngineError: Error, Sendable, Hashable {
    case journal(JournalError)
    /// The journal is of a bridge by a profile of another name; an empty name is none.
    case otherProfile(known: String, named: String)
    case state(FileError)
}

package struct EngineCounters: Sendable, Hashable {
    package var changes = 0
    package var echoes = 0
    package var races = 0
    package var merges = 0
    package var conflicts = 0
    /// That went to the trash undecided, for want of room.
    package var droppedConflicts = 0
    package var notices = 0
    package var rescans = 0
}
