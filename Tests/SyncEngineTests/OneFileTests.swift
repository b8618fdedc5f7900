import FileSystem
import FileSystemSimulation
import Model
import SyncEngine
import Testing

/// Hard links in both containers to one file, as a deduplicator makes them of equal files.
@Suite struct OneFileTests {
    private let world = EditedWorld()

    private func link(_ name: String = "a.json") {
        world.disk.world.delete(world.place(name, .group))
        world.disk.world.link(world.place(name, .app), to: world.place(name, .group))
    }

    private var names: [Int?] {
        Side.allCases.map { world.disk.world.standing(at: world.place("a.json", $0))?.names }
    }

    @Test func `A rescan gives each container a file of its own`() throws {
        world.save("1", .app)
        try world.run(nil)
        #expect(names == [1, 1])
        link()
        #expect(names == [2, 2])
        let planned = try world.engine(nil).rehearsed().changes
        #expect(planned.map(\.reason) == [.done(.linked)] && names == [2, 2])
        try world.run(nil)
        #expect(world.changes.map(\.reason) == [.done(.linked)])
        #expect(names == [1, 1] && world.both == ["1", "1"])
        // Nothing was overwritten that is not still there.
        #expect(!world.kept.contains("1"))
        try world.run(nil)
        #expect(world.changes.isEmpty)
    }

    @Test func `What was saved into the one file is in both afterwards`() throws {
        world.save("1", .app)
        try world.run(nil)
        link()
        world.disk.world.overwrite(world.place("a.json", .app), Array("2".utf8))
        #expect(world.both == ["2", "2"])
        try world.run(nil)
        #expect(names == [1, 1] && world.both == ["2", "2"])
    }

    @Test func `A document that is new in both is parted as well`() throws {
        world.save("1", .app)
        world.disk.world.link(world.place("a.json", .app), to: world.place("a.json", .group))
        try world.run(nil)
        #expect(names == [1, 1] && world.both == ["1", "1"])
    }
}
