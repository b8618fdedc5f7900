import DirectoryReplica
import FileSystem
import FileSystemSimulation
import Model
import Replica
import StateStore
import SyncEngine
import Testing

/// A document that was about to be created, and was not, while the journal cannot be written.
@Suite struct UnmadeTests {
    private let disk = SimulatedDisk()
    private let journal = FaultyJournal()

    /// Runs a process until it is killed, or has nothing to do.
    private func live(from uptime: Int64 = 0) throws {
        var now = Moment(uptime: .seconds(uptime), unixNanoseconds: (1_000 + uptime) * 1_000_000_000)
        disk.now = now.unixNanoseconds
        var engine = try Engine(
            replicas: BothSides(of: disk),
            state: StateDirectory(disk),
            journal: journal,
            profile: nil,
            settings: EngineSettings(durability: .dir),
            number: UInt64(disk.calls),
            boot: "1"
        )
        engine.markAllDirty(at: now)
        for _ in 0..<100 where !disk.isDead {
            guard let deadline = engine.deadline else { break }
            now.uptime = max(now.uptime, deadline)
            _ = engine.turn(at: now)
        }
        #expect(disk.isDead || engine.isAtRest)
    }

    /// Both saves are separate edits: the app's wins, and the other is kept.
    private func expectConflict(in app: Location, _ group: Location) throws {
        #expect(disk.world.read(app) == Array("1".utf8))
        #expect(disk.world.read(group) == Array("1".utf8))
        #expect(disk.world.files(.state).contains { $0.path.description.hasPrefix("conflicts/") })
        let ours = Side.allCases.flatMap { disk.world.files(Root($0)) }
        #expect(!ours.contains { $0.path.name.hasPrefix(TemporaryName.prefix) })
        #expect(try journal.intents().isEmpty)
        // There is no notice of a state that the group container never had.
        #expect(try journal.lastNotice() == 1)
    }

    @Test func `a document that another program created first does not count as the bridge's`() throws {
        let path = try #require(RelativePath("a.json"))
        let (app, group) = (Location(Side.app, path), Location(Side.group, path))
        disk.world.save(app, Array("1".utf8))
        var isRaced = false
        disk.meanwhile = { [disk, journal] call, place in
            guard call == .rename, place?.root == .group, !isRaced else { return }
            isRaced = true
            disk.world.save(group, Array("2".utf8))
            journal.failsToWrite = { _ in true }
        }
        // It is killed at its next check.
        disk.fail = { call, _ in isRaced && call == .stat ? .death() : nil }
        try live()
        #expect(disk.isDead)
        disk.fail = { _, _ in nil }
        try disk.restart()
        journal.failsToWrite = { _ in false }
        try live(from: 20)
        try expectConflict(in: app, group)
    }

    @Test func `nor does it at a start at which the journal cannot be written at first`() throws {
        let path = try #require(RelativePath("a.json"))
        let (app, group) = (Location(Side.app, path), Location(Side.group, path))
        disk.world.save(app, Array("1".utf8))
        disk.fail = { call, place in call == .rename && place?.root == .group ? .death() : nil }
        try live()
        #expect(disk.isDead)
        disk.fail = { _, _ in nil }
        try disk.restart()
        disk.world.save(group, Array("2".utf8))
        let first = journal.attempts
        journal.failsToWrite = { [unowned journal] _ in journal.attempts <= first + 3 }
        try live(from: 20)
        try expectConflict(in: app, group)
    }
}
