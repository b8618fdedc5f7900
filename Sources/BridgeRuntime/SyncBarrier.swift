import Model
import StateStore
import SyncEngine
import Watching

/// A request that waits until all earlier saves are in sync.
struct SyncBarrier: Sendable {
    enum Outcome: Sendable {
        case settled([PlannedChange])
        case halted(Halt)
        /// Milliseconds since 1970.
        case paused(since: Int64)
        case held(DocumentRow)
        /// The result cannot be recorded.
        case unrecorded(JournalError)
        case timedOut
        /// Nothing moves: what is not in sync may stay so, and is held by what the documents' rows say.
        case stalled([PlannedChange])
        case stopped
    }

    struct Request: Sendable {
        /// `nil` for all documents.
        var documents: Set<RelativePath>?
        var timeout: Duration?
        /// It ends this long after the last progress.
        var patience: Duration?
        var rehash = false
        /// Collects what is done, and does not end with an error for held documents.
        var collects = false
        /// Also waits for saves in replaced files that programs keep open.
        var includesOpenFiles = true
        /// Called with the number of documents that are done.
        var meanwhile: ScanProgress.Watcher?

        /// A program may keep a file open for as long as it runs.
        static let untilReady = Self(collects: true, includesOpenFiles: false)
    }

    let number: UInt64
    let request: Request
    /// The token that the watcher returns once all earlier hints have arrived.
    var token: UInt64?
    /// The engine has fixed the set of changes to wait for.
    var hasBarrier = false
    private(set) var deadline: Duration?
    /// The fewest documents that waited since the last change.
    private var fewest = Int.max
    private var progress = ScanProgress()
    /// The last change of each kind per document, so that a long wait uses little memory.
    private(set) var changes: [ChangeKey: PlannedChange] = [:]
    let end: @Sendable (Outcome) -> Void

    struct ChangeKey: Hashable {
        var document: RelativePath?
        var action: PlannedChange.Action
    }

    init(
        _ number: UInt64,
        _ request: Request,
        token: UInt64?,
        waiting: Int = 0,
        at now: Duration,
        end: @escaping @Sendable (Outcome) -> Void
    ) {
        self.number = number
        self.request = request
        self.token = token
        deadline = (request.timeout ?? request.patience).map { now + $0 }
        self.end = end
        progress.count(waiting: waiting)
    }

    func hasPassed(in engine: Engine) -> Bool {
        engine.hasPassed(barrier: number, includesOpenFiles: request.includesOpenFiles)
    }

    mutating func collect(_ more: [PlannedChange]) {
        guard request.collects else { return }
        for change in more {
            let key = ChangeKey(document: RelativePath(change.document), action: change.action)
            changes[key] = change
            if change.action != .hold { fewest = .max }
        }
    }

    /// A change is progress, and so is that fewer documents wait.
    mutating func extend(waiting: Int, at now: Duration) {
        if let meanwhile = request.meanwhile {
            progress.count(waiting: waiting)
            meanwhile(progress)
        }
        guard let patience = request.patience, hasBarrier, waiting < fewest else { return }
        (fewest, deadline) = (waiting, now + patience)
    }
}

extension BridgeCore {
    /// Ends once every write that ended before this call is in sync, or with the reason why that will not
    /// happen.
    mutating func wait(
        _ number: UInt64,
        _ request: SyncBarrier.Request,
        _ end: @escaping @Sendable (SyncBarrier.Outcome) -> Void
    ) {
        let now = Clock.now
        if request.rehash || request.collects || watcher == nil || isPolling {
            lookAtEverything(at: now, rehash: request.rehash)
        }
        engine.retryHolds()
        let token = watcher?.mode.isPolling == false ? nextToken() : nil
        let waiting = engine.debounceQueue.count
        barriers.append(.init(number, request, token: token, waiting: waiting, at: now.uptime, end: end))
    }

    /// Ends once both containers are watched and the first scan is reconciled, or halted, paused or held.
    mutating func waitUntilReady(_ number: UInt64, _ end: @escaping @Sendable (SyncBarrier.Outcome) -> Void) {
        barriers.append(SyncBarrier(number, .untilReady, token: nil, at: .zero, end: end))
    }

    /// The caller no longer waits.
    mutating func abandonBarrier(_ number: UInt64) {
        guard let index = barriers.firstIndex(where: { $0.number == number }) else { return }
        engine.endBarrier(number)
        barriers.remove(at: index).end(.stopped)
    }

    mutating func nextToken() -> UInt64 {
        tokens += 1
        watcher?.send(token: tokens, at: Clock.uptime)
        return tokens
    }

    /// All hints from before this token was sent have arrived.
    mutating func answerBarriers(_ token: UInt64) {
        for index in barriers.indices where barriers[index].token == token { barriers[index].token = nil }
        beginBarriers()
    }

    private mutating func beginBarriers() {
        guard isWatched else { return }
        for index in barriers.indices where !barriers[index].hasBarrier && barriers[index].token == nil {
            let barrier = barriers[index]
            barriers[index].hasBarrier = engine.beginBarrier(barrier.number, over: barrier.request.documents)
        }
    }

    mutating func endBarriers() {
        guard !barriers.isEmpty else { return }
        beginBarriers()
        let now = Clock.uptime
        var left: [SyncBarrier] = []
        for var barrier in barriers {
            barrier.extend(waiting: engine.debounceQueue.count, at: now)
            if let outcome = outcome(of: barrier, at: now) {
                engine.endBarrier(barrier.number)
                barrier.end(outcome)
            } else {
                left.append(barrier)
            }
        }
        barriers = left
    }

    private func outcome(of barrier: SyncBarrier, at now: Duration) -> SyncBarrier.Outcome? {
        let collects = barrier.request.collects
        if let since = engine.pausedSince, !collects || (isWatched && barrier.token == nil) {
            return .paused(since: since)
        }
        if let halt = engine.halt {
            if !collects { return .halted(halt) }
            if isWatched, barrier.token == nil { return .settled(Array(barrier.changes.values)) }
        }
        if let error = engine.journal.trouble(at: now) { return .unrecorded(error) }
        if engine.halt == nil, hasPassed(barrier) {
            if !collects, let held = engine.heldDocuments(among: barrier.request.documents).first {
                return .held(held)
            }
            return .settled(Array(barrier.changes.values))
        }
        guard let deadline = barrier.deadline, deadline <= now else { return nil }
        return collects ? .stalled(Array(barrier.changes.values)) : .timedOut
    }

    /// Without an agent, a `sync` must leave nothing to do.
    private func hasPassed(_ barrier: SyncBarrier) -> Bool {
        barrier.hasPassed(in: engine) && (isAgent || engine.isSettled)
    }
}
