import FileSystem
import Foundation
import Model
import TestWorld
import Testing

/// File systems that a test mounts itself, in another process's mount namespace; this process accesses them
/// through `/proc/PID/root`.
@Suite(.enabled(if: Child.canUnshare, "mount namespaces are not permitted here"))
struct LinuxMountTests {
    /// Runs the script `mount` in an empty directory, and the test on that directory.
    private func withMount(_ mount: String, _ test: (String) throws -> Void) throws {
        let place = try LinuxGround.makeTemporaryDirectory(in: LinuxGround.temporary)
        defer { LinuxGround.removeTree(place) }
        let script = "mount -t tmpfs none '\(place)' && cd '\(place)' && \(mount) && echo mounted"
        let holder = try Child.running("exec unshare -rm sh -c \"\(script) && exec sleep 1000\"")
        defer { holder.send(SIGKILL) }
        try test("/proc/\(holder.identifier)/root\(place)")
    }

    private func withSmallDisk(_ options: String, _ test: (LinuxGround) throws -> Void) throws {
        try withMount("mkdir small && mount -t tmpfs -o \(options) none small") { place in
            try test(LinuxGround(in: "\(place)/small"))
        }
    }

    @Test func `another process's file system satisfies the contract`() throws {
        try withMount("true") { place in
            for check in Contract.all { try check.run(LinuxGround(in: place)) }
        }
    }

    @Test func `a full disk is reported, and works again when there is room`() throws {
        try withSmallDisk("size=256k") { ground in
            let bytes = [UInt8].pattern(300_000)
            let full = FileError.system(errno: ENOSPC, .write, app("a.json"))
            let handle = try ground.door.create(app("a.json"))
            try require("write", fails: full) { () throws(FileError) in
                try ground.door.write(bytes, to: handle)
            }
            // The kernel accepted only a part first; the short write is continued inside.
            let written = try #require(ground.read(app("a.json")))
            #expect(!written.isEmpty && bytes.starts(with: written))
            ground.door.close(handle)
            try ground.door.remove(app("a.json"))
            let isThere = eventually {
                try? ground.door.remove(app("b.json"))
                return (try? ground.door.make(app("b.json"), Array(bytes.prefix(100_000)))) != nil
            }
            #expect(isThere && ground.read(app("b.json")) == Array(bytes.prefix(100_000)))
        }
    }

    @Test func `a disk without free inodes is reported, and still allows renames and removals`() throws {
        try withSmallDisk("size=1m,nr_inodes=8") { ground in
            var made = 0
            let failure = try #require(throws: FileError.self) {
                while made < 100 {
                    ground.door.close(try ground.door.create(app("\(made)")))
                    made += 1
                }
            }
            #expect(failure == .system(errno: ENOSPC, .create, app("\(made)")))
            #expect(made > 0)
            try ground.door.rename(app("0"), to: group("0"), .exclusive)
            try ground.door.remove(group("0"))
            #expect(eventually { (try? ground.door.make(app("again"), [])) != nil })
        }
    }

    @Test func `nothing is renamed or linked to another device`() throws {
        try withMount("true") { place in
            let outer = try LinuxGround(in: place)
            let other = try LinuxGround(in: "/dev/shm")
            let door = try LinuxFileSystem(
                app: "\(outer.top)/app",
                group: "\(other.top)/group",
                state: "\(outer.top)/state"
            )
            outer.save(app("a.json"), .text("a"))
            other.save(group("b.json"), .text("b"))
            for mode in [RenameMode.exclusive, .exchange, .replace] {
                let to = mode == .exclusive ? group("c.json") : group("b.json")
                try require("\(mode)", fails: .unsupported(.rename, to)) { () throws(FileError) in
                    try door.rename(app("a.json"), to: to, mode)
                }
            }
            try require("link", fails: .unsupported(.link, group("c.json"))) { () throws(FileError) in
                try door.link(app("a.json"), to: group("c.json"))
            }
            #expect(other.read(group("b.json")) == .text("b"))
        }
    }

    @Test func `a mount point is reported, for a file as well as for a directory`() throws {
        let mounts = """
            mkdir -p group state app/plain app/mounted && touch app/plain.json app/mounted.json &&
            mount --bind app/plain.json app/mounted.json && mount -t tmpfs none app/mounted &&
            touch app/mounted/inner.json
            """
        try withMount(mounts.replacing("\n", with: " ")) { place in
            let door = try LinuxFileSystem(
                app: "\(place)/app",
                group: "\(place)/group",
                state: "\(place)/state"
            )
            for path in ["plain", "plain.json"] {
                let status = try door.status(of: app(path))
                #expect(!status.isMountPoint, "\(path)")
            }
            for path in ["mounted", "mounted.json", "mounted/inner.json"] {
                let status = try door.status(of: app(path))
                #expect(status.isMountPoint, "\(path)")
            }
            let opened = try door.with(app("mounted.json")) { try door.status(of: $0) }
            #expect(opened.isMountPoint)
            let inner = try door.list(directory(.app, "mounted")).map(\.bytes)
            #expect(inner == [.text("inner.json")])
        }
    }
}
