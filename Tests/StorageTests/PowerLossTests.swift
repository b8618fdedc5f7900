import FileSystem
import FileSystemSimulation
import Glibc
import Model
import TestWorld
import Testing

/// What a power cut may destroy, and what it may not.
@Suite struct PowerLossTests {
    /// The states of a disk after `prepare` and a power cut, for many cuts.
    private func outcomes<Outcome: Hashable>(
        of seeds: Range<UInt64> = 0..<400,
        _ prepare: (SimulatedDisk) throws -> Void,
        _ look: (SimulatedDisk) -> Outcome
    ) throws -> Set<Outcome> {
        var found: Set<Outcome> = []
        for seed in seeds {
            let disk = SimulatedDisk()
            try prepare(disk)
            var generator = SplitMix(seed)
            disk.powerCut(choosing: &generator)
            try disk.restart()
            found.insert(look(disk))
        }
        return found
    }

    private func make(_ disk: SimulatedDisk, _ file: Location, _ text: String, synced: Bool) throws {
        let handle = try disk.create(file)
        defer { disk.close(handle) }
        try disk.write(.text(text), to: handle)
        if synced { try disk.sync(handle) }
    }

    @Test func `a file and its name stay once both are synced`() throws {
        let found = try outcomes({ disk in
            try make(disk, app("a.json"), "whole", synced: true)
            try disk.sync(directory(.app))
        }) { $0.world.read(app("a.json")) }
        #expect(found == [.text("whole")])
    }

    @Test func `a synced file without a synced name is whole or gone`() throws {
        let found = try outcomes({ try make($0, app("a.json"), "whole", synced: true) }) {
            $0.world.read(app("a.json"))
        }
        #expect(found == [nil, .text("whole")])
    }

    @Test func `a synced name without a synced file may be whole, empty or torn`() throws {
        let found = try outcomes({ disk in
            try make(disk, app("a.json"), "whole", synced: false)
            try disk.sync(directory(.app))
        }) { $0.world.read(app("a.json")) }
        #expect(!found.contains(nil))
        #expect(found.contains(.text("whole")) && found.contains([]))
        #expect(
            found.contains { $0?.prefix(2) == [UInt8].text("wh")[...] && $0 != .text("whole") },
            "none is torn"
        )
    }

    @Test func `a new directory is not durable by a sync of its contents alone`() throws {
        let found = try outcomes({ disk in
            try disk.makeDirectory(app("d"))
            try make(disk, app("d/a.json"), "whole", synced: true)
            try disk.sync(directory(.app, "d"))
        }) { $0.world.read(app("d/a.json")) }
        #expect(found == [nil, .text("whole")])
    }

    @Test func `a rename is done or not, never half`() throws {
        let found = try outcomes({ disk in
            try make(disk, app("a.json"), "a", synced: true)
            try disk.sync(directory(.app))
            try disk.rename(app("a.json"), to: group("a.json"), .exclusive)
        }) { [$0.world.read(app("a.json")) != nil, $0.world.read(group("a.json")) != nil] }
        #expect(found == [[true, false], [false, true]])
    }

    @Test func `an exchange is done or not, never half`() throws {
        let found = try outcomes({ disk in
            try make(disk, app("a.json"), "a", synced: true)
            try make(disk, group("b.json"), "b", synced: true)
            for root in [Root.app, .group] { try disk.sync(Directory(root)) }
            try disk.rename(app("a.json"), to: group("b.json"), .exchange)
        }) { [$0.world.read(app("a.json")), $0.world.read(group("b.json"))] }
        #expect(found == [[.text("a"), .text("b")], [.text("b"), .text("a")]])
    }

    @Test func `names in one directory are persisted in the order of their changes`() throws {
        let found = try outcomes({ disk in
            for name in ["1", "2", "3"] { try make(disk, app(name), name, synced: true) }
        }) { $0.world.files(.app).map(\.path.description).joined() }
        #expect(found == ["", "1", "12", "123"])
    }

    @Test func `a sync of one directory persists what another's names need`() throws {
        let found = try outcomes({ disk in
            try make(disk, app("a.json"), "a", synced: true)
            try disk.rename(app("a.json"), to: app("b.json"), .exclusive)
            try disk.rename(app("b.json"), to: group("c.json"), .exclusive)
            try disk.sync(directory(.group))
        }) { $0.world.files(.app).count * 10 + $0.world.files(.group).count }
        #expect(found == [1])
    }

    @Test func `a write in place to a synced file may be lost, torn or kept`() throws {
        let found = try outcomes({ disk in
            disk.world.save(app("a.json"), .text("old"))
            disk.writeBack()
            disk.world.overwrite(app("a.json"), .text("new!"))
        }) { $0.world.read(app("a.json")) }
        #expect(found.isSuperset(of: [.text("old"), .text("new!"), []]))
    }

    @Test func `a removal may be undone`() throws {
        let found = try outcomes({ disk in
            try make(disk, app("a.json"), "a", synced: true)
            try disk.sync(directory(.app))
            try disk.remove(app("a.json"))
            disk.world.save(group("other"), .text("takes its number"))
        }) { $0.world.read(app("a.json")) }
        #expect(found == [nil, .text("a")])
    }

    /// The kernel marks pages that it could not write as clean: the second sync has nothing to do, and
    /// succeeds.
    @Test func `a repeated sync after a failed one succeeds without persisting anything`() throws {
        let found = try outcomes({ disk in
            let handle = try disk.create(app("a.json"))
            try disk.sync(directory(.app))
            try disk.write(.text("lost"), to: handle)
            disk.fail = { call, _ in call == .sync ? .error(EIO) : nil }
            #expect(throws: FileError.self) { try disk.sync(handle) }
            disk.fail = { _, _ in nil }
            try disk.sync(handle)
            #expect(disk.world.read(app("a.json")) == .text("lost"), "it is still in memory")
        }) { $0.world.read(app("a.json")) }
        #expect(found == [[]])
    }

    @Test func `a power cut ends the processes too`() throws {
        let disk = SimulatedDisk()
        disk.world.save(app("a.json"), .text("a"))
        let pen = try #require(disk.world.open(app("a.json")))
        disk.writeBack()
        var generator = SplitMix(1)
        disk.powerCut(choosing: &generator)
        try disk.restart()
        pen.write(.text("from the grave"))
        pen.close()
        #expect(disk.world.read(app("a.json")) == .text("a"))
        let again = try #require(disk.world.open(app("a.json")))
        try disk.with(app("a.json")) { #expect(disk.isOpenForWriting($0) == true) }
        again.close()
        try disk.with(app("a.json")) { #expect(disk.isOpenForWriting($0) == false) }
    }

    @Test func `each file has one inode number of its own`() throws {
        for seed in 0..<50 as Range<UInt64> {
            let disk = SimulatedDisk()
            var generator = SplitMix(seed)
            for number in 0..<200 {
                let file = app("\(Int.random(in: 0..<20, using: &generator))")
                if generator.oneIn(3) {
                    disk.world.delete(file)
                } else {
                    disk.world.save(file, [UInt8(number)])
                }
                if generator.oneIn(9) { disk.writeBack() }
            }
            disk.powerCut(choosing: &generator)
            try disk.restart()
            let numbers = try disk.world.files(.app).map {
                try disk.status(of: Location(Root.app, $0.path)).signature.inode
            }
            #expect(Set(numbers).count == numbers.count)
        }
    }

    @Test func `the same seed leaves the same disk`() throws {
        func run(_ seed: UInt64) throws -> [String] {
            let disk = SimulatedDisk()
            var generator = SplitMix(seed)
            for number in 0..<100 {
                let root = try #require([Root.app, .group].randomElement(using: &generator))
                let file = location(root, "\(Int.random(in: 0..<10, using: &generator))")
                switch Int.random(in: 0..<5, using: &generator) {
                case 0: disk.world.delete(file)
                case 1: disk.world.overwrite(file, .text("in place \(number)"))
                case 2: disk.world.rename(file, to: group("moved \(number)"))
                case 3: try disk.sync(directory(root))
                default: disk.world.save(file, .text("saved \(number)"))
                }
            }
            let losses = disk.powerCut(choosing: &generator)
            return [Root.app, .group].flatMap { root in
                disk.world.files(root).map { "\(root) \($0.path) \($0.bytes)" }
            } + ["\(losses)"]
        }
        for seed in 0..<30 as Range<UInt64> { #expect(try run(seed) == run(seed)) }
    }
}
