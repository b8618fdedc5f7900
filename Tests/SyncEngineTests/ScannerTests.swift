import DirectoryReplica
import FileSystem
import FileSystemSimulation
import Glibc
import Model
import Replica
import SyncEngine
import Testing

/// What a check of everything finds, and when the next one is due; without an engine.
@Suite final class ScannerTests {
    private let disk = SimulatedDisk()
    private var scanner = Scanner()
    private lazy var replicas = BothSides<any Replica>(of: disk)

    private func list(_ top: String? = nil) throws -> ReplicaListing {
        try scanner.list(top.map { inApp($0).path }, on: .app, in: &replicas)
    }

    private func plan(at seconds: Int, isReachable: Bool = true) -> Duration? {
        scanner.plan(at: .seconds(seconds), isReachable: isReachable)
        return scanner.nextTry
    }

    /// From now on these directories cannot be listed.
    private func refuse(_ names: String...) {
        disk.fail = { call, place in
            call == .list && names.contains(place?.path.description ?? "") ? .error(EACCES) : nil
        }
    }

    @Test func `files are found in directories, except hidden ones`() throws {
        disk.world.makeDirectory(inApp("d"))
        for name in ["a.json", "d/b.json", ".hidden", "d/c.txt"] { disk.world.save(inApp(name), [1]) }
        let names = try list().files.map(\.description)
        #expect(names == ["a.json", "d/b.json", "d/c.txt"])
        #expect(try list("d").files.map(\.description) == ["d/b.json", "d/c.txt"])
        #expect(try list("gone").files.isEmpty && scanner.isComplete)
    }

    @Test func `files of a killed run are distinguished from documents`() throws {
        let target = inApp("a.json")
        let staged = try disk.stage(
            [1],
            digest: Digest(of: [1]),
            for: target,
            replacing: nil,
            like: nil,
            number: 1,
            synced: false
        )
        let listing = try list()
        #expect(listing.files.isEmpty && listing.temporaries.map(\.0) == [staged.temporary])
        #expect(listing.temporaries.allSatisfy { $0.1.belongs(to: target.path) })
    }

    @Test func `an unreadable directory holds everything beneath it, and is tried less and less often`()
        throws
    {
        disk.world.makeDirectory(inApp("d"))
        disk.world.save(inApp("a.json"), [1])
        refuse("d")
        #expect(try list().files.map(\.description) == ["a.json"])
        #expect(scanner.isUnlisted(inApp("d/b.json").path, on: .app) && !scanner.isComplete)
        #expect(!scanner.isUnlisted(inApp("d/b.json").path, on: .group))
        #expect([plan(at: 0), plan(at: 1), plan(at: 3)] == [.seconds(1), .seconds(3), .seconds(7)])
        #expect((0..<20).map { _ in plan(at: 0) }.last == .seconds(60))
        #expect(!scanner.isDue(at: .seconds(59)) && scanner.isDue(at: .seconds(60)))
        disk.fail = { _, _ in nil }
        scanner.begin()
        _ = try list()
        #expect(scanner.isComplete && plan(at: 60) == nil && !scanner.isDue(at: .seconds(600)))
    }

    @Test func `an unreadable container is not an empty one`() throws {
        disk.fail = { call, _ in call == .list ? .error(EACCES) : nil }
        #expect(throws: FileError.self) { _ = try self.list() }
        #expect(plan(at: 5, isReachable: false) == .seconds(6))
    }

    @Test func `a request tries unreadable directories at once`() throws {
        scanner.retry()
        #expect(!scanner.isWanted)
        disk.world.makeDirectory(inApp("d"))
        refuse("d")
        _ = try list()
        scanner.planIfUnlisted(at: .zero, isReachable: true)
        #expect(scanner.nextTry == .seconds(1))
        scanner.retry()
        #expect(scanner.isWanted && scanner.isDue(at: .zero))
        scanner.begin()
        #expect(!scanner.isWanted)
    }

    @Test func `changes of a killed run are found in the next turn, which comes soon`() {
        let path = inApp("a.json").path
        scanner.remember(unresumed: path, at: .seconds(5))
        #expect(scanner.isUnresumed(path) && !scanner.isResumed && scanner.isDue(at: .seconds(6)))
        scanner.begin()
        #expect(scanner.isResumed && plan(at: 6) == nil)
    }

    @Test func `unrepresentable names are reported as long as they exist`() throws {
        let name: [UInt8] = [0x61, 0xff] + Array(".json".utf8)
        disk.world.save(name: name, in: .app, [1])
        disk.world.save(name: [0xff], in: .app, [1])
        #expect(try list().files.isEmpty)
        #expect(scanner.unnamable.app == [escaped(name)] && scanner.unnamable.group.isEmpty)
        scanner.record(unnamable: escaped(name), on: replicas.app)
        #expect(scanner.unnamable.app.count == 1)
        // What is beneath a directory with such a name has no path: the names above it are listed.
        scanner.record(unnamable: "d\\xff/e/a.json", on: replicas.app)
        #expect(scanner.unnamable.app == [escaped(name)])
        disk.world.replaceRoot(.app)
        try disk.reopen(.app)
        scanner.record(unnamable: escaped(name), on: replicas.app)
        #expect(scanner.unnamable.app.isEmpty)
    }
}
