import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

/// The widget's program never reads: it saves what it has in memory.
@Suite struct FromMemoryTests {
    private let disk = SimulatedDisk()
    private let app = inApp("a.json")
    private let group = inGroup("a.json")

    private func save(_ text: String, _ place: Location) { disk.world.save(place, Array(text.utf8)) }

    private func living(with text: String) throws -> LivingEngine {
        save(text, app)
        let process = try LivingEngine(disk, MemoryJournal(instance: "bridge"))
        process.engine.tracksAccess = true
        process.live()
        return process
    }

    private func hear(_ events: AccessEvent..., by process: LivingEngine) {
        for event in events { process.engine.hear(event, of: group.path, on: .group) }
    }

    private func saveInApp(_ text: String, _ process: LivingEngine) {
        save(text, app)
        process.proceed(hearingOf: app)
        hear(.published, by: process)
    }

    private func expectBoth(_ text: String) {
        for place in [app, group] { #expect(disk.text(place) == text) }
    }

    /// The client read the program's save, which had not included what was published before.
    @Test func `a put on top of such a save undoes nothing either`() throws {
        let process = try living(with: #"{"x":0,"t":0}"#)
        saveInApp(#"{"x":0,"t":1}"#, process)
        let blind = Array(#"{"x":1,"t":0}"#.utf8)
        save(#"{"x":1,"t":0}"#, group)
        hear(.saved, by: process)
        let put = Array(#"{"x":1,"t":0,"p":1}"#.utf8)
        try process.engine.put(put, as: group.path, on: .group, expecting: Digest(of: blind), at: process.now)
        hear(.published, by: process)
        process.proceed()
        expectBoth(#"{"x":1,"t":1,"p":1}"#)
    }
}
