import FileSystem
import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

/// A deletion of many documents that takes seconds, as on a busy machine.
@Suite struct SlowDeletionTests {
    private let disk = SimulatedDisk()
    private let journal = MemoryJournal(instance: "bridge")

    private func names(_ count: Int) -> [String] { (100..<100 + count).map { "d\($0).json" } }

    private func synced(_ count: Int) throws -> LivingEngine {
        let living = try LivingEngine(disk, journal)
        for name in names(count) { disk.world.save(inApp(name), Array("{\"of\": \"\(name)\"}".utf8)) }
        living.live()
        return living
    }

    /// Deletes one after the other in the app's container; returns how many remain in the group's.
    private func delete(_ names: [String], every pause: Duration, _ living: LivingEngine) -> Int {
        for name in names {
            disk.world.delete(inApp(name))
            living.proceed(hearingOf: inApp(name), for: pause)
        }
        living.proceed(for: .seconds(12))
        return disk.world.files(.group).count
    }

    @Test(arguments: [1, 20, 90] as [Int])
    func `all of a hundred deletions are seen before the first ones are synced`(milliseconds: Int) throws {
        let living = try synced(100)
        #expect(delete(names(100), every: .milliseconds(milliseconds), living) == 100)
        #expect(living.engine.halt == Halt(side: .app, reason: .lostAll(100)))
    }

    @Test(arguments: [130, 300, 800] as [Int])
    func `deletions that are synced one by one count for ten seconds`(milliseconds: Int) throws {
        let living = try synced(20)
        #expect(delete(names(19), every: .milliseconds(milliseconds), living) >= 9)
        #expect(living.engine.halt != nil)
    }

    @Test func `recent deletions count together with current ones`() throws {
        let living = try synced(40)
        for name in names(10) { disk.world.delete(inApp(name)) }
        for name in names(10) { living.engine.markDirty(inApp(name).path) }
        living.proceed(for: .seconds(2))
        #expect(living.engine.halt == nil && disk.world.files(.group).count == 30)
        for name in names(21).dropFirst(10) { disk.world.delete(inApp(name)) }
        for name in names(21).dropFirst(10) { living.engine.markDirty(inApp(name).path) }
        let halt = Halt(side: .app, reason: .lost(21, of: 40, crossed: 10))
        #expect(living.proceed() == halt)
        // It stays halted without a decision, and in the next run.
        living.proceed(for: .seconds(60))
        #expect(living.engine.halt == halt)
        let next = try LivingEngine(disk, journal)
        #expect(next.engine.rehearsed().halt == halt)
        #expect(next.live() == halt)
        #expect(try next.allow().documents == Array(names(21).dropFirst(10)))
        #expect(next.proceed() == nil && disk.world.files(.group).count == 19)
        next.proceed(for: .seconds(20))
        #expect(try journal.value(of: "arrivals") == "0")
    }

    @Test func `older deletions do not count`() throws {
        let living = try synced(40)
        #expect(delete(Array(names(12)), every: .milliseconds(1), living) == 28)
        #expect(delete(Array(names(24).dropFirst(12)), every: .milliseconds(1), living) == 16)
        #expect(living.engine.halt == nil)
    }

    @Test func `a few documents, or allowed ones, may be deleted one after the other`() throws {
        let living = try synced(5)
        #expect(delete(Array(names(4)), every: .seconds(1), living) == 1)
        #expect(living.engine.halt == nil)
        for name in names(20) { disk.world.save(inApp(name), Array("{\"new\": \"\(name)\"}".utf8)) }
        living.live()
        for name in names(12) { disk.world.delete(inApp(name)) }
        #expect(living.live() != nil)
        _ = try living.allow()
        #expect(living.proceed() == nil && disk.world.files(.group).count == 8)
        disk.world.delete(inApp("d119.json"))
        #expect(living.proceed(hearingOf: inApp("d119.json")) == nil)
        #expect(disk.world.files(.group).count == 7)
    }
}
