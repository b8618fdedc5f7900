import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

/// Directories in directories in directories.
@Suite struct DeepDirectoryTests {
    private static func name(_ levels: Int) -> String {
        String(repeating: "d/", count: levels) + "a.json"
    }

    private func living(_ disk: SimulatedDisk) throws -> LivingEngine {
        try LivingEngine(disk, MemoryJournal(instance: "bridge"))
    }

    /// The calls of a bridge that is told of every directory of a tree, as the watcher does when it is made.
    private func calls(hearingOf levels: Int) throws -> Int {
        let disk = SimulatedDisk()
        let living = try living(disk)
        living.live()
        let tree = (1...levels).map { inApp(String(repeating: "d/", count: $0 - 1) + "d") }
        for directory in tree { disk.world.makeDirectory(directory) }
        disk.world.save(inApp(Self.name(levels)), Array("1".utf8))
        let before = disk.calls
        living.engine.markDirty(beneath: Subtrees(tree.map(\.path)), on: .app, at: living.now)
        living.proceed()
        #expect(disk.text(inGroup(Self.name(levels))) == "1")
        return disk.calls - before
    }

    @Test func `The work for a tree of directories grows with its depth, not with the square of it`() throws {
        let (few, many) = (try calls(hearingOf: 15), try calls(hearingOf: 60))
        #expect(many < few * 5, "\(few) calls for 15 levels, \(many) for 60")
    }

    @Test func `A document in more directories than the limit is held, and says so`() throws {
        let disk = SimulatedDisk()
        let living = try living(disk)
        for levels in [64, 65] {
            for level in 1...levels {
                disk.world.makeDirectory(inApp(String(repeating: "d/", count: level - 1) + "d"))
            }
            disk.world.save(inApp(Self.name(levels)), Array("1".utf8))
        }
        living.live()
        #expect(disk.text(inGroup(Self.name(64))) == "1" && disk.text(inGroup(Self.name(65))) == nil)
        let row = try #require(living.engine.rows().first { $0.name == Self.name(65) })
        #expect(row.state == .held)
        #expect(row.reason?.text == "its name has 65 directories; the limit is 64 (--max-directories)")
    }

    @Test func `Nothing is made for a name with more directories than the limit`() throws {
        let disk = SimulatedDisk()
        let living = try living(disk)
        living.live()
        let path = inApp(Self.name(65)).path
        #expect(throws: PutFailure.problem(.tooManyDirectories(65, limit: 64))) {
            try living.engine.put(Array("1".utf8), as: path, on: .app, expecting: nil, at: living.now)
        }
        #expect(disk.world.files(.app).isEmpty)
        #expect(throws: (any Error).self) { try disk.status(of: inApp("d")) }
    }
}
