import BridgeRuntime
import Documents
import FileSystem
import Model
import Reloads
import StateStore
import SyncEngine
import Synchronization
import WidgetBridge

/// The implementation of a `Bridge` by a simulation.
final class SimulatedBackend: BridgeBackend {
    let simulation: Mutex<Simulation>
    private let feed: ReloadFeed
    private let rules: Profile?
    private let inbox: EventInbox

    init(profile: Profile?) throws(EngineError) {
        let simulation = try Simulation(profile: profile)
        rules = profile
        inbox = EventInbox(profile: profile)
        feed = simulation.feed
        self.simulation = Mutex(simulation)
    }

    func status() async throws(BridgeError) -> BridgeStatus { simulation.withLock { $0.status() } }

    func profile() async throws(BridgeError) -> Profile? { rules }

    func document(_ name: RelativePath, side: Side) async throws(BridgeError) -> StoredDocument {
        if rules?.document(ofView: name.description) == nil { try checkName(name) }
        let (bytes, modified) = try simulation.withLock { simulation throws(BridgeError) in
            do throws(FileError) {
                let bytes = try simulation.engine.bytes(of: name, on: side)
                return (bytes, simulation.engine.modified(name, on: side))
            } catch {
                switch error {
                case .missing, .noDirectory: throw .noDocument(name.description, side)
                default: throw .file(error)
                }
            }
        }
        return StoredDocument(
            name: name,
            side: side,
            bytes: bytes,
            hash: Digest(of: bytes),
            modified: modified
        )
    }

    func put(
        _ bytes: [UInt8],
        as name: RelativePath,
        side: Side,
        expecting: Expectation
    ) async throws(BridgeError) -> StoredDocument {
        try checkName(name)
        try checkContent(bytes, of: name.description)
        let expected: Digest?? =
            switch expecting {
            case .anything: nil
            case .nothing: .some(nil)
            case .content(let digest): digest
            }
        try simulation.withLock { simulation throws(BridgeError) in
            try simulation.refuseIfStopped()
            do throws(PutFailure) {
                let now = simulation.now
                try simulation.engine.put(bytes, as: name, on: side, expecting: expected, at: now)
            } catch {
                throw BridgeError(error, of: name, on: side)
            }
            simulation.changed()
        }
        return StoredDocument(name: name, side: side, bytes: bytes, hash: Digest(of: bytes))
    }

    func delete(_ name: RelativePath, side: Side, expecting expected: Digest?) async throws(BridgeError) {
        try checkName(name)
        try simulation.withLock { simulation throws(BridgeError) in
            try simulation.refuseIfStopped()
            do throws(PutFailure) {
                let now = simulation.now
                try simulation.engine.delete(name, on: side, expecting: expected, at: now)
            } catch {
                if case .file(.missing) = error { throw .noDocument(name.description, side) }
                throw BridgeError(error, of: name, on: side)
            }
            simulation.changed()
        }
    }

    func wait(for documents: [RelativePath], timeout: Duration, rehash: Bool) async throws(BridgeError) {
        var asked: Set<RelativePath> = []
        for name in documents {
            let view = rules?.document(ofView: name.description)
            if view == nil { try checkName(name) }
            asked.formUnion([name] + [view.flatMap { RelativePath($0) }].compactMap(\.self))
        }
        let documents = asked.isEmpty ? nil : asked
        try simulation.withLock { simulation throws(BridgeError) in
            try simulation.wait(for: documents, timeout: timeout, rehash: rehash)
        }
    }

    func conflicts() async throws(BridgeError) -> [KeptConflict] {
        try decided(.conflict("")) { simulation throws(DecisionFailure) in
            try simulation.engine.conflicts()
        }
    }

    func resolve(_ id: String, taking taken: Taken) async throws(BridgeError) -> MadeEdit {
        if case .content(let bytes) = taken { try checkContent(bytes, of: id) }
        return try changed(.conflict(id)) { simulation throws(DecisionFailure) in
            try simulation.engine.resolve(id, taking: taken, at: simulation.now)
        }
    }

    func history(of name: RelativePath?) async throws(BridgeError) -> [TrashedContent] {
        try decided(.trash("")) { simulation throws(DecisionFailure) in
            try simulation.engine.history(of: name)
        }
    }

    func undo(_ id: String) async throws(BridgeError) -> MadeEdit {
        try changed(.trash(id)) { simulation throws(DecisionFailure) in
            try simulation.engine.undo(id, at: simulation.now)
        }
    }

    func allow(_ id: String) async throws(BridgeError) -> Allowed {
        try decided(.halt(id)) { simulation throws(DecisionFailure) in
            if let since = simulation.engine.pausedSince { throw .paused(since: since) }
            let allowed = try simulation.engine.allow(id)
            simulation.changed()
            return allowed
        }
    }

    func pause() async throws(BridgeError) -> BridgePause { try setPaused(true) }

    func resume() async throws(BridgeError) -> BridgePause { try setPaused(false) }

    private func setPaused(_ isPaused: Bool) throws(BridgeError) -> BridgePause {
        try simulation.withLock { simulation throws(BridgeError) in
            let before = simulation.engine.pausedSince
            do throws(JournalError) {
                if isPaused {
                    try simulation.engine.pause(at: simulation.now)
                } else {
                    try simulation.engine.resume()
                    simulation.changed()
                }
            } catch {
                throw .journal(error, path: "/state")
            }
            return BridgePause(before: before, now: simulation.engine.pausedSince)
        }
    }

    func widgets() async throws(BridgeError) -> [WidgetEntry] {
        simulation.withLock { $0.engine.placedWidgets }
    }

    func placeWidget(_ kind: String, family: String) async throws(BridgeError) -> WidgetEntry {
        let family = try checkedFamily(family, of: kind, in: rules)
        return try changed { engine, now throws(JournalError) in
            try engine.placeWidget(kind, family, at: now)
        }
    }

    func removeWidget(_ id: String) async throws(BridgeError) -> WidgetEntry {
        let removed = try changed { engine, now throws(JournalError) in
            try engine.removeWidget(id, at: now)
        }
        guard let removed else { throw .unknownID(.widget(id)) }
        return removed
    }

    func reloadLedger() async throws(BridgeError) -> [KindLedger] {
        simulation.withLock { $0.engine.reloadLedger(at: $0.now) }
    }

    func enter(
        _ activity: AppActivity,
        for time: Duration
    ) async throws(BridgeError) -> AppStateReport {
        try changed { engine, now throws(JournalError) in try engine.enter(activity, for: time, at: now) }
    }

    private func changed<Value: Sendable>(
        _ body: (inout Engine, Moment) throws(JournalError) -> Value
    ) throws(BridgeError) -> Value {
        try simulation.withLock { simulation throws(BridgeError) in
            do throws(JournalError) {
                let value = try body(&simulation.engine, simulation.now)
                simulation.changed()
                return value
            } catch {
                throw .journal(error, path: "/state")
            }
        }
    }

    func reloads(
        _ filter: ReloadFilter
    ) throws(BridgeError) -> AsyncThrowingStream<ReloadEvent, any Error> {
        if let kind = filter.kind { try checkKind(kind, isNamedBy: rules) }
        let subscription = ReloadSubscription(source: self, feed: feed, filter: filter)
        return AsyncThrowingStream { [self] in await next(of: subscription) }
    }

    func push(_ event: EventDraft) async throws(BridgeError) -> PushedEvent { try await inbox.push(event) }

    func events(_ request: EventRequest) async throws(BridgeError) -> [QueuedEvent] {
        try await inbox.events(request)
    }

    func acknowledge(_ ids: [String]) async throws(BridgeError) { try await inbox.acknowledge(ids) }

    func close() async {
        await inbox.close()
        feed.close()
    }

    private func next(of subscription: ReloadSubscription) async -> ReloadEvent? {
        simulation.withLock { simulation in
            simulation.readers += 1
            simulation.changed()
        }
        defer { simulation.withLock { $0.readers -= 1 } }
        return await subscription.next()
    }

    private func changed<Value: Sendable>(
        _ subject: BridgeError.Subject,
        _ body: (inout Simulation) throws(DecisionFailure) -> Value
    ) throws(BridgeError) -> Value {
        try decided(subject) { simulation throws(DecisionFailure) in
            if let since = simulation.engine.pausedSince { throw .paused(since: since) }
            if let halt = simulation.engine.halt { throw .halted(halt) }
            let value = try body(&simulation)
            simulation.changed()
            return value
        }
    }

    private func decided<Value: Sendable>(
        _ subject: BridgeError.Subject,
        _ body: (inout Simulation) throws(DecisionFailure) -> Value
    ) throws(BridgeError) -> Value {
        try simulation.withLock { simulation throws(BridgeError) in
            do throws(DecisionFailure) {
                return try body(&simulation)
            } catch {
                throw BridgeError(error, of: subject, journal: "/state")
            }
        }
    }

    private func checkName(_ name: RelativePath) throws(BridgeError) {
        if let excluded = rules?.filter.exclusion(of: name.description) {
            throw .notADocument(name.description, .known(.excluded(excluded)))
        }
        guard rules?.isDocument(name.description) ?? isDocumentName(name.description) else {
            throw .notADocument(name.description, .known(.notJSON))
        }
    }

    private func checkContent(_ bytes: [UInt8], of name: String) throws(BridgeError) {
        let standard = EngineSettings()
        let limits = JSONLimits(maxBytes: standard.maxDocument, maxDepth: standard.maxDepth)
        let rule = rules?.rule(for: name) ?? .plain(path: name)
        do throws(JSONError) {
            try rule.check(bytes, limits: limits)
        } catch {
            throw .invalidDocument(name, .json(error))
        }
        if let fault = BridgeError.ContentFault(in: bytes, heldBy: rule, limits: limits) {
            throw .invalidDocument(name, fault)
        }
    }
}

extension SimulatedBackend: ReloadSource {
    func currentNotices() async -> (last: Int64, notices: [SyncEngine.Notice])? {
        simulation.withLock { simulation in
            let at = simulation.now.unixMilliseconds
            return (simulation.feed.last, simulation.engine.currentNotices(at: at))
        }
    }

    /// `nil`, because the feed still has all notices.
    func notices(after cursor: Int64) async -> [SyncEngine.Notice]? { nil }
}
