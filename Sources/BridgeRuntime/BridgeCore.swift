import DirectoryReplica
import FileSystem
import Logging
import Model
import StateStore
import SyncEngine
import Watching

/// The engine, its watcher and the waiting requests: the state of the engine's thread.
struct BridgeCore: EngineThreadOccupant {
    var engine: Engine
    private let journal: SQLiteJournal
    let feed: ReloadFeed
    let rescan: Duration
    let paths: BridgePaths
    let logger: Logger
    /// Whether it keeps the containers in sync on its own; otherwise it acts only on request.
    let isAgent: Bool
    var watcher: Watcher?
    var nextRescan: Duration?
    var barriers: [SyncBarrier] = []
    var latencies = Latencies()
    var subscribers = AcknowledgingSubscribers()
    var tokens: UInt64 = 0
    private var log: EngineLog
    var nextPrune = Duration.zero
    private var hasPruned = false
    private var hasMarkedDamage = false
    /// Identifies the journal's file, to notice that it was removed.
    private let journalFile: FileIdentity?
    private let whenLost: AsyncStream<BridgeError>.Continuation
    private var isLost = false
    /// Both containers are watched (or watching is off), and all existing documents are marked dirty.
    private(set) var isWatched = false
    private var directories = DirectoriesToList()

    init(
        engine: Engine,
        journal: SQLiteJournal,
        paths: BridgePaths,
        feed: ReloadFeed,
        watcher: Watcher?,
        rescan: Duration,
        isAgent: Bool,
        logger: Logger,
        whenLost: AsyncStream<BridgeError>.Continuation
    ) {
        self.whenLost = whenLost
        journalFile = FileIdentity(of: paths.journal)
        self.engine = engine
        self.journal = journal
        (self.paths, self.feed, self.watcher) = (paths, feed, watcher)
        (self.rescan, self.logger) = (rescan, logger)
        log = EngineLog(logger, isAgent: isAgent)
        self.isAgent = isAgent
        isWatched = watcher == nil
        self.engine.tracksAccess = watcher != nil
        if watcher == nil, isAgent { nextRescan = .zero }
    }

    var descriptor: Int32? { watcher?.fileDescriptor }

    /// Without an agent only a `sync` writes: reading the status or a plan changes nothing.
    private var mayAct: Bool { isAgent || barriers.contains { $0.request.collects } }

    var deadline: Duration? {
        if isLost { return nil }
        let due = mayAct ? engine.deadline : nil
        let waited = barriers.compactMap(\.deadline).min()
        return [due, nextRescan, watcher?.deadline, waited].compactMap(\.self).min()
    }

    var wallDeadline: Int64? { mayAct && !isLost ? engine.reloadDeadline : nil }

    mutating func step() {
        let now = Clock.now
        if isLost || loseState() { return }
        takeHints(at: now)
        if let due = nextRescan, due <= now.uptime { lookAtEverything(at: now) }
        if mayAct, engine.deadline.map({ $0 <= now.uptime }) ?? false || engine.isReloadDue(at: now) {
            report(engine.turn(at: now))
        }
        if engine.hasQuestions { engine.asked(nextToken(), at: Clock.now) }
        log.report(engine)
        if hasPruned, !engine.isPruning {
            hasPruned = false
            log.reportPruning(engine.knownTrashUse)
        }
        if engine.journal.damage != nil, !hasMarkedDamage { hasMarkedDamage = paths.markDamage() }
        endBarriers()
    }

    /// If the journal was removed or replaced, what is recorded in it is lost when this process ends, and
    /// another bridge may start, as the lock went with it. So the bridge stops syncing.
    private mutating func loseState() -> Bool {
        guard let journalFile, journalFile.hasLeft(paths.journal) else { return false }
        isLost = true
        let error = JournalError.replaced
        logger.error("syncing stops", metadata: ["why": "the journal: \(error.reason)"])
        for barrier in barriers { barrier.end(.unrecorded(error)) }
        barriers = []
        whenLost.yield(.journal(error, path: paths.journal))
        return true
    }

    mutating func leave() {
        watcher?.close()
        for barrier in barriers { barrier.end(.stopped) }
        feed.close()
        do { try engine.recordTrash() } catch { logger.debug("trash", metadata: ["reason": "\(error)"]) }
        // Others keep the engine for a moment longer; the journal's lock is released before that.
        engine.writeLast(at: Clock.now)
        journal.close()
    }

    private mutating func takeHints(at now: Moment) {
        guard watcher != nil else { return }
        for hint in watcher?.drain(now: now.uptime) ?? [] { take(hint, at: now) }
        directories.list(in: &engine, at: now)
        if !isWatched, isPolling {
            isWatched = true
            lookAtEverything(at: now)
        }
    }

    private mutating func take(_ hint: Hint, at now: Moment) {
        switch hint {
        case .look(let side, let path):
            for document in engine.documents(in: path, on: side) {
                logger.debug("hint", metadata: ["document": "\(document)", "side": "\(side)"])
                let isFirst = !engine.isWaiting(document)
                if engine.pausedSince == nil { latencies.start(document, at: now.uptime, isFirst: isFirst) }
                engine.markDirty(document)
            }
        case .beneath(let side, let directory):
            engine.forgetEvidence(on: side, beneath: directory)
            directories.add(beneath: directory, on: side)
        case .evidence(let evidence, let side, let path): engine.hear(evidence, of: path, on: side)
        case .everything(let side, let reason):
            logger.info("rescanning", metadata: ["side": "\(side)", "reason": "\(reason)"])
            engine.forgetEvidence(on: side)
            engine.markAllDirty(at: now)
        case .unnamable(let side, let name):
            log.report(unnamable: name)
            directories.add(unnamable: name, on: side)
        case .token(let token):
            directories.list(in: &engine, at: now)
            engine.answered(token, at: now)
            answerBarriers(token)
        case .ready:
            isWatched = true
            lookAtEverything(at: now)
        }
    }

    /// Without kernel events, everything is read every second.
    var isPolling: Bool { isAgent && watcher?.mode.isPolling ?? true }

    mutating func lookAtEverything(at now: Moment, rehash: Bool = false) {
        if nextPrune <= now.uptime, engine.pausedSince == nil { pruneTrash(at: now) }
        engine.rememberStart()
        engine.markAllDirty(at: now, rehash: rehash)
        log.reportScan(of: engine)
        for side in Side.allCases { watcher?.send(rescan: side, at: now.uptime) }
        nextRescan = isAgent ? now.uptime + (watcher == nil ? Watcher.pollInterval : rescan) : nil
    }

    private static var pruneInterval: Duration { .seconds(600) }

    /// Deletes files from the trash. If any are to be deleted early, a warning is logged before.
    private mutating func pruneTrash(at now: Moment) {
        nextPrune = now.uptime + Self.pruneInterval
        do {
            try engine.pruneTrash(at: now, whole: !isAgent)
        } catch {
            logger.debug("trash", metadata: ["reason": "\(error)"])
        }
        hasPruned = true
    }

    private mutating func report(_ turn: Turn) {
        latencies.end(turn.published, at: Clock.uptime)
        feed.publish(turn.notices, of: engine.journal.instance)
        log.report(turn)
        for index in barriers.indices { barriers[index].collect(turn.changes) }
    }
}

/// The time from hint to publication of the last thousand changes.
struct Latencies {
    private static let kept = 1_000
    private var started: [RelativePath: Duration] = [:]
    private var microseconds: [Int32] = []
    private var index = 0

    /// - Parameter isFirst: what was hinted before was read, and led to no publication.
    mutating func start(_ path: RelativePath, at now: Duration, isFirst: Bool) {
        if started.count > 4_096 { started.removeAll() }
        if isFirst || started[path] == nil { started[path] = now }
    }

    /// Changes that were not published before a pause have no latency of the bridge's own.
    mutating func forgetStarted() { started.removeAll() }

    mutating func end(_ paths: [RelativePath], at now: Duration) {
        for path in paths { end(path, at: now) }
    }

    private mutating func end(_ path: RelativePath, at now: Duration) {
        guard let start = started.removeValue(forKey: path) else { return }
        let taken = Int32(
            clamping: (now - start).components.seconds * 1_000_000
                + (now - start).components.attoseconds / 1_000_000_000_000
        )
        if microseconds.count < Self.kept {
            microseconds.append(taken)
        } else {
            microseconds[index] = taken
            index = (index + 1) % Self.kept
        }
    }

    /// In microseconds; `nil` before the first change.
    func percentile(_ percent: Int) -> Int? {
        let sorted = microseconds.sorted()
        return sorted.isEmpty ? nil : Int(sorted[min(sorted.count - 1, sorted.count * percent / 100)])
    }
}

extension Watcher.Mode {
    var isPolling: Bool { if case .polling = self { true } else { false } }
}
