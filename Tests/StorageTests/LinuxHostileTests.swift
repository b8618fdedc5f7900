import CLinux
import FileSystem
import Foundation
import Model
import Synchronization
import Testing

/// Programs that are malicious, or only fast.
@Suite(.serialized) struct LinuxHostileTests {
    /// The events that a watcher of `directory` would have seen during `act`: masks by name.
    private func events(in directory: String, during act: () throws -> Void) throws -> [String: UInt32] {
        let queue = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        check(queue)
        defer { close(queue) }
        unsafe check(inotify_add_watch(queue, directory, 0xFFF /* IN_ALL_EVENTS */))
        try act()
        var found: [String: UInt32] = [:]
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe read(queue, &buffer, buffer.count)
            guard count > 0 else { return found }
            var place = 0
            while place < count {
                let event = unsafe buffer.withUnsafeBytes {
                    unsafe $0.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
                }
                let start = place + MemoryLayout<inotify_event>.size
                let name = buffer[start..<start + Int(event.len)].prefix { $0 != 0 }
                found[String(decoding: name, as: UTF8.self), default: 0] |= event.mask
                place = start + Int(event.len)
            }
        }
    }

    private let reading = UInt32(IN_OPEN | IN_ACCESS | IN_CLOSE_NOWRITE)

    @Test(arguments: LinuxFileSystem.Resolution.allCases)
    func `a FIFO, socket or device is refused without being opened`(
        resolution: LinuxFileSystem.Resolution
    ) throws {
        let ground = try LinuxGround(resolution: resolution)
        ground.makeSpecial(app("fifo.json"))
        ground.makeDirectory(app("d"))
        ground.makeSpecial(app("d/fifo.json"))
        try Self.makeSocket(ground.path(app("socket.json")))
        var files = [app("fifo.json"), app("socket.json"), app("d/fifo.json")]
        if unsafe mknod(ground.path(app("device.json")), S_IFCHR | 0o666, 0x103) == 0 {
            files.append(app("device.json"))
        }
        for file in files {
            let holder = ground.path(file).replacingOccurrences(of: "/\(file.path.name)", with: "")
            let seen = try events(in: holder) {
                try require("\(file)", fails: .notRegular(file, .special)) { () throws(FileError) in
                    try ground.door.open(file)
                }
            }
            #expect(seen[file.path.name] == nil, "\(file)")
        }
    }

    private static func makeSocket(_ path: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let result = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        check(result)
    }

    /// The bridge's reads are access events only where they must be, because others' reads are evidence.
    @Test func `a read-only use leaves no trace`() throws {
        let ground = try LinuxGround()
        ground.save(app("a.json"), .text("a"))
        ground.setAttribute("user.tag", of: app("a.json"), to: .text("blue"))
        let handle = try ground.door.create(state("b.json"))
        defer { ground.door.close(handle) }
        let seen = try events(in: "\(ground.top)/app") {
            _ = try ground.door.status(of: app("a.json"))
            try ground.door.copyAttributes(of: app("a.json"), to: handle)
            try ground.door.link(app("a.json"), to: state("c.json"))
            try ground.door.rename(app("a.json"), to: app("d.json"), .exclusive)
        }
        #expect(ground.attribute("user.tag", of: state("b.json")) == .text("blue"))
        for (name, mask) in seen { #expect(mask & reading == 0, "\(name): \(mask)") }
        #expect(seen["d.json"] != nil, "the watcher sees nothing at all")
        let read = try events(in: "\(ground.top)/app") { _ = try ground.door.contents(app("d.json")) }
        #expect(read["d.json"] == reading)
    }

    @Test(arguments: LinuxFileSystem.Resolution.allCases)
    func `a directory that is swapped for a link does not lead outside`(
        resolution: LinuxFileSystem.Resolution
    ) throws {
        let ground = try LinuxGround(in: "/dev/shm", resolution: resolution)
        ground.makeDirectory(app("d"))
        ground.save(app("d/a.json"), .text("inside"))
        ground.save(group("a.json"), .text("outside"))
        ground.makeSymbolicLink(app("link"))
        let (directory, link) = (ground.path(app("d")), ground.path(app("link")))
        let swapper = Adversary {
            unsafe check(linux_renameat2(AT_FDCWD, directory, AT_FDCWD, link, linux_rename_exchange))
        }
        var insides = 0
        var rounds = 0
        while rounds < 5_000 || swapper.acts < 1_000 {
            if let bytes = try? ground.door.contents(app("d/a.json")) {
                #expect(bytes == .text("inside"))
                insides += 1
            }
            if let new = try? ground.door.create(app("d/\(rounds)")) {
                ground.door.close(new)
                try? ground.door.remove(app("d/\(rounds)"))
            }
            rounds += 1
        }
        swapper.stop()
        #expect(insides > 100, "of \(rounds)")
        #expect(try ground.door.list(Directory(.group)).count == 1, "something was made outside")
    }

    /// The lease that detects writers is broken by a program that opens the file at that moment. The kernel
    /// reports it with a signal, which must not be one that kills.
    @Test func `a program that opens the file during the check for writers does no harm`() throws {
        let ground = try LinuxGround()
        ground.save(app("a.json"), .text("a"))
        let path = ground.path(app("a.json"))
        countSignals()
        let writer = Adversary {
            let pen = unsafe Glibc.open(path, O_WRONLY | O_CLOEXEC)
            check(pen)
            close(pen)
        }
        try ground.door.with(app("a.json")) { handle in
            var answers = [false: 0, true: 0]
            func isProved() -> Bool {
                answers.values.allSatisfy { $0 >= 100 } && urgentSignals.load(ordering: .relaxed) > 0
            }
            while !isProved() && ioSignals.load(ordering: .relaxed) == 0 {
                answers[try #require(ground.door.isOpenForWriting(handle) as Bool?), default: 0] += 1
            }
        }
        writer.stop()
        #expect(ioSignals.load(ordering: .relaxed) == 0)
        signal(SIGIO, SIG_DFL)
        signal(SIGURG, SIG_DFL)
    }
}

/// Repeats one action in its own thread.
final class Adversary: Sendable {
    private let count = Atomic(0)
    private let isOver = Atomic(false)
    private let hasEnded = Atomic(false)

    init(_ act: @escaping @Sendable () -> Void) {
        Thread.detachNewThread { [self] in
            while !isOver.load(ordering: .acquiring) {
                act()
                count.add(1, ordering: .relaxed)
            }
            hasEnded.store(true, ordering: .releasing)
        }
    }

    var acts: Int { count.load(ordering: .relaxed) }

    func stop() {
        isOver.store(true, ordering: .releasing)
        while !hasEnded.load(ordering: .acquiring) { sched_yield() }
    }
}

private let ioSignals = Atomic(0)
private let urgentSignals = Atomic(0)

private func countSignals() {
    // Accessed now, because a signal handler must not be the first to access them.
    ioSignals.store(0, ordering: .relaxed)
    urgentSignals.store(0, ordering: .relaxed)
    signal(SIGIO) { _ in ioSignals.add(1, ordering: .relaxed) }
    signal(SIGURG) { _ in urgentSignals.add(1, ordering: .relaxed) }
}
