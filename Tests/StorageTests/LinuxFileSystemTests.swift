import CLinux
import FileSystem
import Foundation
import Model
import Synchronization
import Testing

/// Behaviour that only a real disk can show.
@Suite struct LinuxFileSystemTests {
    @Test func `a missing root, or a file as root, is refused by name`() throws {
        let top = try LinuxGround.makeTemporaryDirectory(in: LinuxGround.temporary)
        defer { LinuxGround.removeTree(top) }
        for root in ["app", "state"] { unsafe mkdir("\(top)/\(root)", 0o755) }
        func refusal() -> FileError? {
            do {
                _ = try LinuxFileSystem(app: "\(top)/app", group: "\(top)/group", state: "\(top)/state")
                return nil
            } catch {
                return error
            }
        }
        #expect(refusal() == .noDirectory(directory(.group)))
        try Data().write(to: URL(fileURLWithPath: "\(top)/group"))
        #expect(refusal() == .noDirectory(directory(.group)))
        unsafe unlink("\(top)/group")
        unsafe symlink("app", "\(top)/group")
        #expect(refusal() == nil, "a person may name a root by a link")
        #expect(try descriptors(beneath: top).isEmpty)
    }

    @Test func `no descriptor stays open after a refusal`() throws {
        let ground = try LinuxGround()
        let before = try descriptors(beneath: ground.top)
        #expect(before.count == 3)
        for check in Contract.looking + Contract.moving {
            let inner = try LinuxGround()
            try check.run(inner)
            #expect(try descriptors(beneath: inner.top).count == 3, "\(check.testDescription)")
        }
        #expect(try descriptors(beneath: ground.top) == before)
    }

    /// The open files of this process, by their target.
    private func descriptors(beneath top: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
            .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
            .filter { $0.hasPrefix(top) }
            .sorted()
    }

    @Test func `whether a program has a file open for writing is known for the user's own files`() throws {
        for place in [LinuxGround.temporary, "/dev/shm"] {
            let ground = try LinuxGround(in: place)
            ground.save(app("a.json"), .text("a"))
            try ground.door.with(app("a.json")) { handle in
                #expect(eventually { ground.door.isOpenForWriting(handle) == false }, "\(place)")
            }
        }
    }

    @Test func `of a file as large as a disk only the requested bytes are read`() throws {
        let ground = try LinuxGround()
        let descriptor = unsafe Glibc.open(ground.path(app("big.json")), O_WRONLY | O_CREAT, 0o644)
        check(ftruncate(descriptor, 1 << 40))
        close(descriptor)
        #expect(try ground.door.status(of: app("big.json")).signature.size == 1 << 40)
        let bytes = try ground.door.contents(app("big.json"), limit: 8 << 20 + 1)
        #expect(bytes.count == 8 << 20 + 1)
    }

    @Test func `ten thousand names are listed in order`() throws {
        let ground = try LinuxGround(in: "/dev/shm")
        for number in 0..<10_000 { ground.overwrite(app("\(number &* 7919 % 10_007).json"), []) }
        let names = try ground.door.list(directory(.app)).map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(names.count == 10_000)
        #expect(names == names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }

    // MARK: - Rights

    private static let isRoot = geteuid() == 0

    /// Runs `act` as another user, in this thread only.
    private func asNobody<Result>(_ act: () throws -> Result) rethrows -> Result {
        setfsgid(65_534)
        setfsuid(65_534)
        defer {
            setfsuid(0)
            setfsgid(0)
        }
        return try act()
    }

    @Test(.enabled(if: isRoot, "only root can give files away"))
    func `owner, group and set-ID bits are copied where that is permitted`() throws {
        let ground = try LinuxGround()
        ground.save(app("a.json"), .text("a"))
        unsafe check(chown(ground.path(app("a.json")), 1234, 5678))
        ground.setMode(app("a.json"), 0o6750)
        let handle = try ground.door.create(group("b.json"))
        defer { ground.door.close(handle) }
        try ground.door.copyAttributes(of: app("a.json"), to: handle)
        let status = try ground.door.status(of: handle)
        #expect((status.owner, status.ownerGroup, status.mode) == (1234, 5678, 0o6750))
    }

    @Test(.enabled(if: isRoot, "only root can take another's part"))
    func `an owner that may not be set is left out, and so are the set-ID bits`() throws {
        let ground = try LinuxGround()
        unsafe check(chmod("\(ground.top)/group", 0o777))
        ground.save(app("a.json"), .text("a"))
        ground.setMode(app("a.json"), 0o6755)
        try asNobody {
            let handle = try ground.door.create(group("b.json"))
            defer { ground.door.close(handle) }
            try ground.door.copyAttributes(of: app("a.json"), to: handle)
            let status = try ground.door.status(of: handle)
            #expect((status.owner, status.mode) == (65_534, 0o755))
        }
    }

    @Test(.enabled(if: isRoot, "only root can take another's part"))
    func `a call that is not permitted throws that error`() throws {
        let ground = try LinuxGround()
        ground.save(app("a.json"), .text("a"))
        ground.setMode(app("a.json"), 0o600)
        ground.makeDirectory(app("d"))
        ground.setMode(app("d"), 0o700)
        try asNobody {
            try require("open", fails: .system(errno: EACCES, .open, app("a.json"))) { () throws(FileError) in
                try ground.door.open(app("a.json"))
            }
            try require("create", fails: .system(errno: EACCES, .create, app("b.json"))) {
                () throws(FileError) in
                try ground.door.create(app("b.json"))
            }
            let list = FileError.directory(errno: EACCES, .list, directory(.app, "d"))
            try require("list", fails: list) { () throws(FileError) in
                try ground.door.list(directory(.app, "d"))
            }
            try require("remove", fails: .system(errno: EACCES, .remove, app("a.json"))) {
                () throws(FileError) in
                try ground.door.remove(app("a.json"))
            }
            try require("inside", fails: .system(errno: EACCES, .stat, app("d/b"))) { () throws(FileError) in
                try ground.door.status(of: app("d/b"))
            }
        }
    }
}
