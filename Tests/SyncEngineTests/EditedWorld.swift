import DirectoryReplica
import Documents
import FileSystem
import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

/// A bridge on a simulated disk, whose profile is edited from run to run.
final class EditedWorld {
    let disk = SimulatedDisk()
    private var journal = MemoryJournal(instance: "e")
    private var now = Duration.seconds(100)
    private(set) var engine: Engine?
    /// The notices and changes of the last run.
    private(set) var notices: [Notice] = []
    private(set) var changes: [PlannedChange] = []

    /// Runs a new process with that profile (`nil`: without one) until it has nothing left to do.
    func run(_ profile: String?, changing: Bool = false) throws {
        now += .seconds(10)
        (notices, changes) = ([], [])
        var engine = try engine(profile, changing: changing)
        defer { self.engine = engine }
        engine.rememberStart()
        engine.markAllDirty(at: moment)
        for _ in 0..<100 {
            guard !disk.isDead, let deadline = engine.deadline, deadline < now + .seconds(5) else { return }
            now = max(now, deadline) + .milliseconds(1)
            let turn = engine.turn(at: moment)
            notices += turn.notices
            changes += turn.changes
        }
        Issue.record("it does not come to rest")
    }

    /// Removes the journal.
    func loseJournal() { journal = MemoryJournal(instance: "f") }

    func engine(_ profile: String?, changing: Bool = false) throws -> Engine {
        try Engine(
            replicas: BothSides(of: disk),
            state: StateDirectory(disk),
            journal: journal,
            profile: try profile.map { try Profile(yaml: $0, file: "notes.yaml") },
            settings: EngineSettings(changesProfile: changing),
            number: UInt64(disk.calls + 1) << 8
        )
    }

    private var moment: Moment {
        disk.now = 1_000_000_000_000 + now.components.seconds * 1_000_000_000
        return Moment(uptime: now, unixNanoseconds: disk.now)
    }

    func place(_ name: String, _ side: Side) -> Location {
        guard let path = RelativePath(name) else { preconditionFailure("a path") }
        return Location(side, path)
    }

    func save(_ text: String, _ side: Side, as name: String = "a.json") {
        _ = disk.world.save(place(name, side), Array(text.utf8))
    }

    func read(_ side: Side, _ name: String = "a.json") -> String? {
        disk.world.read(place(name, side)).map { String(decoding: $0, as: UTF8.self) }
    }

    var both: [String?] { [read(.app), read(.group)] }

    var row: DocumentRow? { engine?.rows().first { $0.name == "a.json" } }

    var versions: [Int?] { [row?.versions.app, row?.versions.group] }

    /// Everything that is kept outside the containers.
    var kept: [String] { disk.world.files(.state).map { String(decoding: $0.bytes, as: UTF8.self) } }
}
