import DirectoryReplica
import FileSystem
import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

/// Other writers at the same time: programs that put through the bridge, and a second bridge.
@Suite struct ManyWritersTests {
    private let disk = SimulatedDisk()
    private let path: RelativePath
    private var engine: Engine
    private var now = Moment(uptime: .seconds(1), unixNanoseconds: 1_000_000_000_000)

    init() throws {
        path = try #require(RelativePath("a.json"))
        engine = try Engine(
            replicas: BothSides(of: disk),
            state: StateDirectory(disk),
            journal: MemoryJournal(instance: "m"),
            profile: nil,
            settings: EngineSettings(durability: .none),
            number: 1
        )
    }

    private mutating func rest() -> [PlannedChange] {
        var changes: [PlannedChange] = []
        while let deadline = engine.deadline {
            now.uptime = max(now.uptime, deadline)
            changes += engine.turn(at: now).changes
        }
        return changes
    }

    private func text(_ side: Side) -> String? {
        disk.world.read(Location(side, path)).map { String(decoding: $0, as: UTF8.self) }
    }

    private func save(_ text: String, _ side: Side) {
        disk.world.save(Location(side, path), Array(text.utf8))
    }

    @Test mutating func `of a burst of puts three are synced at once, and the last after them`() throws {
        var changes: [PlannedChange] = []
        for number in 1...9 {
            let bytes = Array("{\"n\":\(number)}".utf8)
            try engine.put(bytes, as: path, on: .group, expecting: nil, at: now)
            changes += engine.turn(at: now).changes
            #expect(text(.app) == "{\"n\":\(min(number, 3))}")
            now.uptime += .milliseconds(1)
        }
        #expect(changes.count == 3)
        let rest = rest()
        #expect(rest.count == 1)
        #expect(text(.app) == #"{"n":9}"#)
        #expect(now.uptime < .seconds(1) + DebounceQueue.together * 2)
    }

    /// It has displaced the app's save, and will merge that itself.
    @Test mutating func `what a second bridge has synced undoes nothing`() throws {
        save("{}", .app)
        engine.markAllDirty(at: now)
        _ = rest()
        save(#"{"k":1}"#, .group)
        save(#"{"j":1}"#, .app)
        let app = Location(Root.app, path)
        disk.meanwhile = { [disk, path] call, place in
            guard call == .rename, place?.root == Root.app, place?.path.name != path.name else { return }
            disk.meanwhile = { _, _ in }
            disk.world.save(app, Array(#"{"k":1}"#.utf8))
        }
        engine.markDirty(path)
        _ = rest()
        engine.markAllDirty(at: now)
        _ = rest()
        #expect(text(.app) == #"{"k":1,"j":1}"#)
        #expect(text(.group) == #"{"k":1,"j":1}"#)
    }

    /// Whether a program still has it open is unknown, so it is read only after a delay.
    @Test mutating func `a save equal to the other side's content does not restore that later`() throws {
        disk.knowsWriters = false
        save("{}", .app)
        engine.markAllDirty(at: now)
        _ = rest()
        now.uptime += .milliseconds(100)
        save(#"{"k":1}"#, .app)
        disk.meanwhile = { [disk, path] call, place in
            guard call == .rename, place?.root == .group else { return }
            disk.meanwhile = { _, _ in }
            disk.world.save(Location(Side.group, path), Array(#"{"k":1}"#.utf8))
        }
        engine.markDirty(path)
        _ = engine.turn(at: now)
        now.uptime += .milliseconds(100)
        save(#"{"j":2}"#, .app)
        engine.markDirty(path)
        _ = engine.turn(at: now)
        #expect(text(.group) == #"{"j":2}"#)
        _ = rest()
        #expect(text(.app) == #"{"j":2}"#)
        #expect(text(.group) == #"{"j":2}"#)
    }
}
