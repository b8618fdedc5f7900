import AgentClient
package import BridgeRuntime
package import Documents
import FileSystem
package import Model
package import Reloads
package import StateStore
package import SyncEngine
import Synchronization

/// A bridge in memory that keeps its last notices and gives each subscriber the next one on request.
package final class FakeBridge: BridgeAccess {
    struct Key: Hashable {
        var name: RelativePath
        var side: Side
    }

    struct State {
        var documents: [Key: [UInt8]] = [:]
        var kept: [Notice] = []
        var waiting: [CheckedContinuation<Void, Never>] = []
        var barriers: [(timeout: Duration, rehash: Bool)] = []
        var failure: BridgeError?
        /// Called when an endless request begins.
        var endless: (@Sendable (Endless) -> Void)?
        var whenSubscriberLeaves: @Sendable () -> Void = {}
    }

    package static let instance = "i1"
    /// How many notices are kept for returning subscribers.
    let capacity: Int
    let state = Mutex(State())
    private let inbox = EventInbox()

    package var identity: BridgeIdentity? { nil }

    package init(capacity: Int = 8) { self.capacity = capacity }

    /// Every request from here on throws this.
    package func fail(with error: BridgeError?) { state.withLock { $0.failure = error } }

    package func whenSubscriberLeaves(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.whenSubscriberLeaves = action }
    }

    package enum Endless: Sendable { case begun, abandoned }

    /// From here on `sync` and `wait` end only when they are cancelled.
    package func takeForEver(telling action: @escaping @Sendable (Endless) -> Void) {
        state.withLock { $0.endless = action }
    }

    private func takeForEver() async throws(BridgeError) {
        guard let tell = state.withLock({ $0.endless }) else { return }
        tell(.begun)
        let (forever, end) = AsyncStream<Never>.makeStream()
        for await _ in forever {}
        end.finish()
        tell(.abandoned)
        throw .noAgent(socket: "")
    }

    package var barriers: [(timeout: Duration, rehash: Bool)] { state.withLock { $0.barriers } }

    private func check() throws(BridgeError) {
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    package func status() async throws(BridgeError) -> BridgeStatus {
        try check()
        let names = state.withLock { Set($0.documents.keys.map(\.name)).sorted() }
        return BridgeStatus(
            state: .running,
            reason: nil,
            watch: .inotify,
            commit: "exchange",
            durability: "batch",
            counters: BridgeStatus.Counters(),
            app: "/app",
            group: "/group",
            stateDirectory: "/state",
            process: 7,
            instance: Self.instance,
            documents: names.map { BridgeStatus.Document(name: $0.description, state: .synced) }
        )
    }

    package func profile() async throws(BridgeError) -> Profile? {
        try check()
        return Profile.builtIn("budget")
    }

    package func document(_ name: RelativePath, side: Side) async throws(BridgeError) -> StoredDocument {
        try check()
        guard isDocumentName(name.description) else {
            throw .notADocument(name.description, .known(.notJSON))
        }
        guard let bytes = state.withLock({ $0.documents[Key(name: name, side: side)] }) else {
            throw .noDocument(name.description, side)
        }
        return StoredDocument(name: name, side: side, bytes: bytes, hash: Digest(of: bytes))
    }

    package func put(
        _ bytes: [UInt8],
        as name: RelativePath,
        side: Side,
        expecting expectation: Expectation,
        force: Bool
    ) async throws(BridgeError) -> StoredDocument {
        try check()
        let key = Key(name: name, side: side)
        let actual = state.withLock { $0.documents[key].map(Digest.init(of:)) }
        switch expectation {
        case .anything: break
        case .nothing: guard actual == nil else { throw .mismatch(name.description, side, actual: actual) }
        case .content(let digest):
            guard actual == digest else { throw .mismatch(name.description, side, actual: actual) }
        }
        guard bytes.first == UInt8(ascii: "{") else {
            throw .invalidDocument(name.description, .reported("1:1: expected a value"))
        }
        state.withLock { $0.documents[key] = bytes }
        notify(name, hash: Digest(of: bytes), cause: side == .app ? .app : .group)
        return StoredDocument(name: name, side: side, bytes: bytes, hash: Digest(of: bytes))
    }

    package func delete(
        _ name: RelativePath,
        side: Side,
        expecting expected: Digest?
    ) async throws(BridgeError) {
        try check()
        let key = Key(name: name, side: side)
        let actual = state.withLock { $0.documents[key].map(Digest.init(of:)) }
        if let expected, expected != actual { throw .mismatch(name.description, side, actual: actual) }
        guard actual != nil else { throw .noDocument(name.description, side) }
        state.withLock { $0.documents[key] = nil }
        notify(name, hash: nil, cause: side == .app ? .app : .group)
    }

    package func sync(
        dryRun: Bool,
        patience: Duration,
        meanwhile: ScanProgress.Watcher?
    ) async throws(BridgeError) -> SyncReport {
        try check()
        try await takeForEver()
        let change = SyncReport.Change(
            document: "a.json",
            action: .update,
            from: .app,
            reason: .reported("changed in app")
        )
        return SyncReport(dryRun: dryRun, changes: [change], documents: 1)
    }

    package func migrate(_ request: MigrationRequest) async throws(BridgeError) -> MigrationReport {
        try check()
        return MigrationReport()
    }

    package func conflicts() async throws(BridgeError) -> [KeptConflict] {
        try check()
        var conflict = KeptConflict(
            id: "0123456789ab",
            document: "a.json",
            side: .group,
            at: 5,
            reason: .reported("both sides changed /a: app's value wins, group's document is kept"),
            file: "conflicts/0123456789ab-a.json"
        )
        conflict.fields = [KeptConflict.Field(pointer: "/a", base: "1", app: "2.50", group: nil)]
        return [conflict]
    }

    package func resolve(_ id: String, taking taken: Taken) async throws(BridgeError) -> MadeEdit {
        try check()
        guard id == "0123456789ab" else { throw .unknownID(.conflict(id)) }
        let reason =
            switch taken {
            case .side(let side): "took \(side.rawValue)'s"
            case .content(let bytes): "took \(String(decoding: bytes, as: UTF8.self))"
            }
        return Self.edit(reason)
    }

    package func history(of name: RelativePath?) async throws(BridgeError) -> [TrashedContent] {
        try check()
        var content = TrashedContent(id: "0123456789ab", at: 5, hash: "sha256:00", size: 3)
        content.document = name?.description ?? "b.json"
        content.reason = .reported("changed in app")
        return [content]
    }

    package func undo(_ id: String) async throws(BridgeError) -> MadeEdit {
        try check()
        guard id == "0123456789ab" else { throw .ambiguousID(.trash(id), ids: ["0123", "0124"]) }
        return Self.edit("took it back")
    }

    private static func edit(_ reason: String) -> MadeEdit {
        MadeEdit(document: "a.json", side: .app, hash: nil, isWritten: true, reason: .reported(reason))
    }

    package func allow(_ id: String) async throws(BridgeError) -> Allowed {
        try check()
        guard id == "0123456789ab" else {
            throw .undecidable(.halt(id), .reported(reason: "no", advice: "wait"))
        }
        return Allowed(side: .app, documents: ["a.json", "b.json"])
    }

    package func pause() async throws(BridgeError) -> BridgePause {
        try check()
        return BridgePause(before: nil, now: 1_700_000_000_123)
    }

    package func resume() async throws(BridgeError) -> BridgePause {
        try check()
        return BridgePause(before: 1_700_000_000_123, now: nil)
    }

    package func widgets() async throws(BridgeError) -> [WidgetEntry] {
        try check()
        return [WidgetEntry(id: "w1", kind: "K", family: "small", at: "2026-01-18T08:00:00.000Z")]
    }

    package func placeWidget(_ kind: String, family: String) async throws(BridgeError) -> WidgetEntry {
        try check()
        guard family == "small" else { throw .unknownFamily(family, kind: kind, known: ["small"]) }
        return WidgetEntry(id: "w2", kind: kind, family: family, at: "2026-01-18T08:00:00.000Z")
    }

    package func removeWidget(_ id: String) async throws(BridgeError) -> WidgetEntry {
        guard let widget = try await widgets().first(where: { $0.id == id }) else {
            throw .unknownID(.widget(id))
        }
        return widget
    }

    package func reloadLedger() async throws(BridgeError) -> [KindLedger] {
        try check()
        return [
            KindLedger(
                kind: "K",
                state: .stale,
                used: 2,
                budget: 40,
                exempt: 1,
                coalesced: 3,
                invisible: 4,
                delayed: 1,
                nextSlot: nil
            )
        ]
    }

    package func acknowledge(reloadsUpTo cursor: String) async throws(BridgeError) {
        try check()
        guard cursor == "i:1" else { throw .unknownID(.notice(cursor)) }
    }

    package func appState() async throws(BridgeError) -> AppStateReport {
        try check()
        return AppStateReport(state: .audio, until: "2026-01-18T08:00:00.000Z")
    }

    package func hookReports() async throws(BridgeError) -> [HookReport] {
        try check()
        var report = HookReport(name: "bar")
        (report.runs, report.failures, report.lastFailure) = (3, 1, "ended with status 1")
        report.failedAt = "2026-01-18T08:00:00.000Z"
        return [report]
    }

    package func enter(
        _ activity: AppActivity,
        for time: Duration
    ) async throws(BridgeError) -> AppStateReport {
        try check()
        return AppStateReport(state: activity, until: UTCTime.text(Int64(time / .milliseconds(1))))
    }

    package func wait(
        for documents: [RelativePath],
        timeout: Duration,
        rehash: Bool
    ) async throws(BridgeError) {
        state.withLock { $0.barriers.append((timeout, rehash)) }
        try check()
        try await takeForEver()
    }

    package func story(of name: RelativePath) async throws(BridgeError) -> DocumentStory {
        try check()
        let now = BridgeStatus.Document(
            name: name.description,
            state: .held,
            side: .app,
            reason: .reported("half-written")
        )
        let event = DocumentStory.Event(
            generation: 1,
            cause: .app,
            what: .reported("created in app"),
            app: nil,
            group: "sha256:00",
            at: 5,
            kinds: ["BudgetWidget"]
        )
        return DocumentStory(now: now, events: [event])
    }

    /// The document changed to this.
    package func notify(_ name: RelativePath, hash: Digest?, cause: Cause) {
        let waiting = state.withLock { state in
            let sequence = (state.kept.last?.sequence ?? 0) + 1
            state.kept.append(
                Notice(
                    sequence: sequence,
                    kind: name.description,
                    document: name,
                    generation: sequence,
                    hash: hash,
                    cause: cause,
                    at: 1_768_746_600_123
                )
            )
            state.kept.removeFirst(max(0, state.kept.count - capacity))
            defer { state.waiting = [] }
            return state.waiting
        }
        for subscriber in waiting { subscriber.resume() }
    }

    package func push(_ event: EventDraft) async throws(BridgeError) -> PushedEvent {
        try check()
        return try await inbox.push(event)
    }

    package func events(_ request: EventRequest) async throws(BridgeError) -> [QueuedEvent] {
        try check()
        return try await inbox.events(request)
    }

    package func acknowledge(_ ids: [String]) async throws(BridgeError) {
        try check()
        try await inbox.acknowledge(ids)
    }

    package func reloads(_ filter: ReloadFilter) -> AsyncThrowingStream<ReloadEvent, any Error> {
        let subscriber = FakeSubscriber(bridge: self, filter: filter)
        return AsyncThrowingStream { await subscriber.next() }
    }
}
