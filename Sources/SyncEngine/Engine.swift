package import Documents
package import Model
package import Replica
package import StateStore

/// Keeps two sides in sync, one turn at a time.
///
/// The engine never waits and never reads a clock: hints and `now` are its input, results its output. An
/// agent, a single `sync` or a simulation can drive it.
package struct Engine {
    package let state: StateDirectory
    package internal(set) var journal: JournalBuffer
    package let settings: EngineSettings
    package internal(set) var counters = EngineCounters()
    var lossGuard: LossGuard

    var containers: ContainerPair
    var scanner = Scanner()
    var rules: DocumentRules
    package internal(set) var debounceQueue = DebounceQueue()
    var records = DocumentTable()
    var holds = Holds()
    var lostStores: LostStores
    var viewPublisher: ViewPublisher
    var writers = Writers()
    var barriers = Barriers()
    var openDocuments = OpenDocuments()
    var discards: Discards
    var conflictLog: ConflictLog
    var pendingEdits = PendingEdits()
    var intents: Intents
    var pause: PauseState
    package internal(set) var reloads: ReloadGate
    /// Results from outside the plans of a turn, or from before it.
    var pendingResults = Turn()

    /// `number` keeps names of temporary files distinct from an earlier run's. `boot` is the boot ID of the
    /// machine; empty if unknown. `pause`: as the journal has it.
    package init(
        replicas: BothSides<any Replica>,
        state: StateDirectory,
        journal: any Journal,
        profile: Profile?,
        settings: EngineSettings,
        number: UInt64,
        boot: String = "",
        pause: PauseState = PauseState()
    ) throws(EngineError) {
        (self.pause, self.state, self.settings) = (pause, state, settings)
        self.journal = try JournalBuffer(
            journal,
            profile: profile?.id,
            boot: boot,
            changesProfile: settings.changesProfile
        )
        do {
            viewPublisher = try ViewPublisher(of: journal, profile)
            lostStores = LostStores(text: try journal.value(of: LostStores.key))
            rules = DocumentRules(profile, settings, pins: try journal.value(of: VersionPins.key))
            records = try DocumentTable(of: journal, by: rules, isOfOtherBoot: self.journal.isOfOtherBoot)
            let begun = settings.begun(replicas, made: try journal.madeDirectories())
            intents = Intents(try self.journal.intents(of: rules), boot: boot)
            containers = ContainerPair(begun, marks: try ContainerPair.marks(in: journal), number: number)
            let losses = LossCounts(text: try journal.value(of: LossCounts.key) ?? "")
            lossGuard = LossGuard(losses, settings.lossThreshold)
            try containers.remember(records, of: self.journal)
            let trash = try journal.value(of: TrashKeeper.key)
            discards = Discards(recorded: trash, settings.trash, limit: settings.maxDocument)
            reloads = try ReloadGate(profile, in: settings.zone ?? .utc, journal)
        } catch {
            throw .journal(error)
        }
        do { try state.makeKeepingPlaces() } catch { throw .state(error) }
        do { conflictLog = try Self.conflictLog(of: self.journal, in: state, settings) } catch {
            throw .journal(error)
        }
    }

    /// The current status of a document, or of another entry at its path.
    package func status(of place: Location) throws(FileError) -> DocumentStatus {
        try replicas[of: place].status(of: place)
    }

    /// When a document's file was last modified, in milliseconds since 1970; `nil` if that cannot be read.
    package func modified(_ name: RelativePath, on side: Side) -> Int64? {
        (try? status(of: Location(side, name))).map { $0.signature.modified / 1_000_000 }
    }

    /// The documents that a changed file holds.
    package func documents(in file: RelativePath, on side: Side) -> [RelativePath] {
        replicas[side].documents(in: file)
    }

    /// The document may have changed.
    package mutating func markDirty(_ path: RelativePath) {
        // Also examines its displaced files: a program may have closed one.
        writers.displacedFiles.retryHeldOpen(of: path)
        if isDocument(path) {
            // Where case is ignored, a program may have saved it under a name with other letters.
            let isKnown = records[path] != nil
            let listed = isKnown ? [] : Side.allCases.compactMap { replicas[$0].namesake(of: path) }
            for path in [path] + listed { debounceQueue.enqueue(path) }
            if pausedSince != nil { readGroup(path) }
        } else if let document = document(ofView: path) {
            debounceQueue.enqueue(document)
            for side in Side.allCases { viewPublisher.check(name: Location(side, path), in: replicas) }
        } else if !holds.isEmpty {
            // For example a link that was in the place of a directory.
            for held in holds.documents.sorted() where held.isInside(path) { debounceQueue.enqueue(held) }
        }
    }

    /// When to call `turn` again; zero for at once, `nil` for after an event.
    package var deadline: Duration? {
        if pausedSince != nil, holds.hasNews { return .zero }
        if pausedSince != nil || journal.isFull { return journal.deadline }
        if scanner.isWanted || !pendingResults.changes.isEmpty || (intents.hasUnmade && journal.isEmpty) {
            return .zero
        }
        if discards.isPruning { return .zero }
        let dues = [
            debounceQueue.deadline, writers.deadline, scanner.nextTry, discards.deadline, journal.deadline,
            replicas.deadline,
        ]
        return dues.compactMap(\.self).min()
    }

    /// Whether nothing is due, and nothing is pending.
    package var isAtRest: Bool {
        debounceQueue.isEmpty && writers.displacedFiles.areAllHeldOpen && !writers.readerLog.hasQuestions
            && !intents.hasUnmade && journal.isEmpty && replicas.deadline == nil
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
    /// The journal's profile has another name; an empty name means no profile.
    case otherProfile(known: String, named: String)
    case state(FileError)
}

package struct EngineCounters: Sendable, Hashable {
    package var changes = 0
    package var echoes = 0
    package var races = 0
    package var merges = 0
    package var conflicts = 0
    /// Conflict copies that were moved to the trash unresolved, for lack of room.
    package var droppedConflicts = 0
    package var notices = 0
    package var rescans = 0
}
