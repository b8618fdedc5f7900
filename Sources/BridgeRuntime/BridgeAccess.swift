package import Documents
import FileSystem
package import Model
package import Reloads
package import StateStore
package import SyncEngine

/// What a program asks of a bridge: in this process (`Bridge`), over its socket (`AgentClient`), or of a
/// simulation.
package protocol BridgeBackend: DocumentSource, EventAccess {
    func status() async throws(BridgeError) -> BridgeStatus
    /// Writes one document to one side by compare-and-swap. Throws `.mismatch` if the content is not the
    /// expected one, and `.invalidDocument` if it violates its schema.
    func put(
        _ bytes: [UInt8],
        as name: RelativePath,
        side: Side,
        expecting: Expectation
    ) async throws(BridgeError) -> StoredDocument
    /// Deletes one document on one side, by compare-and-swap; its content goes to the trash. Throws
    /// `.noDocument`, or `.mismatch` where it is not as expected. Where no agent runs it is carried at once.
    func delete(_ name: RelativePath, side: Side, expecting: Digest?) async throws(BridgeError)
    /// Returns once every write that ended before the call is in sync: of these documents, or of all if there
    /// are none. Throws `.timedOut`, `.held`, `.halted` or `.paused` instead of waiting forever.
    func wait(for documents: [RelativePath], timeout: Duration, rehash: Bool) async throws(BridgeError)
    /// The conflicts that were resolved by rule and that a person has not resolved yet, oldest first.
    func conflicts() async throws(BridgeError) -> [KeptConflict]
    /// Resolves a conflict with an ordinary edit. Without an agent, the edit is synced at once.
    func resolve(_ id: String, taking: Taken) async throws(BridgeError) -> MadeEdit
    /// The contents in the trash, of all documents or one, newest first.
    func history(of name: RelativePath?) async throws(BridgeError) -> [TrashedContent]
    /// Restores a content from the trash with an ordinary edit.
    func undo(_ id: String) async throws(BridgeError) -> MadeEdit
    /// Allows a held deletion.
    func allow(_ id: String) async throws(BridgeError) -> Allowed
    /// Stops writing to both containers, also after a restart, until `resume`.
    func pause() async throws(BridgeError) -> BridgePause
    /// Syncs all that was saved since `pause`.
    func resume() async throws(BridgeError) -> BridgePause
    /// The placed widgets, kind by kind.
    func widgets() async throws(BridgeError) -> [WidgetEntry]
    /// Places a widget: its kind has a budget from then on.
    func placeWidget(_ kind: String, family: String) async throws(BridgeError) -> WidgetEntry
    /// Throws `.unknownID` if there is no such widget.
    func removeWidget(_ id: String) async throws(BridgeError) -> WidgetEntry
    /// The app does this now, for at most that time.
    func enter(_ activity: AppActivity, for time: Duration) async throws(BridgeError) -> AppStateReport
    /// Ends what runs for it in this process.
    func close() async
}

/// What commands and the HTTP API ask besides.
package protocol BridgeAccess: BridgeBackend {
    /// Identifies the bridge, where that is known.
    var identity: BridgeIdentity? { get }
    /// That of its configuration, for a profile without one.
    var zone: JSONExpression.Zone? { get }
    /// - Parameter force: Also puts a document that violates its schema.
    func put(
        _ bytes: [UInt8],
        as name: RelativePath,
        side: Side,
        expecting: Expectation,
        force: Bool
    ) async throws(BridgeError) -> StoredDocument
    /// Reads everything and reconciles it; with `dryRun` writes nothing and returns the plan. Ends once
    /// nothing has moved for as long as `patience`, and reports as held what still waits.
    /// - Parameter meanwhile: called with the progress, if the bridge is in this process.
    func sync(
        dryRun: Bool,
        patience: Duration,
        meanwhile: ScanProgress.Watcher?
    ) async throws(BridgeError) -> SyncReport
    func story(of name: RelativePath) async throws(BridgeError) -> DocumentStory
    /// A subscriber that acknowledges has got all notices up to this one.
    func acknowledge(reloadsUpTo cursor: String) async throws(BridgeError)
    /// What has become of the agent's hooks; none without an agent.
    func hookReports() async throws(BridgeError) -> [HookReport]
    /// What the app does now, as far as it was said.
    func appState() async throws(BridgeError) -> AppStateReport
    /// Plans, applies, verifies or rolls back a migration of both containers.
    func migrate(_ request: MigrationRequest) async throws(BridgeError) -> MigrationReport
}

extension BridgeBackend {
    /// For a bridge that another process runs.
    package func close() async {}
}

/// How long a request goes on without progress, where it says nothing else.
package let defaultPatience = Duration.seconds(10)

extension BridgeAccess {
    package var zone: JSONExpression.Zone? { nil }

    /// - Parameter kind: only this one; `nil`: all.
    package func reloadLedger(of kind: String?) async throws(BridgeError) -> [KindLedger] {
        let all = try await reloadLedger()
        guard let kind else { return all }
        guard let ledger = all.first(where: { $0.kind == kind }) else {
            throw .unknownKind(kind, known: all.map(\.kind))
        }
        return [ledger]
    }

    package func put(
        _ bytes: [UInt8],
        as name: RelativePath,
        side: Side,
        expecting: Expectation
    ) async throws(BridgeError) -> StoredDocument {
        try await put(bytes, as: name, side: side, expecting: expecting, force: false)
    }

    package func sync(
        dryRun: Bool,
        patience: Duration = defaultPatience
    ) async throws(BridgeError) -> SyncReport {
        try await sync(dryRun: dryRun, patience: patience, meanwhile: nil)
    }

    package func wait(timeout: Duration, rehash: Bool) async throws(BridgeError) {
        try await wait(for: [], timeout: timeout, rehash: rehash)
    }
}

/// The content that a writer expects to replace.
package enum Expectation: Sendable, Hashable {
    case anything
    case nothing
    case content(Digest)
}

package struct StoredDocument: Sendable, Hashable {
    package var name: RelativePath
    package var side: Side
    package var bytes: [UInt8]
    package var hash: Digest
    /// When its file was last modified, in milliseconds since 1970; `nil` for what was just put.
    package var modified: Int64?

    package init(name: RelativePath, side: Side, bytes: [UInt8], hash: Digest, modified: Int64? = nil) {
        self.name = name
        self.side = side
        self.bytes = bytes
        self.hash = hash
        self.modified = modified
    }
}

package struct SyncReport: Codable, Sendable, Hashable {
    /// What one document needs, or what was done with it.
    package struct Change: Codable, Sendable, Hashable {
        package var document: String
        package var action: PlannedChange.Action
        package var from: Side?
        package var reason: Reported<Reason>
        /// The document has a version newer than the profile's newest.
        package var isNewerVersion: Bool

        package init(
            document: String,
            action: PlannedChange.Action,
            from: Side?,
            reason: Reported<Reason>,
            isNewerVersion: Bool = false
        ) {
            self.document = document
            self.action = action
            self.from = from
            self.reason = reason
            self.isNewerVersion = isNewerVersion
        }
    }

    package var dryRun: Bool
    /// In order of the documents' names, without those that need nothing.
    package var changes: [Change]
    /// The number of all documents read.
    package var documents: Int
    /// Why the bridge is halted, if it is.
    package var halt: Reported<Halt>?

    package init(dryRun: Bool, changes: [Change], documents: Int, halt: Reported<Halt>? = nil) {
        self.dryRun = dryRun
        self.changes = changes
        self.documents = documents
        self.halt = halt
    }
}

package struct DocumentStory: Codable, Sendable, Hashable {
    package struct Event: Codable, Sendable, Hashable {
        package var generation: Int64
        package var cause: Cause
        package var what: Reported<ChangeReason>
        /// The hash in each container afterwards; `nil` where the document is absent.
        package var app: String?
        package var group: String?
        /// Milliseconds since 1970.
        package var at: Int64
        /// The kinds that were notified to reload for it; `nil` if the agent is of an earlier release.
        package var kinds: [String]?

        package init(
            generation: Int64,
            cause: Cause,
            what: Reported<ChangeReason>,
            app: String?,
            group: String?,
            at: Int64,
            kinds: [String]? = nil
        ) {
            self.generation = generation
            self.cause = cause
            self.what = what
            self.app = app
            self.group = group
            self.at = at
            self.kinds = kinds
        }
    }
    package var now: BridgeStatus.Document
    /// Oldest first.
    package var events: [Event]

    package init(now: BridgeStatus.Document, events: [Event]) {
        self.now = now
        self.events = events
    }
}

package struct BridgeStatus: Codable, Sendable, Hashable {
    package enum State: String, Codable, Sendable { case running, halted, paused, stopped }
    package enum Watch: String, Codable, Sendable { case inotify, polling, none }

    package struct Document: Codable, Sendable, Hashable {
        package enum State: String, CaseIterable, Codable, Sendable { case synced, pending, held, conflict }
        package struct Versions: Codable, Sendable, Hashable {
            package var app: Int?
            package var group: Int?
            package init(app: Int?, group: Int?) {
                self.app = app
                self.group = group
            }
        }
        package var name: String
        package var state: State
        /// The side that the reason concerns.
        package var side: Side?
        package var reason: Reported<Reason>?
        package var version: Versions
        package var generation: Int64
        /// The hash of the bytes in the group container, or else of those in the app container.
        package var hash: String?
        /// It is held because its version is newer than the profile's newest.
        package var isNewerVersion: Bool
        /// Its views, each as `side:name`.
        package var views: [String]?
        /// The IDs of processes that have one of its files open for writing, as far as they are known.
        package var openedBy: [Int32]?
        /// The document of the profile that its name only looks like.
        package var looksLike: String?
        /// Both containers have hard links to one file.
        package var isLinked: Bool?

        package init(
            name: String,
            state: State,
            side: Side? = nil,
            reason: Reported<Reason>? = nil,
            version: Versions = Versions(app: nil, group: nil),
            generation: Int64 = 0,
            hash: String? = nil,
            isNewerVersion: Bool = false,
            views: [String]? = nil
        ) {
            self.name = name
            self.state = state
            self.side = side
            self.reason = reason
            self.version = version
            self.generation = generation
            self.hash = hash
            self.isNewerVersion = isNewerVersion
            self.views = views
        }
    }

    package struct Counters: Codable, Sendable, Hashable {
        package var changes = 0
        package var echoes = 0
        package var races = 0
        package var merges = 0
        package var conflicts = 0
        package var notices = 0
        package var rescans = 0
        /// From hint to publication, in microseconds, over the last 1,000 changes; `nil` before the first.
        package var latencyP50: Int?
        package var latencyP90: Int?
        package var latencyP99: Int?

        package init() {}
    }

    package var state: State
    /// Why it is halted or paused, or what its mode cannot guarantee.
    package var reason: Reported<Reason>?
    package var watch: Watch
    package var commit: String
    package var durability: String
    package var echoes: Int
    package var counters: Counters
    package var app: String
    package var group: String
    package var stateDirectory: String
    package var process: Int32?
    package var instance: String
    package var documents: [Document]
    /// The argument of `allow` for a held deletion.
    package var allow: String?
    /// Since when it is paused, as RFC 3339.
    package var pausedSince: String?
    /// Which documents are synced: those that pass each of these, of the bridge and of its profile.
    package var filters: [DocumentFilter]?
    package var trash = TrashUse()

    package init(
        state: State,
        reason: Reported<Reason>?,
        watch: Watch,
        commit: String,
        durability: String,
        counters: Counters,
        app: String,
        group: String,
        stateDirectory: String,
        process: Int32?,
        instance: String,
        documents: [Document]
    ) {
        self.state = state
        self.reason = reason
        self.watch = watch
        self.commit = commit
        self.durability = durability
        self.echoes = counters.echoes
        self.counters = counters
        self.app = app
        self.group = group
        self.stateDirectory = stateDirectory
        self.process = process
        self.instance = instance
        self.documents = documents
    }
}
