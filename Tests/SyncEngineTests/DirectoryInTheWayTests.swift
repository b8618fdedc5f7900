import FileSystem
import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

/// A directory with a document's name. The watcher reports its end like that of any directory.
@Suite struct DirectoryInTheWayTests {
    private let disk = SimulatedDisk()
    private let living: LivingEngine

    init() throws {
        for name in ["a.json", "b.json"] { disk.world.save(inApp(name), Array("1".utf8)) }
        living = try LivingEngine(disk, MemoryJournal(instance: "bridge"))
        living.live()
    }

    private func held() -> [String] { living.engine.rows().filter { $0.state == .held }.map(\.name) }

    /// A document becomes a directory, with a document in it.
    private func replace(on side: Side) {
        let place = Location(side, inApp("a.json").path)
        disk.world.delete(place)
        disk.world.makeDirectory(place)
        disk.world.save(Location(side, inApp("a.json/in.json").path), Array("2".utf8))
        living.proceed(hearingOf: place)
        living.proceed(beneath: place.path, of: side)
    }

    @Test(arguments: Side.allCases) func `a removed directory holds no document`(_ side: Side) {
        replace(on: side)
        #expect(held().contains("a.json"))
        disk.world.delete(Location(side, inApp("a.json/in.json").path))
        disk.world.delete(Location(side, inApp("a.json").path))
        living.proceed(beneath: inApp("a.json").path, of: side)
        #expect(held() == [] && living.engine.isSettled)
        #expect(disk.text(inApp("a.json")) == nil && disk.text(inGroup("a.json")) == nil)
    }

    @Test(arguments: Side.allCases) func `a directory that was moved away holds no document`(_ side: Side) {
        replace(on: side)
        disk.world.rename(Location(side, inApp("a.json").path), to: Location(side, inApp("d").path))
        for name in ["a.json", "d"] { living.proceed(beneath: inApp(name).path, of: side) }
        #expect(held() == [] && living.engine.isSettled)
        #expect(disk.text(inApp("d/in.json")) == "2" && disk.text(inGroup("d/in.json")) == "2")
        #expect(disk.text(inApp("a.json")) == nil && disk.text(inGroup("a.json")) == nil)
    }

    @Test(arguments: Side.allCases) func `a document whose name it blocked is created`(_ side: Side) {
        let (mine, theirs) = (
            Location(side, inApp("c.json").path), Location(side.other, inApp("c.json").path)
        )
        disk.world.makeDirectory(theirs)
        disk.world.save(mine, Array("3".utf8))
        living.proceed(hearingOf: mine)
        #expect(held() == ["c.json"])
        disk.world.delete(theirs)
        living.proceed(beneath: theirs.path, of: side.other)
        #expect(held() == [] && disk.text(theirs) == "3")
    }

    @Test func `a directory that never was a document does not hold its name`() {
        disk.world.makeDirectory(inApp("d.json"))
        living.proceed(beneath: inApp("d.json").path, of: .app)
        #expect(living.engine.rows().map(\.name) == ["a.json", "b.json"])
    }
}
