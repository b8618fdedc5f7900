import Documents
import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

/// Documents with a `direction`: only one side's changes are synced.
@Suite struct OneWayTests {
    private let disk = SimulatedDisk()
    private let journal = MemoryJournal(instance: "bridge")

    private func living(_ direction: String = "app-to-group") throws -> LivingEngine {
        let text = """
            profile: notes
            documents:
              "*.json": {direction: \(direction)}
              "both/*.json": {}
            """
        let profile = try Profile(yaml: text, file: "notes.yaml")
        return try LivingEngine(disk, journal, profile: profile)
    }

    private func save(_ text: String, _ place: Location) { disk.world.save(place, Array(text.utf8)) }

    /// Three documents in sync.
    private func synced(_ direction: String = "app-to-group") throws -> LivingEngine {
        let living = try living(direction)
        for name in ["a.json", "b.json", "c.json"] { save(#"{"x":1,"y":1}"#, inApp(name)) }
        if direction == "group-to-app" {
            for name in ["a.json", "b.json", "c.json"] { save(#"{"x":1,"y":1}"#, inGroup(name)) }
        }
        living.live()
        try #require(disk.text(inGroup("c.json")) == #"{"x":1,"y":1}"#)
        return living
    }

    private func kept(_ living: LivingEngine) throws -> [String] {
        try living.engine.history().filter { $0.side == .group }.map(\.reason.text)
    }

    @Test func `a change of the source is synced`() throws {
        let living = try synced()
        save("[2]", inApp("a.json"))
        living.proceed(hearingOf: inApp("a.json"))
        #expect(disk.text(inGroup("a.json")) == "[2]")
    }

    @Test func `a change of the other side is put back without a notice, and kept in the trash`() throws {
        let living = try synced()
        let told = living.notices.count
        save("[2]", inGroup("a.json"))
        living.proceed(hearingOf: inGroup("a.json"))
        for place in [inApp("a.json"), inGroup("a.json")] { #expect(disk.text(place) == #"{"x":1,"y":1}"#) }
        #expect(living.notices.count == told)
        #expect(try kept(living) == ["changed in group, but synced only from app: put back"])
        #expect(try living.engine.conflicts().isEmpty && living.engine.heldCount == 0)
    }

    @Test func `an undo takes the other side's change over into the source`() throws {
        let living = try synced()
        save("[2]", inGroup("a.json"))
        living.proceed(hearingOf: inGroup("a.json"))
        let edit = try living.undo(try #require(try living.engine.history().first?.id))
        #expect(edit.side == .app)
        living.live()
        for place in [inApp("a.json"), inGroup("a.json")] { #expect(disk.text(place) == "[2]") }
    }

    @Test func `of two changes the source's is synced, and the other one kept`() throws {
        let living = try synced()
        save(#"{"x":2,"y":1}"#, inApp("a.json"))
        save(#"{"x":1,"y":2}"#, inGroup("a.json"))
        living.live()
        for place in [inApp("a.json"), inGroup("a.json")] { #expect(disk.text(place) == #"{"x":2,"y":1}"#) }
        #expect(try kept(living).contains { $0.hasSuffix("put back") })
        #expect(living.notices.last?.document == inApp("a.json").path)
    }

    @Test func `a deletion on the other side is put back, one in the source is synced`() throws {
        let living = try synced()
        let told = living.notices.count
        disk.world.delete(inGroup("a.json"))
        living.proceed(hearingOf: inGroup("a.json"))
        #expect(disk.text(inGroup("a.json")) == #"{"x":1,"y":1}"#)
        #expect(living.notices.count == told)
        disk.world.delete(inApp("b.json"))
        save("[2]", inGroup("b.json"))
        living.proceed(hearingOf: inApp("b.json"))
        #expect(disk.text(inApp("b.json")) == nil && disk.text(inGroup("b.json")) == nil)
        #expect(try kept(living).count == 1)
    }

    @Test func `a rename on the other side does not rename the source's document`() throws {
        let living = try synced()
        disk.world.delete(inGroup("a.json"))
        disk.world.makeDirectory(inGroup("both"))
        save(#"{"x":1,"y":1}"#, inGroup("both/a.json"))
        living.live()
        for name in ["a.json", "both/a.json"] {
            #expect(disk.text(inApp(name)) == #"{"x":1,"y":1}"#, "\(name)")
            #expect(disk.text(inGroup(name)) == #"{"x":1,"y":1}"#, "\(name)")
        }
    }

    @Test func `a document that only the other side has is held until the source has it`() throws {
        let living = try living()
        save("[1]", inGroup("a.json"))
        living.live()
        #expect(disk.text(inGroup("a.json")) == "[1]" && disk.text(inApp("a.json")) == nil)
        #expect(living.engine.rows().map(\.reason) == [.held(.onlyHere(.group))])
        save("[2]", inApp("a.json"))
        living.proceed(hearingOf: inApp("a.json"))
        #expect(disk.text(inGroup("a.json")) == "[2]")
        #expect(living.engine.heldCount == 0)
        #expect(try kept(living).count == 1)
    }

    @Test func `the direction may be the other one`() throws {
        let living = try synced("group-to-app")
        save("[2]", inApp("a.json"))
        living.proceed(hearingOf: inApp("a.json"))
        #expect(disk.text(inApp("a.json")) == #"{"x":1,"y":1}"#)
        save("[3]", inGroup("a.json"))
        living.proceed(hearingOf: inGroup("a.json"))
        #expect(disk.text(inApp("a.json")) == "[3]")
    }

    /// The group's program saved a field that only its version has.
    @Test func `a change in another version is put back from the base`() throws {
        let text = """
            profile: notes
            speaks: {app: 1, group: 2}
            documents:
              a.json:
                direction: app-to-group
                version: {field: version, missing: 1}
                versions:
                  1: {}
                  2: {lenses: [{default: {field: tag, value: x}}]}
            """
        let profile = try Profile(yaml: text, file: "notes.yaml")
        let living = try LivingEngine(disk, journal, profile: profile)
        save(#"{"x":1}"#, inApp("a.json"))
        living.live()
        let published = try #require(disk.text(inGroup("a.json")))
        try #require(published.contains(#""tag":"x""#))
        save(published.replacing(#""tag":"x""#, with: #""tag":"y""#), inGroup("a.json"))
        living.proceed(hearingOf: inGroup("a.json"))
        #expect(disk.text(inGroup("a.json")) == published)
        #expect(disk.text(inApp("a.json")) == #"{"x":1}"#)
    }

    @Test func `an unknown direction is refused`() {
        let text = "profile: x\ndocuments: {a.json: {direction: sideways}}\n"
        let error = #expect(throws: ProfileError.self) { try Profile(yaml: text, file: "x.yaml") }
        #expect(error?.line == 2)
    }
}
