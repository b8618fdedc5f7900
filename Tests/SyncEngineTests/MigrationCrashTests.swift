import Documents
import FileSystem
import FileSystemSimulation
import Glibc
import Model
import StateStore
import SyncEngine
import Testing

/// A migration that is killed, or that races with a save, at each of its calls.
@Suite struct MigrationCrashTests {
    @Test func `Every document is migrated and rolled back`() throws {
        let world = try MigrationWorld()
        try world.apply()
        #expect(world.texts == MigrationWorld.all(MigrationWorld.new))
        #expect(try world.rollBack()?.count == 3)
        #expect(world.texts == MigrationWorld.all(MigrationWorld.old))
        #expect(try world.rollBack()?.isEmpty == true)
    }

    @Test func `A plan on an overlay writes nothing`() throws {
        let world = try MigrationWorld()
        world.disk.meanwhile = { call, _ in
            #expect([.open, .stat, .list, .read, .lock, .close].contains(call), "\(call)")
        }
        let overlay = OverlayFileSystem(world.disk)
        var migrator = try world.migrator(on: overlay)
        let items = try migrator.migrate(
            migrator.documents(at: MigrationWorld.now),
            to: nil,
            at: MigrationWorld.now
        )
        #expect(items.count == 3 && items.allSatisfy { $0.outcome == .done })
        #expect(world.texts == MigrationWorld.all(MigrationWorld.old))
        let path = world.place("a.json")
        #expect(try overlay.read(overlay.open(path), limit: 100) == Array(MigrationWorld.new.utf8))
        overlay.forget()
        #expect(try overlay.status(of: path) == world.disk.status(of: path))
    }

    @Test func `After a kill at any call the next run continues, and one rollback undoes both`() throws {
        let whole = try MigrationWorld()
        try whole.apply()
        let calls = whole.disk.calls
        #expect(calls > 30)
        for kill in 1...calls {
            let world = try MigrationWorld()
            world.disk.fail = { _, _ in world.disk.calls == kill ? .death() : nil }
            #expect(throws: (any Error).self, "\(kill)") {
                try world.apply()
                if world.disk.isDead { throw CancellationError() }
            }
            for text in world.texts.values.filter({ $0.hasPrefix("{") }) {
                #expect([MigrationWorld.old, MigrationWorld.new].contains(text), "\(kill)")
            }
            world.disk.fail = { _, _ in nil }
            try world.disk.restart()
            try world.apply()
            #expect(world.texts == MigrationWorld.all(MigrationWorld.new), "\(kill)")
            #expect(try world.disk.state.migrationHistory().unfinished == nil, "\(kill)")
            #expect(try world.rollBack() != nil, "\(kill)")
            #expect(world.texts == MigrationWorld.all(MigrationWorld.old), "\(kill)")
        }
    }

    @Test func `After a kill at any call of a rollback the next rollback completes it`() throws {
        let whole = try MigrationWorld()
        try whole.apply()
        let before = whole.disk.calls
        try whole.rollBack()
        for kill in before + 1...whole.disk.calls {
            let world = try MigrationWorld()
            try world.apply()
            world.disk.fail = { _, _ in world.disk.calls == kill ? .death() : nil }
            _ = try? world.rollBack()
            world.disk.fail = { _, _ in nil }
            try world.disk.restart()
            #expect(try world.rollBack() != nil, "\(kill)")
            #expect(world.texts == MigrationWorld.all(MigrationWorld.old), "\(kill)")
        }
    }

    @Test
    func
        `A document that was rolled back without a record is reported as both, and recorded by the next run`()
        throws
    {
        let world = try MigrationWorld()
        try world.apply()
        let log = Location(.state, try #require(RelativePath("migrations/2.log")))
        var writes = 0
        world.disk.fail = { call, place in
            if call == .write, place == log { writes += 1 }
            return call == .write && place == log && writes > 1 ? .short(0, ENOSPC) : nil
        }
        let items = try #require(try world.rollBack())
        #expect(items.count == 3 && items.allSatisfy { $0.isDone && $0.failure == nil })
        #expect(items.allSatisfy { $0.noteFailure != nil })
        #expect(world.texts == MigrationWorld.all(MigrationWorld.old))
        world.disk.fail = { _, _ in nil }
        let again = try #require(try world.rollBack())
        #expect(again.count == 3 && again.allSatisfy { !$0.isDone && $0.noteFailure == nil })
        #expect(world.texts == MigrationWorld.all(MigrationWorld.old))
        #expect(try world.rollBack()?.isEmpty == true)
        #expect(try world.disk.state.migrationHistory().unfinished == nil)
    }

    @Test func `A save during the migration is merged, or noticed and left unchanged`() throws {
        let whole = try MigrationWorld()
        try whole.apply()
        let save = #"{"text":"y"}"#
        for moment in 1...whole.disk.calls {
            let world = try MigrationWorld()
            var isSaved = false
            world.disk.meanwhile = { _, _ in
                if world.disk.calls == moment, !isSaved {
                    isSaved = true
                    world.save(save, "b.json")
                }
            }
            try world.apply()
            world.disk.meanwhile = { _, _ in }
            let text = world.texts["b.json"] ?? ""
            // Whether saved before, during or after: the edit stays, in one version or the other.
            #expect([save, #"{"version":2,"text":"y","size":1}"#].contains(text), "\(moment): \(text)")
            #expect(world.texts["a.json"] == MigrationWorld.new)
            #expect(world.texts.count == 3, "\(moment): \(world.texts.keys)")
        }
    }

    @Test func `A save just before the kill is merged by the next run`() throws {
        let whole = try MigrationWorld()
        try whole.apply()
        let save = #"{"text":"y"}"#
        for moment in 1...whole.disk.calls {
            for kill in moment + 1...moment + 6 {
                let world = try MigrationWorld()
                var isSaved = false
                world.disk.meanwhile = { _, _ in
                    if world.disk.calls == moment, !isSaved {
                        isSaved = true
                        world.save(save, "b.json")
                    }
                }
                world.disk.fail = { _, _ in world.disk.calls == kill ? .death() : nil }
                _ = try? world.apply()
                world.disk.meanwhile = { _, _ in }
                world.disk.fail = { _, _ in nil }
                try world.disk.restart()
                try world.apply()
                let text = world.texts["b.json"] ?? ""
                let merged = #"{"version":2,"text":"y","size":1}"#
                #expect(text == merged, "saved at \(moment), killed at \(kill): \(text)")
                #expect(world.texts.count == 3, "\(moment), \(kill): \(world.texts.keys)")
            }
        }
    }

    @Test func `A program that is always faster is left alone, and keeps its last save`() throws {
        let world = try MigrationWorld()
        var saves = 0
        world.disk.meanwhile = { call, _ in
            guard call == .rename, saves < 100 else { return }
            saves += 1
            world.save(#"{"text":"\#(saves)"}"#, "b.json")
        }
        try world.apply()
        world.disk.meanwhile = { _, _ in }
        var migrator = try world.migrator(on: world.disk)
        _ = try migrator.documents(at: MigrationWorld.now)
        let last = #"{"version":2,"text":"\#(saves)","size":1}"#
        #expect(saves > 3)
        #expect([last, #"{"text":"\#(saves)"}"#].contains(world.texts["b.json"]), "\(world.texts)")
        #expect(world.texts.count == 3, "\(world.texts.keys)")
    }

    @Test func `A directory that replaces a document during the migration gets its name again`() throws {
        let whole = try MigrationWorld()
        try whole.apply()
        for moment in 1...whole.disk.calls {
            let world = try MigrationWorld()
            var isMade = false
            world.disk.meanwhile = { _, _ in
                if world.disk.calls == moment, !isMade {
                    isMade = true
                    _ = world.disk.world.delete(world.place("b.json"))
                    _ = world.disk.world.makeDirectory(world.place("b.json"))
                }
            }
            try? world.apply()
            #expect(world.texts["b.json"] == nil, "\(moment)")
            #expect(world.texts["a.json"] == MigrationWorld.new, "\(moment)")
            #expect(world.texts.count == 2, "\(moment): \(world.texts)")
        }
    }
}
