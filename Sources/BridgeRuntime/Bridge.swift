import Documents
package import Logging
import Reconciliation
import Storage
import SyncEngine
import Synchronization
import Watching

/// One bridge in this process: two containers, a state directory, and a lane that keeps them in sync.
package final class Bridge: BridgeAccess {
    package let stateDirectory: String
    package var socketPath: String { stateDirectory + "/agent.sock" }

    let settings: BridgeSettings
    let places: BridgePlaces
    let lane: Lane<BridgeCore>
    let feed: ReloadFeed
    private let locks: Mutex<Locks?>
    private let losses: AsyncStream<BridgeError>
    /// How many have waited: each has a number of its own.
    private let waits = Atomic<UInt64>(0)

    /// How a bridge is opened.
    package enum Use: Sendable {
        /// Keeps the containers in sync from now on.
        case agent
        /// Acts only when it is asked to.
        case command
        /// Writes nothing, not even a state directory.
        case look
    }

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
        for use: Use
    ) async throws(BridgeError) -> Bridge {
        var places = try BridgePlaces(settings, needsSocket: use == .agent)
        if use == .look { try places.useScratchWithoutJournal() }
        do throws(BridgeError) {
            return try await open(settings, places, logger: logger, for: use)
        } catch {
            places.removeScratch()
            throw error
        }
    }

    private static func open(
        _ settings: BridgeSettings,
        _ places: BridgePlaces,
        logger: Logger,
        for use: Use
    ) async throws(BridgeError) -> Bridge {
        let locks = try await takeLocks(places, for: use)
        let journal = try places.openJournal(logger: logger)
        let last: Int64
        do { last = try journal.lastNotice() } catch { throw places.unusable(error) }
        let feed = ReloadFeed(last: last, instance: journal.instance)
        let (losses, whenLost) = AsyncStream<BridgeError>.makeStream()
        let lane = try await Lane<BridgeCore> { () throws(BridgeError) in
            try BridgeCore(
                settings,
                places,
                journal,
                feed: feed,
                watching: use == .agent,
                logger: logger,
                whenLost: whenLost
            )
        }
        return Bridge(settings, places, lane, feed, losses, locks)
    }

    /// Where there is no state yet, the pair comes first: who is refused it leaves no directory behind.
    private static func takeLocks(_ places: BridgePlaces, for use: Use) async throws(BridgeError) -> Locks {
        let patiently = use != .agent
        if use != .look, !places.hasState {
            do throws(BridgeError) {
                let pair = try await places.takePair(patiently: patiently)
                try places.makeState()
                let lock = try await places.takeLock(patiently: patiently)
                lock.note(pair)
                return Locks(process: lock, pair: pair)
            } catch {
                // Who took it made this very state meanwhile, and is waited for as its holder.
                guard case .pairTaken = error, places.hasState else { throw error }
            }
        }
        if places.scratch == nil { try places.makeState() }
        let lock = try await places.takeLock(patiently: patiently)
        if use == .look { return Locks(process: lock, pair: nil) }
        let pair = try await places.takePair(patiently: patiently)
        lock.note(pair)
        return Locks(process: lock, pair: pair)
    }

    private struct Locks: ~Copyable {
        var process: ProcessLock
        var pair: PairLock?
    }

    private init(
        _ settings: BridgeSettings,
        _ places: BridgePlaces,
        _ lane: Lane<BridgeCore>,
        _ feed: ReloadFeed,
        _ losses: AsyncStream<BridgeError>,
        _ locks: consuming Locks
    ) {
        self.settings = settings
        self.places = places
        self.lane = lane
        self.feed = feed
        self.losses = losses
        self.locks = Mutex(locks)
        stateDirectory = places.state
    }

    deinit { lane.shut() }

    package var identity: BridgeIdentity? {
        BridgeIdentity(app: places.app, group: places.group, of: settings)
    }

    /// Returns once both trees are watched and reconciled, or the bridge is halted or holding.
    package func ready() async {
        _ = await outcome { core, number, end in core.waitUntilReady(number, end) }
    }

    /// Keeps the bridge open until the task is cancelled, then closes it. Throws where its state is gone.
    package func run() async throws(BridgeError) {
        var losses = losses.makeAsyncIterator()
        let loss = await losses.next()
        await close()
        if let loss { throw loss }
    }

    /// Ends the lane, then lets go of the locks.
    package func close() async {
        await lane.close()
        locks.withLock { $0 = nil }
        places.removeScratch()
    }

    func outcome(of request: Wait.Request) async -> Wait.Outcome {
        await outcome { core, number, end in core.wait(number, request, end) }
    }

    /// `.stopped` once the task is cancelled: who has asked is gone.
    private func outcome(
        _ start:
            @escaping @Sendable (
                inout BridgeCore, _ number: UInt64, @escaping @Sendable (Wait.Outcome) -> Void
            ) -> Void
    ) async -> Wait.Outcome {
        let number = waits.add(1, ordering: .relaxed).newValue
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOpen = lane.post { core in
                    start(&core, number) { continuation.resume(returning: $0) }
                }
                if !isOpen { continuation.resume(returning: .stopped) }
                // What was cancelled before it was posted has been abandoned too early.
                if Task.isCancelled { abandon(number) }
            }
        } onCancel: {
            abandon(number)
        }
    }

    private func abandon(_ number: UInt64) { lane.post { core in core.abandonWait(number) } }
}

extension BridgeCore {
    init(
        _ settings: BridgeSettings,
        _ places: BridgePlaces,
        _ journal: SQLiteJournal,
        feed: ReloadFeed,
        watching: Bool,
        logger: Logger,
        whenLost: AsyncStream<BridgeError>.Continuation
    ) throws(BridgeError) {
        let now = Clock.now
        let files = try places.openFiles()
        let watcher =
            watching && !settings.polling
            ? Watcher(
                roots: BothSides(app: places.app, group: places.group),
                evidence: true,
                now: now.uptime
            ) { line in
                logger.warning("\(line)")
            } : nil
        self.init(
            engine: try Self.engine(settings, places, journal, files, at: now),
            journal: journal,
            places: places,
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
        _ places: BridgePlaces,
        _ journal: SQLiteJournal,
        _ files: LinuxFileSystem,
        at now: Moment
    ) throws(BridgeError) -> Engine {
        do {
            return try Engine(
                files: files,
                journal: journal,
                profile: settings.profile,
                settings: settings.engine,
                number: UInt64(max(0, now.unixNanoseconds)),
                boot: BridgePlaces.boot
            )
        } catch {
            switch error {
            case .journal(let error): throw places.unusable(error)
            case .otherProfile(let known, let named):
                throw .otherProfile(known: known, named: named, state: places.state)
            case .state(let error): throw .file(error)
            }
        }
    }
}
