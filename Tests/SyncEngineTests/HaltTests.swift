import FileSystem
import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

/// While too many documents are missing, both sides stay unchanged.
@Suite struct HaltTests {
    private static let names = (1...12).map { "d\($0).json" }

    /// Twelve documents in sync, of which the app has lost seven; each side has edited one of the others.
    private static func robbed() throws -> (SimulatedDisk, MemoryJournal, LivingEngine) {
        let disk = SimulatedDisk()
        let journal = MemoryJournal(instance: "bridge")
        let living = try LivingEngine(disk, journal)
        for name in names { disk.world.save(inApp(name), Array("{\"of\": \"\(name)\"}".utf8)) }
        living.live()
        try #require(names.allSatisfy { disk.text(inGroup($0)) != nil })
        for name in names.prefix(7) { disk.world.delete(inApp(name)) }
        disk.world.save(inApp("d12.json"), Array("{\"edit\": \"app\"}".utf8))
        disk.world.save(inGroup("d10.json"), Array("{\"edit\": \"group\"}".utf8))
        return (disk, journal, living)
    }

    private static func expectNothingCrossed(_ disk: SimulatedDisk) {
        #expect(disk.text(inGroup("d12.json")) == "{\"of\": \"d12.json\"}")
        #expect(disk.text(inApp("d10.json")) == "{\"of\": \"d10.json\"}")
        #expect(names.allSatisfy { disk.text(inGroup($0)) != nil })
    }

    private static let halt = Halt(side: .app, reason: .lost(7, of: 12))

    @Test func `a bridge that starts again finds the missing documents before it syncs edits`() throws {
        let (disk, journal, _) = try Self.robbed()
        let restarted = try LivingEngine(disk, journal)
        #expect(restarted.live() == Self.halt)
        Self.expectNothingCrossed(disk)
    }

    @Test func `a check of everything finds them first as well`() throws {
        let (disk, _, living) = try Self.robbed()
        #expect(living.live() == Self.halt)
        Self.expectNothingCrossed(disk)
    }

    @Test func `documents whose counterparts cannot be read are missing all the same`() throws {
        let (disk, _, living) = try Self.robbed()
        for name in Self.names.prefix(3) { disk.world.save(inGroup(name), Array("{".utf8)) }
        #expect(living.engine.rehearsed().halt == Self.halt)
        #expect(living.live() == Self.halt)
        Self.expectNothingCrossed(disk)
        // Once it is allowed, those are held, and no reason to halt again.
        #expect(try living.allow().documents.count == 7)
        #expect(living.live() == nil)
        #expect(living.engine.rows().filter { $0.state == .held }.count == 3)
        #expect(living.engine.rehearsed().halt == nil)
        #expect(disk.text(inGroup("d4.json")) == nil && disk.text(inGroup("d1.json")) == "{")
    }

    @Test func `a missing document is not shown as in sync`() throws {
        let (_, _, living) = try Self.robbed()
        living.live()
        let rows = living.engine.rows().filter { $0.state == .pending && $0.side == .app }
        #expect(Set(rows.map(\.name)).isSuperset(of: Self.names.prefix(7)))
        #expect(rows.allSatisfy { $0.reason == .gone(.app) })
    }

    @Test func `the reason is updated as documents come back, until it no longer applies`() throws {
        let (disk, _, living) = try Self.robbed()
        for name in Self.names.dropFirst(7) { disk.world.delete(inApp(name)) }
        #expect(living.live() == Halt(side: .app, reason: .lostAll(12)))
        disk.world.save(inApp("d1.json"), Array("{\"of\": \"d1.json\"}".utf8))
        let halt = Halt(side: .app, reason: .lost(11, of: 12))
        #expect(living.proceed(hearingOf: inApp("d1.json")) == halt)
        for name in Self.names { disk.world.save(inApp(name), Array("{\"of\": \"\(name)\"}".utf8)) }
        #expect(living.live() == nil)
    }

    @Test func `a barrier waits for hints dropped by a halt until everything was listed again`() throws {
        let (disk, _, living) = try Self.robbed()
        let paths = Self.names.map { inApp($0).path }
        for path in paths { living.engine.markDirty(path) }
        let isBegun = living.engine.beginBarrier(1)
        try #require(isBegun)
        living.proceed()
        #expect(living.engine.halt != nil)
        for name in Self.names.prefix(7) {
            disk.world.save(inApp(name), Array("{\"of\": \"\(name)\"}".utf8))
            living.engine.markDirty(inApp(name).path)
        }
        var hasPassed = false
        while !hasPassed, living.engine.deadline != nil {
            living.turn()
            hasPassed = living.engine.hasPassed(barrier: 1)
        }
        #expect(hasPassed && living.engine.halt == nil)
        #expect(disk.text(inGroup("d12.json")) == "{\"edit\": \"app\"}")
        #expect(disk.text(inApp("d10.json")) == "{\"edit\": \"group\"}")
    }

    @Test func `no barrier begins before the hints dropped by a halt are known`() throws {
        let (_, _, living) = try Self.robbed()
        living.live()
        let isBegun = living.engine.beginBarrier(1)
        #expect(!isBegun)
        _ = try living.allow()
        living.proceed()
        let isBegunLater = living.engine.beginBarrier(1)
        #expect(isBegunLater)
    }

    @Test func `allowed deletions and the edits are synced`() throws {
        let (disk, _, living) = try Self.robbed()
        living.live()
        #expect(try living.allow().documents == Self.names.prefix(7).sorted())
        #expect(living.proceed() == nil)
        #expect(disk.text(inGroup("d12.json")) == "{\"edit\": \"app\"}")
        #expect(disk.text(inApp("d10.json")) == "{\"edit\": \"group\"}")
        #expect(Self.names.prefix(7).allSatisfy { disk.text(inGroup($0)) == nil })
    }

    /// The permission was for the deletion of a document that is no longer missing.
    @Test func `a permission ends when the document is back before its deletion was synced`() throws {
        let (disk, _, living) = try Self.robbed()
        living.live()
        _ = try living.allow()
        for name in Self.names.prefix(7) {
            disk.world.save(inApp(name), Array("{\"of\": \"\(name)\"}".utf8))
        }
        #expect(living.live() == nil)
        for name in Self.names.prefix(7) { disk.world.delete(inApp(name)) }
        #expect(living.live() == Self.halt)
        #expect(Self.names.allSatisfy { disk.text(inGroup($0)) != nil })
    }

    /// A late turn finds that new documents have waited long enough, together with the missing ones.
    @Test func `new documents do not make the loss smaller, in this run or the next`() throws {
        let (disk, journal, _) = try Self.robbed()
        let news = (1...20).map { "a\($0).json" }
        for name in news { disk.world.save(inApp(name), Array("{\"new\": \"\(name)\"}".utf8)) }
        let late = try LivingEngine(disk, journal)
        late.engine.markAllDirty(at: late.now)
        _ = late.engine.turn(at: late.now)
        late.miss(.seconds(3))
        #expect(late.proceed() == Self.halt)
        #expect(news.allSatisfy { disk.text(inGroup($0)) != nil }, "they have crossed")
        disk.world.save(inApp("d1.json"), Array("{\"of\": \"d1.json\"}".utf8))
        disk.world.delete(inApp("d8.json"))
        for name in ["d8.json", "d1.json"] { late.proceed(hearingOf: inApp(name)) }
        #expect(late.engine.halt == Self.halt)
        let next = try LivingEngine(disk, journal)
        #expect(next.engine.rehearsed().halt == Self.halt)
        #expect(next.live() == Self.halt)
        #expect(Self.names.allSatisfy { disk.text(inGroup($0)) != nil })
        #expect(try next.allow().documents.count == 7)
        #expect(next.proceed() == nil)
        #expect(try journal.value(of: "arrivals") == "0")
    }

    @Test func `a document that waits for the halt is pending, and one that is equal on both sides is not`()
        throws
    {
        let (disk, journal, _) = try Self.robbed()
        disk.world.save(inApp("new.json"), Array("{}".utf8))
        let living = try LivingEngine(disk, journal)
        let foreseen = living.engine.rehearsed().rows
        #expect(living.live() == Self.halt)
        let synced = ["d8.json", "d9.json", "d11.json"]
        for rows in [foreseen, living.engine.rows()] {
            #expect(Set(rows.filter { $0.state == .synced }.map(\.name)) == Set(synced))
            #expect(Set(rows.filter { $0.state == .pending }.map(\.name)).count == 10)
        }
        #expect(living.engine.row(inApp("new.json").path)?.state == .pending)
        #expect(living.engine.row(inApp("d12.json").path)?.state == .pending)
        disk.world.save(inApp("d11.json"), Array("{\"edit\": 2}".utf8))
        disk.world.save(inApp("d12.json"), Array("{\"of\": \"d12.json\"}".utf8))
        for name in ["d11.json", "d12.json"] { living.proceed(hearingOf: inApp(name)) }
        #expect(living.engine.row(inApp("d11.json").path)?.state == .pending)
        #expect(living.engine.row(inApp("d12.json").path)?.state == .synced)
        _ = try living.allow()
        #expect(living.proceed() == nil)
        #expect(living.engine.rows().allSatisfy { $0.state == .synced })
    }

    @Test func `a moved document waits as well`() throws {
        let (disk, journal, _) = try Self.robbed()
        disk.world.makeDirectory(inApp("e"))
        disk.world.rename(inApp("d8.json"), to: inApp("e/d8.json"))
        let living = try LivingEngine(disk, journal)
        #expect(living.live() == Self.halt)
        #expect(living.engine.deadline == nil)
        #expect(living.engine.row(inApp("d8.json").path)?.state == .pending)
    }

    @Test(arguments: [.zero, .milliseconds(30)] as [Duration])
    func `thousands of allowed deletions take as many reads per document as few`(turn: Duration) throws {
        func looksForEach(of count: Int) throws -> Int {
            let disk = SimulatedDisk()
            let living = try LivingEngine(disk, MemoryJournal(instance: "bridge"))
            let names = (0..<count).map { "d/\($0).json" }
            disk.world.makeDirectory(inApp("d"))
            for name in names { disk.world.save(inApp(name), Array("{\"of\": \"\(name)\"}".utf8)) }
            living.live()
            for name in names { disk.world.delete(inApp(name)) }
            let before = disk.calls
            living.turnTime = turn
            #expect(living.live() == Halt(side: .app, reason: .lostAll(count)))
            _ = try living.allow()
            #expect(living.proceed() == nil)
            #expect(names.allSatisfy { disk.text(inGroup($0)) == nil })
            return (disk.calls - before) / count
        }
        let few = try looksForEach(of: 200)
        #expect(try looksForEach(of: 2_000) <= few + few / 4)
    }
}
