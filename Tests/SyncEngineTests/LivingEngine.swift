import DirectoryReplica
import Documents
import FileSystem
import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

typealias LivingEngine = LivingProcess<MemoryJournal>

/// A process whose engine runs on while the disk changes.
final class LivingProcess<Log: Journal> {
    private let disk: SimulatedDisk
    private(set) var now: Moment
    /// The duration of each turn.
    var turnTime = Duration.zero
    var engine: Engine
    private(set) var done: [PlannedChange] = []
    private(set) var notices: [Notice] = []

    init(
        _ disk: SimulatedDisk,
        _ journal: Log,
        profile: Profile? = nil,
        settings: EngineSettings = EngineSettings(durability: .none)
    ) throws {
        self.disk = disk
        try disk.restart()
        now = Moment(uptime: .zero, unixNanoseconds: disk.now)
        engine = try Engine(
            replicas: BothSides(of: disk),
            state: StateDirectory(disk),
            journal: journal,
            profile: profile,
            settings: settings,
            number: numberOfRun(disk),
            pause: PauseState(text: try journal.value(of: PauseState.key))
        )
    }

    /// Checks everything, and runs until nothing is due for two seconds; returns the halt.
    @discardableResult
    func live() -> Halt? {
        engine.markAllDirty(at: now)
        return proceed()
    }

    /// The same without checking everything first.
    @discardableResult
    func proceed(hearingOf news: Location? = nil, for time: Duration = .seconds(2)) -> Halt? {
        if let news { engine.markDirty(news.path) }
        var end = now.uptime + time
        while let deadline = engine.deadline(from: now), deadline <= end {
            end += turnTime
            turn()
            pass(turnTime)
        }
        pass(max(.zero, end - now.uptime))
        return engine.halt
    }

    /// Runs the next turn that is due.
    func turn() {
        pass(max(.zero, (engine.deadline(from: now) ?? now.uptime) - now.uptime))
        let turn = engine.turn(at: now)
        done += turn.changes
        notices += turn.notices
    }

    /// The same with a hint for everything beneath a directory.
    @discardableResult
    func proceed(beneath directory: RelativePath?, of side: Side) -> Halt? {
        engine.markDirty(beneath: Subtrees([directory]), on: side, at: now)
        return proceed()
    }

    func hear(beneath directory: RelativePath?, of side: Side) {
        engine.markDirty(beneath: Subtrees([directory]), on: side, at: now)
    }

    /// Sets the clock, which rings the alarm for reloads.
    func setClock(by time: Duration) {
        now.unixNanoseconds += Int64(time / .nanoseconds(1))
        disk.now = now.unixNanoseconds
        if engine.isReloadDue(at: now) { notices += engine.turn(at: now).notices }
    }

    /// Lets time pass without a turn.
    func miss(_ time: Duration) { pass(time) }

    private func pass(_ time: Duration) {
        now.uptime += time
        now.unixNanoseconds += Int64(time / .nanoseconds(1))
        disk.now = now.unixNanoseconds
    }

    func resolve(_ id: String, taking taken: Taken) throws -> MadeEdit {
        try engine.resolve(id, taking: taken, at: now)
    }

    func undo(_ id: String) throws -> MadeEdit { try engine.undo(id, at: now) }

    func allow() throws -> Allowed {
        let id = try #require(engine.permit)
        return try engine.allow(id)
    }
}

/// As large as a bridge's, which begins with the nanoseconds since 1970; later runs have larger ones.
func numberOfRun(_ disk: SimulatedDisk) -> UInt64 { 1_800_000_000_000_000_000 + UInt64(disk.calls) }

func inApp(_ name: String) -> Location { place(.app, name) }
func inGroup(_ name: String) -> Location { place(.group, name) }

private func place(_ side: Side, _ name: String) -> Location {
    guard let path = RelativePath(name) else { preconditionFailure("no path: \(name)") }
    return Location(side, path)
}

extension SimulatedDisk {
    func text(_ place: Location) -> String? { world.read(place).map { String(decoding: $0, as: UTF8.self) } }
}
