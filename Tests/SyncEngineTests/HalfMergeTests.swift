import FileSystem
import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

/// A merge that was published on the app's side, while a program saved on the group's.
@Suite struct HalfMergeTests {
    private let disk = SimulatedDisk()
    private let journal = MemoryJournal(instance: "h")
    private let app = inApp("a.json")
    private let group = inGroup("a.json")

    private func save(_ text: String, _ place: Location) { disk.world.save(place, Array(text.utf8)) }

    private var both: [String?] { [disk.text(app), disk.text(group)] }

    /// Where a file replaces another by a rename, a save in between prevents it.
    private func started(_ text: String) throws -> LivingEngine {
        save(text, app)
        let living = try LivingEngine(
            disk,
            journal,
            settings: EngineSettings(durability: .none, commit: .rename)
        )
        living.live()
        return living
    }

    /// Saves it on the group's side once the app's document has `part`.
    private func saveInGroup(_ text: String, onceAppHas part: String) {
        disk.fail = { [disk, app, group] _, _ in
            guard disk.text(app)?.contains(part) == true else { return nil }
            disk.fail = { _, _ in nil }
            disk.world.save(group, Array(text.utf8))
            return nil
        }
    }

    @Test func `what the bridge wrote to the app is no edit of the app`() throws {
        let living = try started(#"{"x":0,"y":0}"#)
        save(#"{"x":1,"y":0}"#, app)
        save(#"{"x":0,"y":1}"#, group)
        saveInGroup(#"{"x":0,"y":2}"#, onceAppHas: #""y":1"#)
        living.live()
        #expect(both == [#"{"x":1,"y":2}"#, #"{"x":1,"y":2}"#])
        #expect(living.engine.counters.conflicts == 0)
    }

    @Test func `a conflict that it decided is recorded once, and later edits of both are kept`() throws {
        let living = try started(#"{"x":0,"y":0,"z":0}"#)
        save(#"{"x":1,"y":0,"z":1}"#, app)
        save(#"{"x":0,"y":1,"z":2}"#, group)
        saveInGroup(#"{"x":0,"y":2,"z":2}"#, onceAppHas: #""y":1"#)
        living.live()
        #expect(both == [#"{"x":1,"y":2,"z":1}"#, #"{"x":1,"y":2,"z":1}"#])
        let conflicts = try living.engine.conflicts()
        #expect(conflicts.map { $0.fields.map(\.group) } == [["2"]])
    }

    @Test func `a run that is killed right afterwards continues with it`() throws {
        let living = try started(#"{"x":0,"y":0}"#)
        save(#"{"x":1,"y":0}"#, app)
        save(#"{"x":0,"y":1}"#, group)
        saveInGroup(#"{"x":0,"y":2}"#, onceAppHas: #""y":1"#)
        living.engine.markAllDirty(at: living.now)
        living.turn()
        save(#"{"x":3,"y":1}"#, app)
        try LivingEngine(disk, journal).live()
        #expect(both == [#"{"x":3,"y":2}"#, #"{"x":3,"y":2}"#])
    }
}
