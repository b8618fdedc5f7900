import FileSystem
import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

/// Containers in which names that differ only in case are one name, as on exFAT, or on ext4 if asked for.
@Suite struct CaseFoldingTests {
    private func world(_ folding: Set<Root> = [.group]) -> EditedWorld {
        let world = EditedWorld()
        world.disk.foldingRoots = folding
        return world
    }

    private func names(_ world: EditedWorld, _ side: Side) -> [String] {
        world.disk.world.files(Root(side)).map(\.path.description).sorted()
    }

    private func held(_ world: EditedWorld, _ name: String) -> String? {
        let row = world.engine?.rows().first { $0.name == name }
        return row?.state == .held ? row?.reason?.text : nil
    }

    @Test
    func
        `Of two documents whose names differ only in case the second is held, and names the first`()
        throws
    {
        let world = world()
        world.save(#"{"n":1}"#, .app, as: "A.json")
        world.save(#"{"n":2}"#, .app, as: "a.json")
        try world.run(nil)
        #expect(names(world, .app) == ["A.json", "a.json"] && names(world, .group) == ["A.json"])
        #expect(world.read(.group, "A.json") == #"{"n":1}"#)
        #expect(world.read(.app, "A.json") == #"{"n":1}"# && world.read(.app) == #"{"n":2}"#)
        #expect(held(world, "a.json")?.hasPrefix("its name differs only in case from A.json,") == true)
        #expect(held(world, "A.json") == nil)
        // It stays held, whichever is saved.
        world.save(#"{"n":3}"#, .app)
        world.save(#"{"n":4}"#, .app, as: "A.json")
        try world.run(nil)
        #expect(world.read(.group, "A.json") == #"{"n":4}"# && names(world, .group) == ["A.json"])
        #expect(world.kept.allSatisfy { $0 != #"{"n":3}"# } && held(world, "a.json") != nil)
        // Until the other is gone.
        _ = world.disk.world.delete(world.place("A.json", .app))
        try world.run(nil)
        try world.run(nil)
        #expect(names(world, .group) == ["a.json"] && world.read(.group) == #"{"n":3}"#)
    }

    @Test func `A document in a directory whose name differs only in case is held as well`() throws {
        let world = world()
        for (name, text) in [("Notes", "1"), ("notes", "2")] {
            _ = world.disk.world.makeDirectory(world.place(name, .app))
            world.save(text, .app, as: "\(name)/a.json")
            try world.run(nil)
        }
        #expect(names(world, .group) == ["Notes/a.json"])
        #expect(world.read(.group, "Notes/a.json") == "1")
        #expect(held(world, "notes/a.json")?.contains("from Notes/a.json,") == true)
    }

    @Test func `A save under a name in other letters is a save of the document that is listed`() throws {
        let disk = SimulatedDisk()
        disk.foldingRoots = [.app]
        let living = try LivingEngine(disk, MemoryJournal(instance: "m"))
        disk.world.save(inApp("note.json"), Array("1".utf8))
        living.live()
        disk.world.overwrite(inApp("NOTE.json"), Array("22".utf8))
        living.proceed(hearingOf: inApp("NOTE.json"))
        #expect(disk.text(inGroup("note.json")) == "22" && disk.text(inGroup("NOTE.json")) == nil)
        #expect(living.engine.rows().map(\.name) == ["note.json"])
    }

    @Test(arguments: [[Root.group], [.app, .group]])
    func `A name that changes only in case is a deletion and a creation`(folding: [Root]) throws {
        let world = world(Set(folding))
        for name in ["a.json", "b.json", "c.json"] { world.save("1", .app, as: name) }
        try world.run(nil)
        _ = world.disk.world.delete(world.place("a.json", .group))
        world.save("1", .group, as: "A.json")
        try world.run(nil)
        try world.run(nil)
        for side in Side.allCases { #expect(names(world, side) == ["A.json", "b.json", "c.json"]) }
    }

    @Test func `A document is neither replaced nor read under a name that differs in case`() throws {
        let world = world()
        world.save("1", .group, as: "A.json")
        try world.run(nil)
        var engine = try #require(world.engine)
        let path = world.place("a.json", .group).path
        let now = Moment(uptime: .seconds(900), unixNanoseconds: 2_000_000_000_000)
        #expect(throws: PutFailure.problem(.namesake(world.place("A.json", .group).path))) {
            try engine.put(Array("2".utf8), as: path, on: .group, expecting: nil, at: now)
        }
        #expect(throws: FileError.self) { try engine.bytes(of: path, on: .group) }
        #expect(world.read(.group, "A.json") == "1")
    }

    @Test func `A document whose name the file system would list in small letters is held, not deleted`()
        throws
    {
        let world = world()
        world.disk.lowersNames = true
        for name in ["Notes.json", "b.json", "c.json"] { world.save("1", .app, as: name) }
        for _ in 0..<2 {
            try world.run(nil)
            #expect(names(world, .app) == ["Notes.json", "b.json", "c.json"])
            #expect(names(world, .group) == ["b.json", "c.json"])
            #expect(
                held(world, "Notes.json")?.hasPrefix("its name differs only in case from notes.json") == true
            )
        }
    }

    @Test func `On a case-sensitive file system both names are documents`() throws {
        let world = world([])
        world.save("1", .app, as: "A.json")
        world.save("2", .app)
        try world.run(nil)
        #expect(names(world, .group) == ["A.json", "a.json"])
    }
}
