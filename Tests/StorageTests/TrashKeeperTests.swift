import FileSystem
import FileSystemSimulation
import Glibc
import Model
import StateStore
import TestWorld
import Testing

/// The limits of the trash, and what is known of it without reading every file.
@Suite struct TrashKeeperTests {
    private static let day: Int64 = 24 * 3600 * 1_000_000_000
    private static let dawn: Int64 = 1_768_746_600_000_000_000

    private func disk() throws -> SimulatedDisk {
        let disk = SimulatedDisk()
        disk.now = Self.dawn
        disk.blockSize = 4096
        try disk.state.makeKeepingPlaces()
        return disk
    }

    private func discard(_ text: String, in disk: SimulatedDisk, by keeper: inout TrashKeeper) throws {
        disk.world.save(app("a"), .text(text))
        try keeper.discard(app("a"), digest: Digest(of: .text(text)), limit: 1 << 20, in: disk.state)
    }

    private func kept(_ disk: SimulatedDisk) -> Set<String> {
        Set(disk.world.files(.state).map { String(decoding: $0.bytes, as: UTF8.self) })
    }

    @Test func `fast additions never exceed the trash's limit, in blocks`() throws {
        let disk = try disk()
        let limit: Int64 = 16 * 4096
        var keeper = TrashKeeper(TrashLimits(maxBytes: limit))
        for number in 0..<100 {
            try discard("\(number)", in: disk, by: &keeper)
            let use = try disk.state.trashUse()
            #expect(use.bytes <= limit && use.bytes == keeper.use.bytes && use.files == keeper.use.files)
            disk.now += 1_000_000
        }
        #expect(kept(disk).contains("99") && !kept(disk).contains("0"))
        #expect(keeper.use.droppedEarly == 100 - keeper.use.files && keeper.use.files >= 14)
        #expect(keeper.dropped.count == keeper.use.droppedEarly)
    }

    @Test func `the trash takes at most a tenth of what the disk has left`() throws {
        let disk = try disk()
        disk.room = 1_000 * 4096
        var keeper = TrashKeeper()
        for number in 0..<200 {
            try discard("\(number)", in: disk, by: &keeper)
            disk.room = disk.room.map { $0 - 4096 }
            disk.now += 1_000_000
        }
        // A few more come while the files are looked through.
        #expect(try disk.state.trashUse().files <= 110)
        #expect(kept(disk).contains("199") && !kept(disk).contains("0"))
        // Another program fills the disk. What the trash gives back, it takes, too.
        disk.room = 0
        try keeper.prune(now: disk.now, in: disk.state)
        try keeper.finish(in: disk.state)
        #expect(try keeper.use(in: disk.state).files < 20)
    }

    @Test func `the same bytes take no more room`() throws {
        let disk = try disk()
        var keeper = TrashKeeper()
        for _ in 0..<3 { try discard("same", in: disk, by: &keeper) }
        #expect(keeper.use.files == 1 && keeper.use.bytes == 4096)
    }

    @Test func `an addition is counted even if its call failed`() throws {
        let disk = SimulatedDisk(separate: [.state])
        try disk.state.makeKeepingPlaces()
        var keeper = TrashKeeper()
        try discard("one", in: disk, by: &keeper)
        disk.fail = { call, place in call == .remove && place == app("a") ? .error(EIO) : nil }
        #expect(throws: FileError.self) { try discard("two", in: disk, by: &keeper) }
        disk.fail = { _, _ in nil }
        #expect(try keeper.use(in: disk.state) == disk.state.trashUse())
        #expect(try disk.state.trashUse().files == 2)
    }

    @Test func `the next run examines no file unless the directory was changed`() throws {
        let disk = try disk()
        var keeper = TrashKeeper()
        for number in 0..<200 { try discard("\(number)", in: disk, by: &keeper) }
        try keeper.prune(now: disk.now, in: disk.state)
        let text = try #require(try keeper.text(in: disk.state))
        let before = disk.calls
        var next = TrashKeeper(text: text, TrashLimits())
        #expect(try next.use(in: disk.state) == keeper.use)
        try next.prune(now: disk.now, in: disk.state)
        #expect(disk.calls < before + 5)
        let path = try #require(RelativePath("trash/\(String(repeating: "a", count: 64))"))
        disk.world.save(Location(.state, path), .text("by hand"))
        #expect(try TrashKeeper(text: text, TrashLimits()).use(in: disk.state).files == 201)
    }

    @Test(arguments: ["", "1", "1 2 3", "a b c d e f", "1 2 3 4 5 6 7"])
    func `the trash of an older release is counted again`(text: String) throws {
        let disk = try disk()
        var keeper = TrashKeeper()
        try discard("one", in: disk, by: &keeper)
        #expect(try TrashKeeper(text: text, TrashLimits()).use(in: disk.state) == keeper.use)
    }

    /// Through the journal each time, as from run to run.
    private func passDays(_ days: Int, _ keeper: inout TrashKeeper, _ disk: SimulatedDisk) throws {
        for _ in 0..<days {
            disk.now += Self.day
            try keeper.prune(now: disk.now, in: disk.state)
            try keeper.finish(in: disk.state)
            keeper = TrashKeeper(
                text: try #require(try keeper.text(in: disk.state)),
                TrashLimits()
            )
        }
    }

    @Test func `contents older than thirty days are removed`() throws {
        let disk = try disk()
        var keeper = TrashKeeper()
        try keeper.prune(now: disk.now, in: disk.state)
        try discard("old", in: disk, by: &keeper)
        try passDays(29, &keeper, disk)
        try discard("young", in: disk, by: &keeper)
        try passDays(2, &keeper, disk)
        #expect(kept(disk) == ["young"])
    }

    @Test(arguments: [40, 400, -20_000])
    func `a clock that jumps and is set right again removes nothing`(days: Int64) throws {
        let disk = try disk()
        var keeper = TrashKeeper()
        try keeper.prune(now: disk.now, in: disk.state)
        try discard("before", in: disk, by: &keeper)
        try passDays(20, &keeper, disk)
        disk.now += days * Self.day
        try discard("meanwhile", in: disk, by: &keeper)
        try passDays(2, &keeper, disk)
        disk.now -= days * Self.day
        try passDays(20, &keeper, disk)
        #expect(kept(disk) == ["before", "meanwhile"])
    }

    /// True time advances by days; the clock jumps, or advances with it.
    @Test(arguments: 0..<40) func `nothing younger than thirty days is removed, whatever the clock does`(
        seed: UInt64
    ) throws {
        var chance = SplitMix(seed)
        let disk = try disk()
        // A file changed after the clock was set back has that time, as on a real disk.
        disk.timestampGrain = .nanoseconds(1)
        var keeper = TrashKeeper()
        try keeper.prune(now: disk.now, in: disk.state)
        var came: [String: Int] = [:]
        for day in 0..<200 {
            if Int.random(in: 0..<15, using: &chance) == 0 {
                disk.now +=
                    Int64(Int.random(in: 8...500, using: &chance)) * Self.day
                    * (Bool.random(using: &chance) ? 1 : -1)
            }
            came["\(day)"] = day
            try discard("\(day)", in: disk, by: &keeper)
            try passDays(1, &keeper, disk)
            let left = kept(disk)
            for (text, born) in came where !left.contains(text) {
                #expect(day - born >= 29)
                came[text] = nil
            }
        }
        // Thirty days until the clock is trusted, as many until a first file is old and all are checked,
        // and as many again for one that was a month ahead then; with a day's tolerance each.
        try passDays(100, &keeper, disk)
        #expect(kept(disk).isEmpty)
    }

    @Test func `after a jump of the clock thirty days are still enough`() throws {
        let disk = try disk()
        var keeper = TrashKeeper()
        try discard("before", in: disk, by: &keeper)
        try keeper.prune(now: disk.now, in: disk.state)
        disk.now += 365 * Self.day
        try passDays(28, &keeper, disk)
        #expect(kept(disk) == ["before"])
        try passDays(4, &keeper, disk)
        #expect(kept(disk).isEmpty)
    }

    /// There is room for 1,000 of 4,000 files.
    private func overfull() throws -> (SimulatedDisk, TrashKeeper) {
        let disk = try disk()
        var all = TrashKeeper()
        for number in 0..<4_000 {
            disk.now += 1_000
            try discard("\(number)", in: disk, by: &all)
        }
        return (disk, TrashKeeper(TrashLimits(maxBytes: 1_000 * 4096)))
    }

    @Test func `thousands of contents are counted and removed in slices, oldest first`() throws {
        var (disk, keeper) = try overfull()
        var before = disk.calls
        try keeper.prune(now: disk.now, in: disk.state)
        var slices = 0
        while keeper.isBusy {
            #expect(disk.calls - before <= TrashKeeper.looks + 3 * TrashKeeper.removals)
            before = disk.calls
            try keeper.advance(in: disk.state)
            slices += 1
        }
        #expect(slices < 250)
        #expect(keeper.use.files == 1_000 && keeper.use.droppedEarly == 3_000)
        #expect(try disk.state.trashUse().files == 1_000 && keeper.dropped.count == 3_000)
        #expect(kept(disk).contains("3000") && !kept(disk).contains("2999"))
    }

    @Test func `changes during the counting are counted as well`() throws {
        var (disk, keeper) = try overfull()
        try keeper.prune(now: disk.now, in: disk.state)
        for number in 0..<400 {
            // New ones, an existing one, and one that may be about to be removed.
            for text in ["new \(number)", "\(number * 10)", "new 1"] {
                disk.now += 1_000
                let before = disk.calls
                try discard(text, in: disk, by: &keeper)
                #expect(disk.calls - before <= 200, "one that comes does not wait for all to go")
            }
            try keeper.drop(Digest(of: .text("\(3_999 - number)")), in: disk.state)
            if keeper.isBusy { try keeper.advance(in: disk.state) }
        }
        try keeper.finish(in: disk.state)
        let use = try disk.state.trashUse()
        #expect(keeper.use.files == use.files && keeper.use.bytes == use.bytes)
        #expect(use.files <= 1_000 && kept(disk).contains("new 399"))
    }

    @Test func `a large file gets room at once, however many small ones there are`() throws {
        let disk = try disk()
        var all = TrashKeeper()
        for number in 0..<1_000 { try discard("\(number)", in: disk, by: &all) }
        var keeper = TrashKeeper(TrashLimits(maxBytes: 1_000 * 4096))
        for number in 0..<3 {
            try discard("\(number)" + String(repeating: " ", count: 200 * 4096), in: disk, by: &keeper)
        }
        #expect(try disk.state.trashUse().bytes <= 1_000 * 4096)
    }

    @Test func `on a real disk a small file counts by its blocks`() throws {
        let ground = try LinuxGround()
        try StateDirectory(ground.door).makeKeepingPlaces()
        ground.save(app("a"), .text("{}"))
        let status = try ground.door.status(of: app("a"))
        var keeper = TrashKeeper()
        try keeper.discard(
            app("a"),
            digest: Digest(of: .text("{}")),
            limit: 1 << 20,
            in: StateDirectory(ground.door)
        )
        #expect(keeper.use.bytes == max(2, status.allocated))
        #expect(try StateDirectory(ground.door).trashUse() == keeper.use)
    }
}
