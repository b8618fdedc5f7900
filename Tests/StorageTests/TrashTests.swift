import FileSystem
import FileSystemSimulation
import Model
import StateStore
import Testing

@Suite struct TrashTests {
    let limit = 1 << 20

    private func disk(separate: Bool = false) throws -> SimulatedDisk {
        let disk = SimulatedDisk(separate: separate ? [.state] : [])
        try disk.state.makeKeepingPlaces()
        try disk.state.makeKeepingPlaces()
        return disk
    }

    private func kept(_ disk: SimulatedDisk, in place: String) -> [[UInt8]] {
        disk.world.files(.state).filter { $0.path.description.hasPrefix(place) }.map(\.bytes)
    }

    @Test(arguments: [false, true]) func `each content is stored once`(separate: Bool) throws {
        let disk = try disk(separate: separate)
        for (name, text) in [("a", "one"), ("b", "two"), ("c", "one")] {
            disk.world.save(app(name), .text(text))
            try disk.state.discard(app(name), digest: Digest(of: .text(text)), limit: limit)
        }
        #expect(disk.world.files(.app).isEmpty)
        #expect(Set(kept(disk, in: "trash")) == [.text("one"), .text("two")])
        #expect(kept(disk, in: "trash").count == 2 && disk.openHandles == 0)
    }

    @Test(arguments: [(0o664, 0o600, 0o600), (0o600, 0o664, 0o600), (0o644, 0o660, 0o640)], [false, true])
    func `a content of two documents keeps the narrowest rights`(
        modes: (first: UInt32, second: UInt32, kept: UInt32),
        separate: Bool
    ) throws {
        let disk = try disk(separate: separate)
        for (name, mode) in [("a", modes.first), ("b", modes.second)] {
            disk.world.save(app(name), .text("same"))
            disk.world.setMode(app(name), mode)
            try disk.state.discard(app(name), digest: Digest(of: .text("same")), limit: limit)
        }
        let handle = try disk.create(app("c"))
        defer { disk.close(handle) }
        let place = try #require(Trash.place(of: Digest(of: .text("same"))))
        try disk.copyAttributes(of: place, to: handle)
        #expect(try disk.status(of: handle).mode == modes.kept)
    }

    @Test func `a conflict copy is kept once, under a name that identifies its document`() throws {
        let disk = try disk()
        let path = try #require(RelativePath("habits/\(String(repeating: "x", count: 240)).json"))
        let name = try #require(
            try disk.state.keepConflictCopy(.text("loser"), "loser", of: path, synced: false)
        )
        #expect(name.hasSuffix("xxx.json") && name.utf8.count <= 255)
        #expect(try disk.state.keepConflictCopy(.text("loser"), "loser", of: path, synced: false) == nil)
        #expect(try disk.state.keepConflictCopy(.text("other"), "other", of: path, synced: false) != nil)
        #expect(Set(kept(disk, in: "conflicts")) == [.text("loser"), .text("other")])
    }

    @Test func `contents removed for lack of room are counted, and the oldest go first`() throws {
        let disk = try disk()
        for text in ["aaaa", "bbbb", "cccc"] {
            disk.world.save(app("a"), .text(text))
            try disk.state.discard(app("a"), digest: Digest(of: .text(text)), limit: limit)
        }
        #expect(try disk.state.trashUse().bytes == 12)
        var keeper = TrashKeeper(TrashLimits(maxBytes: 8))
        try keeper.prune(now: disk.now, in: disk.state)
        #expect(keeper.use.files == 2 && keeper.use.bytes == 8 && keeper.use.droppedEarly == 1)
        #expect(Set(kept(disk, in: "trash")) == [.text("bbbb"), .text("cccc")])
        try keeper.prune(now: disk.now, in: disk.state)
        #expect(keeper.use.droppedEarly == 1)
    }

    @Test func `conflict copies are not part of the trash`() throws {
        let disk = try disk()
        let path = try #require(RelativePath("a.json"))
        _ = try disk.state.keepConflictCopy(.text("loser"), "loser", of: path, synced: false)
        var keeper = TrashKeeper(TrashLimits(maxBytes: 0))
        try keeper.prune(now: disk.now, in: disk.state)
        #expect(kept(disk, in: "conflicts") == [.text("loser")])
        #expect(
            try disk.state.keptFiles(in: "conflicts").map(\.name) == ["loser-a.json"]
        )
    }

    /// It is killed in any of its calls, or the power is cut: an existing copy is whole, and the next run
    /// works.
    @Test func `a conflict copy is complete or not kept, whenever the bridge is killed`() throws {
        let path = try #require(RelativePath("a.json"))
        for step in 1...10 {
            let disk = try disk()
            let first = disk.calls
            disk.fail = { _, _ in disk.calls == first + step ? .death(2) : nil }
            _ = try? disk.state.keepConflictCopy(.text("loser"), "loser", of: path, synced: false)
            try disk.restart()
            disk.fail = { _, _ in nil }
            let done = kept(disk, in: "conflicts").contains(.text("loser"))
            _ = try disk.state.keepConflictCopy(.text("loser"), "loser", of: path, synced: false)
            #expect(
                kept(disk, in: "conflicts") == [.text("loser")],
                "killed in call \(step), was done: \(done)"
            )
        }
    }
}
