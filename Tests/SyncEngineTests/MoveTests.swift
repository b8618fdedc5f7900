import FileSystem
import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

/// A document that disappears while the same content appears under another name was renamed.
@Suite struct MoveTests {
    private static let numbers = 1...12
    private let disk = SimulatedDisk()
    private let journal = MemoryJournal(instance: "m")

    private func text(_ number: Int) -> String { "{\"of\": \(number)}" }

    /// Twelve documents in `d`, each changed once, so that their generation is 2.
    private func synced() throws -> LivingEngine {
        let living = try LivingEngine(disk, journal)
        disk.world.makeDirectory(inApp("d"))
        for old in ["[]", nil] {
            for number in Self.numbers {
                disk.world.save(inApp("d/\(number).json"), Array((old ?? text(number)).utf8))
            }
            living.live()
        }
        return living
    }

    private func expectMoved(_ living: LivingEngine, _ numbers: some Sequence<Int> = Self.numbers) throws {
        for number in numbers {
            for side in [inApp, inGroup] {
                #expect(disk.text(side("e/\(number).json")) == text(number))
                #expect(disk.text(side("d/\(number).json")) == nil)
            }
            let path = inApp("e/\(number).json").path
            #expect(living.engine.row(path)?.generation == 3 && living.engine.row(path)?.state == .synced)
            let old = inApp("d/\(number).json").path
            #expect(try journal.events(of: path).map(\.what) == [.movedFrom(old, in: .app)])
            #expect(try journal.events(of: old).last?.what == .movedTo(path, in: .app))
            #expect(try journal.lastGeneration(of: old) == 3)
        }
    }

    @Test func `a renamed directory is renamed on the other side`() throws {
        let living = try synced()
        disk.world.rename(inApp("d"), to: inApp("e"))
        #expect(living.live() == nil)
        try expectMoved(living)
        #expect(!disk.world.isEmptyDirectory(inGroup("d")))
    }

    @Test func `a bridge that starts again detects a rename`() throws {
        _ = try synced()
        disk.world.rename(inApp("d"), to: inApp("e"))
        let next = try LivingEngine(disk, journal)
        #expect(next.live() == nil)
        try expectMoved(next)
    }

    @Test func `a dry run detects a rename`() throws {
        let living = try synced()
        disk.world.rename(inApp("d"), to: inApp("e"))
        #expect(living.engine.rehearsed().halt == nil)
    }

    @Test func `the disappearance may be reported first`() throws {
        let living = try synced()
        disk.world.rename(inApp("d"), to: inApp("e"))
        for name in ["d", "e"] { living.hear(beneath: inApp(name).path, of: .app) }
        #expect(living.proceed() == nil)
        try expectMoved(living)
    }

    @Test func `the new name may be reported long before`() throws {
        let living = try synced()
        disk.world.rename(inApp("d"), to: inApp("e"))
        for name in ["e", "d"] { #expect(living.proceed(beneath: inApp(name).path, of: .app) == nil) }
        try expectMoved(living)
    }

    @Test func `a renamed document is found if only its new name is reported`() throws {
        let living = try synced()
        disk.world.makeDirectory(inApp("e"))
        disk.world.rename(inApp("d/1.json"), to: inApp("e/1.json"))
        #expect(living.proceed(hearingOf: inApp("e/1.json")) == nil)
        try expectMoved(living, 1...1)
    }

    @Test(arguments: [1, 2, 3, 5, 8])
    func `a directory that is renamed before its last rename is synced has only its last name`(
        turns: Int
    ) throws {
        let living = try synced()
        living.miss(.seconds(5))
        var name = "d"
        for number in 1...50 {
            let next = number == 50 ? "e" : "d\(number)"
            disk.world.rename(inApp(name), to: inApp(next))
            for name in [name, next] { living.hear(beneath: inApp(name).path, of: .app) }
            for _ in 0..<turns where living.engine.deadline(from: living.now) != nil {
                living.turn()
                living.miss(.milliseconds(1))
            }
            name = next
        }
        #expect(living.proceed() == nil)
        #expect(disk.world.files(Root(.group)).count == Self.numbers.count)
        for number in Self.numbers { #expect(disk.text(inGroup("e/\(number).json")) == text(number)) }
    }

    @Test func `a directory whose documents are edited once its rename was seen is no loss`() throws {
        let living = try synced()
        living.miss(.seconds(5))
        disk.world.rename(inApp("d"), to: inApp("e"))
        for name in ["d", "e"] { living.hear(beneath: inApp(name).path, of: .app) }
        living.turn()
        for number in Self.numbers {
            disk.world.save(inApp("e/\(number).json"), Array("{\"edited\": \(number)}".utf8))
        }
        living.hear(beneath: inApp("e").path, of: .app)
        #expect(living.proceed() == nil)
        #expect(disk.world.files(Root(.group)).count == Self.numbers.count)
        for number in Self.numbers {
            #expect(disk.text(inGroup("e/\(number).json")) == "{\"edited\": \(number)}")
        }
    }

    @Test func `a copy is a new document`() throws {
        let living = try synced()
        disk.world.save(inApp("1.json"), Array(text(1).utf8))
        #expect(living.proceed(hearingOf: inApp("1.json")) == nil)
        #expect(disk.text(inGroup("1.json")) == text(1) && disk.text(inGroup("d/1.json")) == text(1))
        #expect(try journal.events(of: inApp("1.json").path).map(\.what) == [.created(in: .app)])
    }

    @Test func `a document that was renamed and edited is not a move, and the edit is kept`() throws {
        let living = try synced()
        disk.world.rename(inApp("d"), to: inApp("e"))
        disk.world.save(inApp("e/1.json"), Array("[1]".utf8))
        disk.world.save(inGroup("d/2.json"), Array("[2]".utf8))
        #expect(living.live() == nil)
        try expectMoved(living, 3...12)
        #expect(disk.text(inGroup("e/1.json")) == "[1]" && disk.text(inGroup("d/1.json")) == nil)
        #expect(disk.text(inApp("d/2.json")) == "[2]" && disk.text(inGroup("e/2.json")) == text(2))
    }

    /// The other side's file cannot be given the new name, but the move counts nevertheless.
    @Test(arguments: [1, 3, 6, 9, 11, 12])
    func `edits of the other side do not turn a rename into a loss`(edits: Int) throws {
        _ = try synced()
        disk.world.rename(inApp("d"), to: inApp("e"))
        for number in Self.numbers {
            let isOther = number <= edits
            let place = isOther ? inGroup("d/\(number).json") : inApp("e/\(number).json")
            if isOther || number < 10 { disk.world.save(place, Array("[\(number)]".utf8)) }
        }
        let next = try LivingEngine(disk, journal)
        let isLost = (1..<10).count { $0 > edits } > 6
        let foreseen = next.engine.rehearsed().halt
        #expect((foreseen != nil) == isLost)
        #expect(next.live() == foreseen)
        guard !isLost else { return }
        for number in Self.numbers {
            #expect(disk.text(inApp("e/\(number).json")) == disk.text(inGroup("e/\(number).json")))
            let old = number <= edits ? "[\(number)]" : nil
            #expect(disk.text(inApp("d/\(number).json")) == old)
            #expect(disk.text(inGroup("d/\(number).json")) == old)
        }
    }

    @Test func `a name that is taken on the other side is not overwritten`() throws {
        let living = try synced()
        disk.world.makeDirectory(inGroup("e"))
        disk.world.save(inGroup("e/1.json"), Array("[1]".utf8))
        disk.world.rename(inApp("d"), to: inApp("e"))
        #expect(living.live() == nil)
        try expectMoved(living, 2...12)
        #expect(disk.text(inApp("d/1.json")) == nil && disk.text(inGroup("d/1.json")) == nil)
        #expect(disk.text(inApp("e/1.json")) == disk.text(inGroup("e/1.json")))
        #expect(try living.engine.conflicts().count == 1)
    }

    @Test func `real deletions halt as before`() throws {
        let living = try synced()
        disk.world.makeDirectory(inApp("e"))
        for number in Self.numbers {
            let old = inApp("d/\(number).json")
            if number > 7 {
                disk.world.rename(old, to: inApp("e/\(number).json"))
            } else {
                disk.world.delete(old)
            }
        }
        #expect(living.live() == Halt(side: .app, reason: .lost(7, of: 12)))
        #expect(try living.allow().documents.count == 7)
        #expect(living.proceed() == nil)
        try expectMoved(living, 8...12)
        #expect(disk.text(inGroup("d/1.json")) == nil)
    }

    @Test func `documents of the same age and content are not what the lost ones were renamed to`() throws {
        let living = try LivingEngine(disk, journal)
        for number in Self.numbers { disk.world.save(inApp("\(number).json"), Array("[]".utf8)) }
        living.engine.markAllDirty(at: living.now)
        living.proceed(for: .seconds(1))
        #expect(Self.numbers.allSatisfy { disk.text(inGroup("\($0).json")) == "[]" })
        for number in 1...9 { disk.world.delete(inApp("\(number).json")) }
        #expect(living.live() == Halt(side: .app, reason: .lost(9, of: 12)))
        #expect(Self.numbers.allSatisfy { disk.text(inGroup("\($0).json")) == "[]" })
    }

    /// Reads of the disk are counted; more of them per document would mean a search.
    @Test(arguments: [.zero, .milliseconds(30)] as [Duration])
    func `thousands of documents with one content move with as many reads per document as few`(turn: Duration)
        throws
    {
        func looksForEach(of count: Int) throws -> Int {
            let disk = SimulatedDisk()
            let living = try LivingEngine(disk, MemoryJournal(instance: "m"))
            disk.world.makeDirectory(inApp("d"))
            for number in 0..<count { disk.world.save(inApp("d/\(number).json"), Array("{}".utf8)) }
            living.live()
            disk.world.rename(inApp("d"), to: inApp("e"))
            let before = disk.calls
            living.turnTime = turn
            #expect(living.live() == nil)
            let names = (0..<count).map { inGroup("e/\($0).json") }
            #expect(names.allSatisfy { disk.text($0) == "{}" })
            #expect(names.allSatisfy { living.engine.row($0.path)?.generation == 2 })
            #expect(!disk.world.isEmptyDirectory(inGroup("d")))
            return (disk.calls - before) / count
        }
        let few = try looksForEach(of: 200)
        #expect(try looksForEach(of: 2_000) <= few + few / 4)
    }

    @Test func `two documents that swap their names are two changes`() throws {
        let living = try synced()
        disk.world.rename(inApp("d/1.json"), to: inApp("d/x"))
        disk.world.rename(inApp("d/2.json"), to: inApp("d/1.json"))
        disk.world.rename(inApp("d/x"), to: inApp("d/2.json"))
        #expect(living.live() == nil)
        #expect(disk.text(inGroup("d/1.json")) == text(2) && disk.text(inGroup("d/2.json")) == text(1))
    }
}

/// A bridge with one document has no other protection.
@Suite struct LastDocumentTests {
    private func robbed(guards: Bool) throws -> (SimulatedDisk, LivingEngine) {
        let disk = SimulatedDisk()
        let settings = EngineSettings(durability: .none, lossThreshold: LossThreshold(all: guards ? 1 : 2))
        let living = try LivingEngine(disk, MemoryJournal(instance: "m"), settings: settings)
        disk.world.save(inApp("a.json"), Array("{}".utf8))
        living.live()
        disk.world.delete(inApp("a.json"))
        return (disk, living)
    }

    @Test func `its deletion is synced if nothing else is set`() throws {
        let (disk, living) = try robbed(guards: false)
        #expect(living.live() == nil)
        #expect(disk.text(inGroup("a.json")) == nil)
    }

    @Test func `its deletion waits for a person if that is set`() throws {
        let (disk, living) = try robbed(guards: true)
        #expect(living.live() == Halt(side: .app, reason: .lostAll(1)))
        #expect(disk.text(inGroup("a.json")) == "{}")
        #expect(try living.allow().documents == ["a.json"])
        #expect(living.proceed() == nil)
        #expect(disk.text(inGroup("a.json")) == nil)
    }
}
