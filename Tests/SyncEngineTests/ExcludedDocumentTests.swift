import Documents
import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

/// Documents that `include` or `exclude` leaves out.
@Suite struct ExcludedDocumentTests {
    private let disk = SimulatedDisk()
    private let journal = MemoryJournal(instance: "bridge")

    private func living(
        _ filter: DocumentFilter = DocumentFilter(),
        profile: String? = nil
    ) throws -> LivingEngine {
        try LivingEngine(
            disk,
            journal,
            profile: try profile.map { try Profile(yaml: $0, file: "notes.yaml") },
            settings: EngineSettings(durability: .none, filter: filter)
        )
    }

    private func save(_ text: String, _ place: Location) { disk.world.save(place, Array(text.utf8)) }

    @Test func `an excluded document is neither carried nor listed, and no barrier waits for it`() throws {
        let living = try living(DocumentFilter(exclude: ["draft*"]))
        save("[1]", inApp("a.json"))
        save("{ broken", inApp("draft.json"))
        living.live()
        living.proceed(hearingOf: inApp("draft.json"))
        #expect(disk.text(inGroup("a.json")) == "[1]")
        #expect(disk.text(inGroup("draft.json")) == nil)
        #expect(living.engine.rows().map(\.name) == ["a.json"])
        #expect(living.engine.beginBarrier(1) && living.engine.hasPassed(barrier: 1))
    }

    @Test func `a profile excludes as well`() throws {
        let living = try living(profile: "profile: n\nexclude: [draft*]\ndocuments: {}\n")
        save("[1]", inApp("draft.json"))
        living.live()
        #expect(disk.text(inGroup("draft.json")) == nil)
    }

    @Test(arguments: ["documents: {%}", "documents: {}, assets: {%}"])
    func `what a profile no longer names is neither carried nor listed`(_ text: String) throws {
        func living(_ name: String) throws -> LivingEngine {
            try self.living(profile: "{profile: n, \(text.replacing("%", with: name))}")
        }
        save("[1]", inApp("state.dat"))
        try living("state.dat: {}").live()
        #expect(disk.text(inGroup("state.dat")) == "[1]")
        let without = try living("")
        save("[2]", inApp("state.dat"))
        without.live()
        without.proceed(hearingOf: inApp("state.dat"))
        disk.world.delete(inApp("state.dat"))
        without.live()
        #expect(disk.text(inGroup("state.dat")) == "[1]")
        #expect(without.engine.rows().isEmpty && without.engine.documentCount == 0)
        save("[3]", inApp("state.dat"))
        try living("state.dat: {}").live()
        #expect(disk.text(inGroup("state.dat")) == "[3]")
    }

    @Test func `edits made while it was excluded are merged from the base of before`() throws {
        save(#"{"x":1,"y":1,"z":1}"#, inApp("a.json"))
        try living().live()
        let without = try living(DocumentFilter(exclude: ["a.json"]))
        without.live()
        save(#"{"x":2,"y":1}"#, inApp("a.json"))
        save(#"{"x":1,"y":2,"z":1}"#, inGroup("a.json"))
        without.live()
        #expect(disk.text(inApp("a.json")) == #"{"x":2,"y":1}"#)
        #expect(without.engine.rows().isEmpty && without.engine.documentCount == 0)
        let with = try living()
        with.live()
        for place in [inApp("a.json"), inGroup("a.json")] { #expect(disk.text(place) == #"{"x":2,"y":2}"#) }
        #expect(with.engine.rows().map(\.generation) == [2])
        #expect(try with.engine.conflicts().isEmpty)
    }

    @Test func `a deletion made while it was excluded is synced once it is included`() throws {
        for name in ["a.json", "b.json", "c.json"] { save("[1]", inApp(name)) }
        try living().live()
        let without = try living(DocumentFilter(include: ["b.json", "c.json"]))
        disk.world.delete(inApp("a.json"))
        without.live()
        #expect(disk.text(inGroup("a.json")) == "[1]")
        try living().live()
        #expect(disk.text(inGroup("a.json")) == nil)
    }

    @Test func `excluded documents do not count when all others are lost`() throws {
        for name in ["a.json", "b.json", "draft.json"] { save("[1]", inApp(name)) }
        try living().live()
        let living = try living(DocumentFilter(exclude: ["draft*"]))
        living.live()
        for name in ["a.json", "b.json"] { disk.world.delete(inApp(name)) }
        #expect(living.live() == Halt(side: .app, reason: .lostAll(2)))
    }

    @Test func `a container that a person accepted has not deleted what was excluded`() throws {
        for name in ["a.json", "b.json", "draft.json"] { save("[1]", inApp(name)) }
        try living().live()
        let without = try living(DocumentFilter(exclude: ["draft*"]))
        without.live()
        disk.world.replaceRoot(.app)
        without.live()
        #expect(try without.allow().takesContainer)
        without.live()
        #expect(disk.text(inApp("a.json")) == "[1]" && disk.text(inApp("draft.json")) == nil)
        try living().live()
        #expect(disk.text(inApp("draft.json")) == "[1]" && disk.text(inGroup("draft.json")) == "[1]")
    }

    @Test func `neither an undo nor a decision writes an excluded document`() throws {
        let first = try living()
        for text in [#"{"x":1}"#, #"{"x":2}"#] {
            save(text, inApp("a.json"))
            first.live()
        }
        save(#"{"x":3}"#, inApp("a.json"))
        save(#"{"x":4}"#, inGroup("a.json"))
        first.live()
        let trashed = try #require(try first.engine.history().first?.id)
        let conflict = try #require(try first.engine.conflicts().first?.id)
        let without = try living(DocumentFilter(exclude: ["a.json"]))
        without.live()
        let refused = DecisionFailure.impossible(.excluded(inApp("a.json").path, .excluded(by: "a.json")))
        #expect(throws: refused) { try without.undo(trashed) }
        #expect(throws: refused) { try without.resolve(conflict, taking: .side(.group)) }
        #expect(disk.text(inApp("a.json")) == #"{"x":3}"#)
    }

    @Test func `a file of a killed run waits until its document is included again`() throws {
        do {
            let living = try living()
            save("[1]", inApp("a.json"))
            living.live()
            save("[2]", inApp("a.json"))
            disk.fail = { call, place in call == .rename && place?.root == .group ? .death() : nil }
            living.live()
            disk.fail = { _, _ in nil }
            try #require(disk.isDead)
        }
        let before = disk.world.files(.group).count
        try living(DocumentFilter(exclude: ["a.json"])).live()
        #expect(disk.world.files(.group).count == before)
        try living().live()
        #expect(disk.text(inGroup("a.json")) == "[2]")
        #expect(disk.world.files(.group).count == 1)
    }
}
