import FileSystem
import FileSystemSimulation
import Glibc
import Model
import Testing

/// What the simulated disk adds to the contract: steps, faults, kills and settings.
@Suite struct SimulatedDiskTests {
    let disk = SimulatedDisk()

    @Test func `the world acts before each call, and is told which call it is`() throws {
        var seen: [String] = []
        disk.meanwhile = { call, place in seen.append("\(call) \(place?.description ?? "-")") }
        try disk.make(app("a.json"), .text("a"))
        try disk.rename(app("a.json"), to: group("b.json"), .exclusive)
        _ = try disk.contents(group("b.json"))
        try disk.sync(directory(.group))
        try disk.makeDirectory(app("d"))
        _ = try disk.list(directory(.app, "d"))
        #expect(
            seen == [
                "create app:a.json", "write app:a.json", "close app:a.json", "rename app:a.json",
                "open group:b.json", "read group:b.json", "close group:b.json", "syncDirectory -",
                "makeDirectory app:d", "list app:d",
            ]
        )
        #expect(disk.calls == seen.count)
    }

    @Test func `a call sees what the world did just before it`() throws {
        disk.meanwhile = { [disk] call, _ in
            if call == .rename { disk.world.save(app("b.json"), .text("racer")) }
        }
        try disk.make(app("a.json"), .text("a"))
        try require("rename", fails: .exists(app("b.json"))) { () throws(FileError) in
            try disk.rename(app("a.json"), to: app("b.json"), .exclusive)
        }
    }

    @Test func `every call can be made to fail without effect`() throws {
        try disk.make(app("a.json"), .text("a"))
        try disk.makeDirectory(app("d"))
        let reader = try disk.open(app("a.json"))
        let writer = try disk.create(app("b.json"))
        disk.fail = { _, _ in .error(EIO) }
        let verbs: [() throws -> Void] = [
            { _ = try disk.list(directory(.app)) }, { _ = try disk.status(of: app("a.json")) },
            { _ = try disk.status(of: directory(.app)) }, { _ = try disk.standing(at: .app) },
            { _ = try disk.open(app("a.json")) }, { _ = try disk.status(of: reader) },
            { _ = try disk.read(reader, limit: 1) }, { _ = try disk.create(app("c.json")) },
            { try disk.write([1], to: writer) }, { try disk.copyAttributes(of: app("a.json"), to: writer) },
            { try disk.copyAttributes(of: directory(.app), to: directory(.app, "d")) },
            { try disk.sync(writer) }, { try disk.sync(directory(.app)) },
            { try disk.rename(app("a.json"), to: app("c.json"), .replace) },
            { try disk.link(app("a.json"), to: app("c.json")) }, { try disk.remove(app("a.json")) },
            { try disk.makeDirectory(app("e")) }, { try disk.removeDirectory(app("d")) },
            { _ = try disk.attribute("id", at: .app) }, { try disk.addAttribute("id", to: .app, [1]) },
            { try disk.reopen(.app) }, { _ = try disk.attribute("id", of: reader) },
            { try disk.setAttribute("id", of: writer, to: [1]) },
        ]
        for (number, verb) in verbs.enumerated() {
            #expect(throws: FileError.self, "verb \(number)") { try verb() }
        }
        #expect(disk.isOpenForWriting(reader) == nil)
        disk.fail = { _, _ in nil }
        #expect(
            try disk.list(directory(.app)).map(\.bytes) == [.text("a.json"), .text("b.json"), .text("d")]
        )
        #expect(disk.world.read(app("b.json")) == [])
    }

    @Test func `a short write stores a part and fails; an interrupted call is repeated`() throws {
        let handle = try disk.create(app("a.json"))
        disk.fail = { call, _ in call == .write ? .short(3, ENOSPC) : nil }
        try require("write", fails: .system(errno: ENOSPC, .write, app("a.json"))) { () throws(FileError) in
            try disk.write(.text("abcdef"), to: handle)
        }
        #expect(disk.world.read(app("a.json")) == .text("abc"))
        disk.fail = { _, _ in .error(EINTR) }
        try disk.write(.text("def"), to: handle)
        #expect(disk.world.read(app("a.json")) == .text("abcdef"))
    }

    @Test func `a killed process does nothing more, and its files are closed`() throws {
        try disk.make(app("a.json"), .text("a"))
        let reader = try disk.open(app("a.json"))
        let writer = try disk.create(app("b.json"))
        disk.fail = { call, _ in call == .write ? .death(2) : nil }
        let dead = FileError.system(errno: SimulatedDisk.deathNumber, .write, app("b.json"))
        try require("write", fails: dead) { () throws(FileError) in try disk.write(.text("xyz"), to: writer) }
        #expect(disk.isDead && disk.openHandles == 0)
        #expect(disk.world.read(app("b.json")) == .text("xy"))
        disk.fail = { _, _ in nil }
        #expect(throws: FileError.self) { try disk.remove(app("a.json")) }
        #expect(disk.isOpenForWriting(reader) == nil)
        disk.close(reader)
        try disk.restart()
        #expect(try disk.contents(app("a.json")) == .text("a"))
        let again = try disk.open(app("b.json"))
        #expect(disk.isOpenForWriting(again) == false)
    }

    @Test func `a new process opens the roots that exist then`() throws {
        disk.world.replaceRoot(.app)
        disk.world.save(app("new.json"), .text("new"))
        try require("old", fails: .missing(app("new.json"))) { () throws(FileError) in
            try disk.open(app("new.json"))
        }
        try disk.restart()
        #expect(try disk.contents(app("new.json")) == .text("new"))
        disk.world.removeRoot(.group)
        try require("restart", fails: .noDirectory(directory(.group))) { () throws(FileError) in
            try disk.restart()
        }
    }

    @Test(arguments: [true, false])
    func `the inode number of a deleted file is reused, or never, by setting`(reuses: Bool) throws {
        disk.reusesInodeNumbers = reuses
        disk.world.save(app("a.json"), .text("a"))
        let number = try disk.status(of: app("a.json")).signature.inode
        try disk.remove(app("a.json"))
        disk.world.save(app("b.json"), .text("b"))
        #expect((try disk.status(of: app("b.json")).signature.inode == number) == reuses)
    }

    @Test func `a coarse clock gives changes within one tick the same time`() throws {
        disk.timestampGrain = .milliseconds(10)
        disk.now = 1_000_000_000
        disk.world.save(app("a.json"), .text("1"))
        let first = try disk.status(of: app("a.json")).signature
        disk.now += 9_000_000
        disk.world.overwrite(app("a.json"), .text("2"))
        #expect(try disk.status(of: app("a.json")).signature == first)
        disk.now += 1_000_000
        disk.world.overwrite(app("a.json"), .text("3"))
        #expect(try disk.status(of: app("a.json")).signature != first)
    }

    @Test func `a missing feature of the file system is reported`() throws {
        let disk = SimulatedDisk(separate: [.state])
        try disk.make(app("a.json"), .text("a"))
        try disk.make(app("b.json"), .text("b"))
        func lacks(_ call: SystemCall, _ to: Location, _ act: () throws(FileError) -> Void) throws {
            try require("\(call)", fails: .unsupported(call, to), act)
        }
        try lacks(.rename, state("a")) { () throws(FileError) in
            try disk.rename(app("a.json"), to: state("a"), .replace)
        }
        try lacks(.link, state("a")) { () throws(FileError) in try disk.link(app("a.json"), to: state("a")) }
        disk.canExchange = false
        disk.canRenameExclusively = false
        disk.canLink = false
        try lacks(.rename, app("b.json")) { () throws(FileError) in
            try disk.rename(app("a.json"), to: app("b.json"), .exchange)
        }
        try lacks(.rename, app("c.json")) { () throws(FileError) in
            try disk.rename(app("a.json"), to: app("c.json"), .exclusive)
        }
        try lacks(.link, app("c.json")) { () throws(FileError) in
            try disk.link(app("a.json"), to: app("c.json"))
        }
        #expect(
            try disk.status(of: app("a.json")).signature.device
                != disk.status(of: directory(.state)).signature.device
        )
    }

    @Test func `a mount point is reported, and stays`() throws {
        disk.world.save(app("a.json"), .text("a"))
        disk.world.save(app("b.json"), .text("b"))
        disk.world.mount(over: app("a.json"))
        #expect(try disk.status(of: app("a.json")).isMountPoint)
        let busy = FileError.system(errno: EBUSY, .rename, app("a.json"))
        for mode in [RenameMode.exchange, .replace] {
            try require("\(mode)", fails: busy) { () throws(FileError) in
                try disk.rename(app("b.json"), to: app("a.json"), mode)
            }
        }
        try require("remove", fails: .system(errno: EBUSY, .remove, app("a.json"))) { () throws(FileError) in
            try disk.remove(app("a.json"))
        }
    }

    @Test func `a case-insensitive root has one file for names that differ only in case`() throws {
        let disk = SimulatedDisk()
        disk.foldingRoots = [.group]
        let names = try ["D/a.json", "d/A.json"].map { Location(Root.group, try #require(RelativePath($0))) }
        _ = disk.world.makeDirectory(Location(Root.group, try #require(names[0].path.directory)))
        _ = disk.world.save(names[0], [1])
        #expect(disk.foldsCase(Directory(Root.group)) && !disk.foldsCase(Directory(Root.app)))
        #expect(try disk.status(of: names[0]) == disk.status(of: names[1]))
        #expect(throws: FileError.exists(names[1])) { try disk.create(names[1]) }
        let spelled = try disk.list(Directory(Root.group, names[1].path.directory)).map(\.bytes)
        #expect(spelled == [Array("a.json".utf8)])
    }
}
