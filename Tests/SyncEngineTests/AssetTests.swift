import Documents
import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

/// Files that the profile names in `assets:`.
@Suite struct AssetTests {
    private let disk = SimulatedDisk()
    private let journal = MemoryJournal(instance: "bridge")

    private func living(_ rule: String = "{limit: 8B, kinds: [Cover]}") throws -> LivingEngine {
        let text = "profile: covers\ndocuments: {}\nassets: {\"*.png\": \(rule)}\n"
        return try LivingEngine(disk, journal, profile: Profile(yaml: text, file: "covers.yaml"))
    }

    private func save(_ bytes: [UInt8], _ place: Location) { disk.world.save(place, bytes) }

    private func bytes(_ place: Location) -> [UInt8]? { disk.world.read(place) }

    /// An asset in sync.
    private func synced(_ bytes: [UInt8] = [0x89, 0xFF, 0]) throws -> LivingEngine {
        let living = try living()
        save(bytes, inApp("a.png"))
        living.live()
        try #require(self.bytes(inGroup("a.png")) == bytes)
        return living
    }

    @Test func `is synced whole in both directions, with a notice to its kinds`() throws {
        let living = try synced()
        save([0xFF, 1], inGroup("a.png"))
        living.proceed(hearingOf: inGroup("a.png"))
        #expect(bytes(inApp("a.png")) == [0xFF, 1])
        #expect(living.notices.map(\.kind) == ["Cover", "Cover"])
    }

    @Test func `changes on both sides are a conflict that keeps both`() throws {
        let living = try synced()
        save([1], inApp("a.png"))
        save([2], inGroup("a.png"))
        living.live()
        for place in [inApp("a.png"), inGroup("a.png")] { #expect(bytes(place) == [1]) }
        let conflicts = try living.engine.conflicts()
        #expect(conflicts.map(\.side) == [.group] && conflicts.map(\.size) == [1])
    }

    @Test func `what looks like JSON is not merged`() throws {
        let living = try synced(Array("{}".utf8))
        save(Array(#"{"a":1}"#.utf8), inApp("a.png"))
        save(Array(#"{"b":2}"#.utf8), inGroup("a.png"))
        living.live()
        #expect(bytes(inGroup("a.png")) == Array(#"{"a":1}"#.utf8))
        #expect(try living.engine.conflicts().map(\.patch) == [nil])
    }

    @Test func `a deletion is synced`() throws {
        let living = try synced()
        disk.world.delete(inGroup("a.png"))
        living.proceed(hearingOf: inGroup("a.png"))
        #expect(bytes(inApp("a.png")) == nil)
    }

    @Test func `above its limit it is held, and the other side keeps the last one`() throws {
        let living = try synced()
        save([UInt8](repeating: 1, count: 9), inApp("a.png"))
        living.live()
        #expect(bytes(inGroup("a.png")) == [0x89, 0xFF, 0])
        #expect(living.engine.heldCount == 1)
        save([3], inApp("a.png"))
        living.live()
        #expect(bytes(inGroup("a.png")) == [3] && living.engine.heldCount == 0)
    }

    @Test func `a file that nobody names is left where it is`() throws {
        let living = try living()
        save([1], inApp("a.jpg"))
        living.live()
        #expect(bytes(inGroup("a.jpg")) == nil)
    }

    @Test func `a profile in which a document and an asset have the same name is refused`() {
        let text = "profile: a\ndocuments: {a.json: {}}\nassets: {a.json: {}}\n"
        #expect(throws: ProfileError.self) { try Profile(yaml: text, file: "a.yaml") }
        #expect(throws: ProfileError.self) { try living("{limit: big}") }
    }
}
