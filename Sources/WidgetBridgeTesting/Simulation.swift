import BridgeRuntime
import DirectoryReplica
import Documents
import FileSystem
import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import WidgetBridge

/// Two containers in memory with the engine between them. Time passes only in its methods.
struct Simulation {
    let disk = SimulatedDisk()
    let feed: ReloadFeed
    var engine: Engine
    private(set) var now: Moment
    /// The number of readers that wait for a notice. While there are any, time passes after each change.
    var readers = 0
    private let journal = MemoryJournal(instance: "simulated")
    private var barriers: UInt64 = 0

    init(profile: Profile?) throws(EngineError) {
        now = Moment(uptime: .zero, unixNanoseconds: disk.now)
        feed = ReloadFeed(last: 0, instance: journal.instance)
        engine = try Engine(
            replicas: BothSides(of: disk),
            state: StateDirectory(disk),
            journal: journal,
            profile: profile,
            settings: EngineSettings(durability: .none),
            number: 1
        )
        engine.markAllDirty(at: now)
        settle(within: .seconds(60))
    }

    /// Lets time pass after a change if a reader waits for a notice.
    mutating func changed() { if readers > 0 { settle(within: .seconds(60)) } }

    /// Works until nothing is due any more, or the time is over.
    @discardableResult
    mutating func settle(within limit: Duration) -> [SyncEngine.Notice] {
        var notices: [SyncEngine.Notice] = []
        let end = now.uptime + limit
        while let deadline = engine.deadline(from: now), deadline <= end { notices += turn(at: deadline) }
        // Each call brings work that is due later closer.
        if engine.deadline != nil { pass(to: end) }
        return notices
    }

    /// Waits as an agent does, in virtual time.
    mutating func wait(for documents: Set<RelativePath>?, timeout: Duration, rehash: Bool)
        throws(BridgeError)
    {
        barriers += 1
        let (number, end) = (barriers, now.uptime + timeout)
        if rehash { engine.markAllDirty(at: now, rehash: true) }
        engine.retryHolds()
        defer { engine.endBarrier(number) }
        var hasBegun = false
        while true {
            try refuseIfStopped()
            if !hasBegun { hasBegun = engine.beginBarrier(number, over: documents) }
            if hasBegun, engine.hasPassed(barrier: number) { break }
            guard let deadline = engine.deadline(from: now), deadline <= end else {
                pass(to: end)
                throw .timedOut(timeout)
            }
            turn(at: deadline)
        }
        if let row = engine.heldDocuments(among: documents).first {
            throw .held(document: row.name, reason: row.reason.map { .known($0) }, row.problem)
        }
    }

    /// Throws while the bridge is halted or paused.
    func refuseIfStopped() throws(BridgeError) {
        if let since = engine.pausedSince { throw .paused(since: UTCTime.text(since)) }
        if let halt = engine.halt { throw .halted(reason: .known(halt)) }
    }

    @discardableResult
    private mutating func turn(at deadline: Duration) -> [SyncEngine.Notice] {
        pass(to: deadline)
        let turn = engine.turn(at: now)
        feed.publish(turn.notices, of: journal.instance)
        return turn.notices
    }

    private mutating func pass(to uptime: Duration) {
        guard uptime > now.uptime else { return }
        now.unixNanoseconds += Int64((uptime - now.uptime) / .nanoseconds(1))
        now.uptime = uptime
        disk.now = now.unixNanoseconds
    }

    /// Saves as a program does, and creates missing directories. Returns `false` if the name belongs to
    /// something other than a file.
    mutating func save(_ bytes: [UInt8], as file: Location) -> Bool {
        var above = file.path.directory
        var missing: [RelativePath] = []
        while let directory = above {
            missing.append(directory)
            above = directory.directory
        }
        for directory in missing.reversed() { disk.world.makeDirectory(Location(file.root, directory)) }
        guard disk.world.save(file, bytes) else { return false }
        engine.markDirty(file.path)
        changed()
        return true
    }

    /// Deletes as a program does. Returns `false` if there is no document.
    mutating func delete(_ file: Location) -> Bool {
        guard disk.world.delete(file) else { return false }
        engine.markDirty(file.path)
        changed()
        return true
    }

    func status() -> BridgeStatus {
        let pausedSince = engine.pausedSince.map { UTCTime.text($0) }
        let pause = pausedSince.map { BridgeStatus.Reason.paused(since: $0) }
        let known = pause == nil ? engine.known() : engine.rehearsed()
        let halt = pause == nil ? known.halt : nil
        var status = BridgeStatus(
            state: pause != nil ? .paused : halt == nil ? .running : .halted,
            reason: (pause ?? halt.map { .halted($0) }).map { .known($0) },
            watch: .inotify,
            commit: engine.commitInUse,
            durability: engine.settings.durability.rawValue,
            counters: BridgeStatus.Counters(),
            app: "/app",
            group: "/group",
            stateDirectory: "/state",
            process: nil,
            instance: journal.instance,
            documents: known.rows.map(BridgeStatus.Document.init)
        )
        status.allow = halt == nil ? nil : known.permit
        status.pausedSince = pausedSince
        return status
    }
}
