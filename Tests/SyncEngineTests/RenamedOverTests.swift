import FileSystem
import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

/// Programs that write a file beside a document, which the bridge syncs, and rename it over the document.
@Suite struct RenamedOverTests {
    private let disk = SimulatedDisk()
    private let journal = MemoryJournal(instance: "bridge")
    private let names = (10..<22).map { "d\($0).json" }

    private func text(_ number: Int, of name: String) -> [UInt8] { Array("{\"\(name)\": \(number)}".utf8) }

    private func synced() throws -> LivingEngine {
        let living = try LivingEngine(disk, journal)
        for name in names { disk.world.save(inApp(name), text(0, of: name)) }
        living.live()
        return living
    }

    /// Writes the files beside the documents, waits, and renames them, all or one at a time.
    private func save(_ number: Int, pause: Duration, together: Bool, _ living: LivingEngine) {
        func write(_ name: String) {
            disk.world.save(inApp("tmp" + name), text(number, of: name))
            living.proceed(hearingOf: inApp("tmp" + name), for: pause)
        }
        func rename(_ name: String) {
            disk.world.rename(inApp("tmp" + name), to: inApp(name))
            living.engine.markDirty(inApp("tmp" + name).path)
            living.engine.markDirty(inApp(name).path)
        }
        if together { names.forEach(write) }
        for name in names {
            if !together { write(name) }
            rename(name)
        }
    }

    @Test(arguments: [1, 50, 300, 5_000] as [Int], [true, false])
    func `they lose nothing, halt nothing and leave nothing`(pause: Int, together: Bool) throws {
        let living = try synced()
        for number in 1...3 {
            save(number, pause: .milliseconds(pause), together: together, living)
            living.proceed(for: .seconds(3))
            #expect(living.engine.halt == nil)
        }
        #expect(disk.world.files(.group).map(\.path.description).sorted() == names)
        for name in names { #expect(disk.text(inGroup(name)) == "{\"\(name)\": 3}") }
        // The group's earlier contents of each document, and nothing of the other names.
        let kept = disk.world.files(in: Trash.directory, of: .state)
        #expect(Set(kept).count == kept.count && kept.count == 3 * names.count)
    }
}
