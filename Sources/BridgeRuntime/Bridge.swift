import DirectoryReplica
package import Documents
import FileSystem
package import Logging
import Model
import StateStore
import StoreReplica
import SyncEngine
import Synchronization
import Watching

/// A bridge in this process: two containers, a state directory, and a thread that keeps them in sync.
package final class Bridge: BridgeAccess {
    package let stateDirectory: String
    package var socketPath: String { stateDirectory + "/agent.sock" }

    let settings: BridgeSettings
    let paths: BridgePaths
    let engineThread: EngineThread<BridgeCore>
    let feed: ReloadFeed
    package let hookBoard = HookBoard()
    let inbox: EventInbox
    private let locks: Mutex<Locks?>
    private let losses: AsyncStream<BridgeError>
    /// The number of callers that have waited; each gets its own number.
    private let barriers = Atomic<UInt64>(0)

    package static func open(
        _ settings: BridgeSettings,
        logger: Logger,
        watching: Bool
    ) async throws(BridgeError) -> Bridge {
        try await open(settings, logger: logger, for: watching ? .agent : .command)
    }

    /// Opens a bridge and takes its locks.
    package static func open(
        _ settings: BridgeSettings,
        logger: Logger,
        for use: BridgeUse
    ) async throws(BridgeError) -> Bridge {
        var paths = try BridgePaths(settings, needsSocket: use == .agent)
        if use.onlyLooks { try paths.useScratch(always: use == .examine) }
        do throws(BridgeError) {
            return try await open(settings, &paths, logger: logger, for: use)
        } catch {
            paths.removeScratch()
            throw error
        }
    }

    private static func open(
        _ settings: BridgeSettings,
        _ paths: inout BridgePaths,
        logger: Logger,
        for use: BridgeUse
    ) async throws(BridgeError) -> Bridge {
        let locks = try await takeLocks(paths, for: use)
        var journal = try paths.openJournal(logger: logger)
        try paths.adopt(settings.layouts, in: &journal, logger: logger)
        let last: Int64
        do { last = try journal.lastNotice() } catch { throw paths.unusable(error) }
        let feed = ReloadFeed(last: last, instance: journal.instance)
        let (losses, whenLost) = AsyncStream<BridgeError>.makeStream()
        let engineThread = try await EngineThread<BridgeCore> { [paths, journal] () throws(BridgeError) in
            try BridgeCore(
                settings,
                paths,
                journal,
                feed: feed,
                watching: use == .agent,
                logger: logger,
                whenLost: whenLost
            )
        }
        return Bridge(settings, paths, engineThread, feed, losses, locks)
    }

    /// Without a state directory, takes the lock of the pair first: if that is refused, no directory is left
    /// behind.
    private static func takeLocks(_ paths: BridgePaths, for use: BridgeUse) async throws(BridgeError) -> Locks
    {
        let patiently = use != .agent
        if !use.onlyLooks, !paths.hasState {
            do throws(BridgeError) {
                let pair = try await paths.takePair(patiently: patiently)
                try paths.makeState()
                let lock = try await paths.takeLock(patiently: patiently)
                lock.record(pair)
                return Locks(process: lock, pair: pair)
            } catch {
                // The process that took the lock made this state directory meanwhile, so waits for that
                // process.
                guard case .pairTaken = error, paths.hasState else { throw error }
            }
        }
        if use.onlyLooks { try await paths.refuseTakenPair() }
        if paths.scratch == nil { try paths.makeState() }
        let lock = try await paths.takeLock(patiently: patiently)
        if use.onlyLooks { return Locks(process: lock, pair: nil) }
        let pair = try await paths.takePair(patiently: patiently)
        lock.record(pair)
        return Locks(process: lock, pair: pair)
    }

    private struct Locks: ~Copyable {
        var process: ProcessLock
        var pair: PairLock?
    }

    private init(
        _ settings: BridgeSettings,
        _ paths: BridgePaths,
        _ engineThread: EngineThread<BridgeCore>,
        _ feed: ReloadFeed,
        _ losses: AsyncStream<BridgeError>,
        _ locks: consuming Locks
    ) {
        self.settings = settings
        self.paths = paths
        self.engineThread = engineThread
        self.feed = feed
        inbox = EventInbox(paths, settings.profile)
        self.losses = losses
        self.locks = Mutex(locks)
        stateDirectory = paths.state
    }

    deinit { engineThread.shut() }

    package var zone: JSONExpression.Zone? { settings.engine.zone }

    package var identity: BridgeIdentity? {
        // Where the containers' paths lead now, as a client that names them by the same links finds out.
        let now = paths.named.map { (try? BridgeSettings.realPath($0)) ?? $0 }
        return BridgeIdentity(app: now.app, group: now.group, of: settings)
    }

    /// The counts for a line of status; `nil` if the bridge is closed.
    package struct Summary: Sendable {
        package var documents: Int
        package var held: Int
        package var isHalted: Bool
        package var isPaused: Bool
    }

    package func summary() async -> Summary? {
        await engineThread.run { core in
            Summary(
                documents: core.engine.documentCount,
                held: core.engine.heldCount,
                isHalted: core.engine.halt != nil,
                isPaused: core.engine.pausedSince != nil
            )
        }
    }

    /// Returns once both containers are watched and in sync, or the bridge is halted, paused or holds
    /// documents.
    package func ready() async {
        _ = await outcome { core, number, end in core.waitUntilReady(number, end) }
    }

    /// Keeps the bridge open until the task is cancelled, then closes it. Throws if its state directory is
    /// gone.
    package func run() async throws(BridgeError) {
        var losses = losses.makeAsyncIterator()
        let loss = await losses.next()
        await close()
        if let loss { throw loss }
    }

    /// Ends the thread, then releases the locks.
    package func close() async {
        await inbox.close()
        await engineThread.close()
        locks.withLock { $0 = nil }
        paths.removeScratch()
    }

    func outcome(of request: SyncBarrier.Request) async -> SyncBarrier.Outcome {
        await outcome { core, number, end in core.wait(number, request, end) }
    }

    /// `.stopped` once the caller's task is cancelled.
    private func outcome(
        _ start:
            @escaping @Sendable (
                inout BridgeCore, _ number: UInt64, @escaping @Sendable (SyncBarrier.Outcome) -> Void
            ) -> Void
    ) async -> SyncBarrier.Outcome {
        let number = barriers.add(1, ordering: .relaxed).newValue
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOpen = engineThread.post { core in
                    start(&core, number) { continuation.resume(returning: $0) }
                }
                if !isOpen { continuation.resume(returning: .stopped) }
                // The task was cancelled before the request was posted, so abandoning it then had no effect.
                if Task.isCancelled { abandon(number) }
            }
        } onCancel: {
            abandon(number)
        }
    }

    private func abandon(_ number: UInt64) { engineThread.post { core in core.abandonBarrier(number) } }
}

extension BridgePaths {
    fileprivate var containers: BothSides<String> { BothSides(app: app, group: group) }
}

extension BridgeSettings {
    fileprivate var layouts: BothSides<StoreLayout> {
        BothSides { StoreLayout(profile, on: $0, of: stores[$0]) }
    }
}

extension BridgeCore {
    init(
        _ settings: BridgeSettings,
        _ paths: BridgePaths,
        _ journal: SQLiteJournal,
        feed: ReloadFeed,
        watching: Bool,
        logger: Logger,
        whenLost: AsyncStream<BridgeError>.Continuation
    ) throws(BridgeError) {
        let (now, files) = (Clock.now, try paths.openFiles())
        let watcher =
            watching && !settings.polling
            ? Watcher(
                roots: paths.named,
                helper: settings.helper,
                evidence: true,
                now: now.uptime
            ) { line in
                logger.warning("\(line)")
            } : nil
        self.init(
            engine: try Self.engine(settings, paths, journal, files, at: now),
            journal: journal,
            paths: paths,
            feed: feed,
            watcher: watcher,
            rescan: settings.rescan,
            isAgent: watching,
            logger: logger,
            whenLost: whenLost
        )
    }

    private static func engine(
        _ settings: BridgeSettings,
        _ paths: BridgePaths,
        _ journal: SQLiteJournal,
        _ files: LinuxFileSystem,
        at now: Moment
    ) throws(BridgeError) -> Engine {
        let pause = try paths.pause(in: journal)
        do {
            return try Engine(
                replicas: BothSides(
                    of: files,
                    at: paths.containers,
                    settings.layouts,
                    onlyLooks: paths.onlyLooks
                ),
                state: StateDirectory(files),
                journal: journal,
                profile: settings.profile,
                settings: settings.engine.local,
                number: UInt64(max(0, now.unixNanoseconds)),
                boot: BridgePaths.boot,
                pause: pause
            )
        } catch {
            switch error {
            case .journal(let error): throw paths.unusable(error)
            case .otherProfile(let known, let named):
                throw .otherProfile(known: known, named: named, state: paths.state)
            case .state(let error): throw .file(error)
            }
        }
    }
}
