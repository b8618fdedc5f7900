import Documents
import FileSystemSimulation
import Model
import StateStore
import Testing

/// A suite about one document that is in sync, and then saved by the group's program.
protocol SyncedText {
    var disk: SimulatedDisk { get }
    var journal: MemoryJournal { get }
    var app: Location { get }
    var group: Location { get }
}

extension SyncedText {
    func save(_ text: String, _ place: Location) { disk.world.save(place, Array(text.utf8)) }

    func synced(_ text: String, _ rule: String = "{}") throws -> LivingEngine {
        let yaml = "profile: notes\ndocuments: {a.json: \(rule)}\n"
        let living = try LivingEngine(disk, journal, profile: Profile(yaml: yaml, file: "notes.yaml"))
        save(text, app)
        living.live()
        try #require(disk.text(group) == text)
        return living
    }

    func saveInGroup(_ text: String, _ living: LivingEngine) {
        save(text, group)
        living.proceed(hearingOf: group)
    }
}
