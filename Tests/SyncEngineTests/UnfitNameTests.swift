import FileSystem
import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

/// Names that cannot be synced.
@Suite struct UnfitNameTests {
    @Test func `a name that is not UTF-8 is reported once, however often its directory is listed`() throws {
        let disk = SimulatedDisk()
        let living = try LivingEngine(disk, MemoryJournal(instance: "bridge"))
        #expect(disk.world.save(name: Array("bad".utf8) + [0xff] + Array(".json".utf8), in: .app, [0x31]))
        living.live()
        living.proceed(beneath: nil, of: .app)
        #expect(living.engine.rows().map(\.name) == ["bad\\xff.json"])
    }

    /// The name of a temporary file is longer than its document's.
    @Test(arguments: [3_980, 4_040, 4_090])
    func `a document whose path is too long for a temporary file is held, and the others are synced`(
        _ length: Int
    ) throws {
        let disk = SimulatedDisk()
        let living = try LivingEngine(disk, MemoryJournal(instance: "bridge"))
        var directory = ""
        while directory.utf8.count < length - 10 {
            let rest = length - 10 - directory.utf8.count
            directory += String(repeating: "d", count: min(100, rest)) + "/"
            disk.world.makeDirectory(inApp(String(directory.dropLast())))
        }
        let far = directory + "far.json"
        #expect(disk.world.save(inApp(far), Array("1".utf8)))
        #expect(disk.world.save(inApp("near.json"), Array("2".utf8)))
        living.live()
        #expect(disk.text(inGroup("near.json")) == "2")
        let row = try #require(living.engine.rows().first { $0.name == far })
        #expect(row.state == (length > 4_000 ? .held : .synced), "\(row.reason?.text ?? "")")
        if length > 4_000 { #expect(row.reason?.text.contains("File name too long") == true) }
    }
}
