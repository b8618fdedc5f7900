import FileSystemSimulation
import Glibc
import Model
import Replica
import StateStore
import SyncEngine
import Testing

/// Programs that save while files are migrated or rolled back.
@Suite struct MigrationRaceTests {
    private let world: MigrationWorld
    private let save = #"{"text":"y"}"#

    init() throws { world = try MigrationWorld() }

    private func bringBack(from history: MigrationHistory) throws -> [RollbackItem] {
        var migrator = try world.migrator(on: world.disk)
        let plan = try migrator.rollbackPlan(history.last, of: history, force: true)
        var items = try plan.get()
        let rollback = try migrator.beginRollback(after: history, at: MigrationWorld.now)
        migrator.putBack(&items, at: MigrationWorld.now)
        try migrator.end(rollback, &items)
        return items
    }

    @Test func `A document that was never migrated is not rolled back, even with force`() throws {
        let b = world.place("b.json")
        world.disk.fail = { call, place in
            let isOfB = place.flatMap { TemporaryName($0.path.name) }?.belongs(to: b.path) == true
            return call == .create && isOfB ? .error(EPERM) : nil
        }
        try world.apply()
        world.disk.fail = { _, _ in nil }
        #expect(world.texts["a.json"] == MigrationWorld.new && world.texts["b.json"] == MigrationWorld.old)
        world.save(save, "b.json")
        let items = try #require(try world.rollBack())
        #expect(
            items.map(\.isDone) == [true, false, true] && items.map(\.isOfOldVersion) == [false, true, false]
        )
        #expect(items.map(\.isRecorded) == [true, true, true])
        #expect(world.texts == ["a.json": MigrationWorld.old, "b.json": save, "c.json": MigrationWorld.old])
        try world.rollBack(force: true)
        #expect(world.texts["b.json"] == save)
    }

    @Test func `A document saved in the old version after its migration is rolled back only with force`()
        throws
    {
        try world.apply()
        world.save(save, "b.json")
        #expect(try world.rollBack() == nil)
        #expect(world.texts["b.json"] == save && world.texts["a.json"] == MigrationWorld.new)
        let items = try #require(try world.rollBack(force: true))
        #expect(items.map(\.isDone) == [true, true, true] && items.map(\.isEdited) == [false, true, false])
        #expect(world.texts["b.json"] == MigrationWorld.old)
    }

    @Test func `A save during a rollback means that its document is not rolled back`() throws {
        let whole = try MigrationWorld()
        try whole.apply()
        let before = whole.disk.calls
        try whole.rollBack()
        let edit = #"{"version":2,"text":"y","size":1}"#
        for moment in before + 1...whole.disk.calls {
            let world = try MigrationWorld()
            try world.apply()
            var isSaved = false
            world.disk.meanwhile = { _, _ in
                if world.disk.calls == moment, !isSaved {
                    isSaved = true
                    world.save(edit, "b.json")
                }
            }
            let item = try world.rollBack()?.first { $0.entry.document == world.place("b.json").path }
            world.disk.meanwhile = { _, _ in }
            let text = world.texts["b.json"]
            #expect([edit, MigrationWorld.old].contains(text), "\(moment): \(text ?? "")")
            // Otherwise it was saved before, or after everything was done.
            guard let item, text == edit, !item.isDone else { continue }
            #expect(item.failure == .known(.changedMeanwhile), "\(moment)")
            let history = try world.disk.state.migrationHistory()
            #expect(history.standing.values.contains { $0.last?.entry.document == item.entry.document })
        }
    }

    @Test func `A file that a program has open is reported, and merged by the next run`() throws {
        let pen = try #require(world.disk.world.open(world.place("b.json")))
        var migrator = try world.migrator(on: world.disk)
        let documents = try migrator.documents(at: MigrationWorld.now)
        let run = migrator.memory.newRun([], after: MigrationHistory(), at: MigrationWorld.now)
        let log = try world.disk.state.begin(run)
        _ = try migrator.migrate(documents, to: nil, log: log, at: MigrationWorld.now)
        log.close()
        #expect(migrator.concurrentSaves.map(\.document) == [world.place("b.json").path])
        #expect(migrator.concurrentSaves.map(\.outcome) == [.open])
        #expect(migrator.concurrentSaves.map(\.isMissing) == [true])
        pen.truncate()
        pen.write(Array(save.utf8))
        pen.close()
        var next = try world.migrator(on: world.disk)
        _ = try next.documents(at: MigrationWorld.now)
        #expect(next.concurrentSaves.map(\.outcome) == [.merged])
        #expect(world.texts["b.json"] == #"{"version":2,"text":"y","size":1}"# && world.texts.count == 3)
    }

    @Test func `A save that cannot be merged is kept, and its copy is named`() throws {
        let newer = #"{"version":9,"text":"y"}"#
        world.disk.meanwhile = { [world] call, _ in
            guard call == .rename, world.texts["b.json"] == MigrationWorld.old else { return }
            world.disk.meanwhile = { _, _ in }
            world.save(newer, "b.json")
        }
        var migrator = try world.migrator(on: world.disk)
        let documents = try migrator.documents(at: MigrationWorld.now)
        _ = try migrator.migrate(documents, to: nil, at: MigrationWorld.now)
        let kept = try #require(migrator.concurrentSaves.lazy.compactMap(\.copy).first)
        #expect(world.disk.world.read(kept).map { String(decoding: $0, as: UTF8.self) } == newer)
    }
}

extension ConcurrentSave {
    fileprivate var copy: Location? { if case .kept(let place) = outcome { place } else { nil } }
}
