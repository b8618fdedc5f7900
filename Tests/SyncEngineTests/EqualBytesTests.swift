import FileSystem
import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

/// Documents with equal bytes that lose a conflict or are overwritten.
@Suite struct EqualBytesTests {
    private static let names = ["a.json", "d/a.json", "d/b.json"]
    private static let lost = #"{"a":3}"#

    private let disk = SimulatedDisk()
    private let journal = MemoryJournal(instance: "m")

    private func save(_ text: String, _ place: Location) {
        if let directory = place.path.directory {
            _ = disk.world.makeDirectory(Location(place.root, directory))
        }
        disk.world.save(place, Array(text.utf8))
    }

    /// Each document has the same conflict: the group's save is kept.
    private func quarrelled() throws -> LivingEngine {
        let living = try LivingEngine(disk, journal)
        for name in Self.names { save(#"{"a":1}"#, inApp(name)) }
        living.live()
        for name in Self.names {
            save(#"{"a":2}"#, inApp(name))
            save(Self.lost, inGroup(name))
        }
        living.live()
        return living
    }

    @Test func `conflicts with equal bytes are separate, and resolved separately`() throws {
        let living = try quarrelled()
        let conflicts = try living.engine.conflicts()
        #expect(conflicts.compactMap(\.document).sorted() == Self.names)
        #expect(Set(conflicts.map(\.id)).count == Self.names.count)
        for conflict in conflicts {
            let name = try #require(conflict.document)
            #expect(try living.resolve(conflict.id, taking: .side(.group)).document == name)
            living.proceed()
            #expect(disk.text(inApp(name)) == Self.lost)
            #expect(living.engine.row(inApp(name).path)?.conflicts == [])
        }
        #expect(try living.engine.conflicts().isEmpty)
        #expect(try journal.conflicts().isEmpty)
    }

    @Test func `the next run knows each of them`() throws {
        _ = try quarrelled()
        let next = try LivingEngine(disk, journal)
        #expect(next.engine.rows().map(\.conflicts.count) == [1, 1, 1])
    }

    @Test func `each overwritten save is restored separately`() throws {
        let living = try LivingEngine(disk, journal)
        for text in ["[1]", "[2]"] {
            for name in Self.names { save(text, inApp(name)) }
            living.live()
        }
        let old = try living.engine.history()
        #expect(old.compactMap(\.document).sorted() == Self.names)
        #expect(Set(old.map(\.id)).count == Self.names.count)
        for one in old {
            let name = try #require(one.document)
            #expect(try living.undo(one.id).document == name)
            living.proceed()
            #expect(disk.text(inApp(name)) == "[1]" && disk.text(inGroup(name)) == "[1]")
        }
    }

    /// Older releases made IDs from the bytes alone.
    @Test func `a conflict of an older release keeps its ID`() throws {
        let living = try LivingEngine(disk, journal)
        save(#"{"a":1}"#, inApp("a.json"))
        living.live()
        var record = ConflictRecord(
            digest: Digest(of: Array(Self.lost.utf8)),
            document: inApp("a.json").path,
            side: .group,
            at: 1,
            reason: .conflict(["/a"], winner: .app),
            other: Array(#"{"a":1}"#.utf8)
        )
        record.id = Trash.id(of: record.digest)
        _ = try disk.state.keepConflictCopy(
            Array(Self.lost.utf8),
            record.id,
            of: inApp("a.json").path,
            synced: false
        )
        try journal.record([.conflict(record)])
        let next = try LivingEngine(disk, journal)
        #expect(next.engine.rows().first?.conflicts.map(\.id) == [record.id])
        #expect(try next.resolve(record.id, taking: .side(.group)).isWritten)
        #expect(try journal.conflicts().isEmpty)
    }
}

/// Conflicts without decisions, which continue.
@Suite struct ConflictBoundTests {
    @Test func `the oldest go to the trash, with their records in the journal`() throws {
        let disk = SimulatedDisk()
        let journal = MemoryJournal(instance: "m")
        let limit: Int64 = 2_000
        let settings = EngineSettings(durability: .none, maxConflicts: limit)
        let living = try LivingEngine(disk, journal, settings: settings)
        let filler = String(repeating: "x", count: 50)
        disk.world.save(inApp("a.json"), Array(#"{"a":0,"f":"\#(filler)"}"#.utf8))
        living.live()
        for number in 1...40 {
            disk.world.save(inApp("a.json"), Array(#"{"a":\#(number),"f":"\#(filler)"}"#.utf8))
            disk.world.save(inGroup("a.json"), Array(#"{"a":-\#(number),"f":"\#(filler)"}"#.utf8))
            living.live()
            let files = try disk.state.keptFiles(in: Trash.conflicts).reduce(0) { $0 + $1.size }
            let rows = try journal.conflictIndex().reduce(0) { $0 + $1.bytes }
            #expect(files + rows <= limit)
        }
        let kept = try living.engine.conflicts()
        #expect(kept.last?.fields.first?.group == "-40")
        #expect(try journal.conflicts().count == kept.count)
        #expect(living.engine.counters.droppedConflicts == 40 - kept.count)
        let dropped = try living.engine.history().filter {
            $0.reason == .known(.overwritten(.conflictDropped))
        }
        #expect(dropped.count == 40 - kept.count && dropped.allSatisfy { $0.document == "a.json" })
        #expect(Set(living.engine.rows().flatMap(\.conflicts).map(\.id)) == Set(kept.map(\.id)))
    }
}
