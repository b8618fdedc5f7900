import FileSystem
import Foundation
import Model
import Testing

/// Signals interrupt system calls, which callers of the file system must not notice. `strace` makes the
/// kernel interrupt every second call of this test binary, which is started once more.
@Suite struct LinuxInterruptionTests {
    private static let variable = "STORAGE_TESTS_INTERRUPTED"
    private static let place = ProcessInfo.processInfo.environment[variable]
    private static let canTrace =
        Child.find("strace").map { (try? Child.run($0, ["-o", "/dev/null", "true"])) == 0 } ?? false

    /// Each can be interrupted on some file system, though perhaps not on this one.
    private static let calls = [
        "openat2", "openat", "statx", "getdents64", "pread64", "writev", "fsync", "fchmod",
        "fsetxattr",
        "renameat2", "renameat", "linkat", "unlinkat", "mkdirat",
    ]

    @Test(.enabled(if: canTrace && place == nil, "strace is missing, or not permitted here"))
    func `an interrupted call is repeated`() throws {
        let strace = try #require(Child.find("strace"))
        let place = try LinuxGround.makeTemporaryDirectory(in: LinuxGround.temporary)
        defer { LinuxGround.removeTree(place) }
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let log = "\(place)/log"
        let set = Self.calls.joined(separator: ",")
        let status = try Child.run(
            strace,
            [
                "-f", "-qq", "-o", log, "-e", "trace=\(set)", "-e", "inject=\(set):error=EINTR:when=1+2",
                "-P", "\(place)/app", "-P", "\(place)/app/a.json", "-P", "\(place)/app/d",
                program, "--testing-library", "swift-testing", "--filter", "LinuxInterruptionTests",
            ],
            environment: [Self.variable: place]
        )
        #expect(status == 0)
        let injected = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
            .filter { $0.contains("INJECTED") }
        for call in Self.calls {
            #expect(injected.contains { $0.contains(" \(call)(") }, "\(call) was never interrupted")
        }
    }

    @Test(.enabled(if: place != nil, "this is the part of the child that is interrupted"))
    func `every call has its effect despite interruptions`() throws {
        let place = try #require(Self.place)
        for root in Root.allCases { unsafe mkdir("\(place)/\(root.rawValue)", 0o755) }
        let door = try LinuxFileSystem(app: "\(place)/app", group: "\(place)/group", state: "\(place)/state")
        let (a, b) = (app("a.json"), app("b.json"))
        // Twice, because only every second call is interrupted.
        for _ in 0..<2 {
            try door.makeDirectory(app("d"))
            let handle = try door.create(a)
            try door.write(.text("one"), to: handle)
            try door.write(.text("two"), to: handle)
            try door.copyAttributes(of: a, to: handle)
            try door.sync(handle)
            door.close(handle)
            try door.sync(directory(.app))
            #expect(try door.contents(a) == .text("onetwo"))
            #expect(try door.status(of: a).signature.size == 6)
            #expect(try door.list(directory(.app)).count == 2)
            try door.make(app("d/c.json"), .text("nested"))
            #expect(try door.contents(app("d/c.json")) == .text("nested"))
            try door.remove(app("d/c.json"))
            try? door.addAttribute("tag", to: .app, .text("app"))
            #expect(try door.attribute("tag", at: .app) == .text("app"))
            try door.reopen(.app)
            try door.copyAttributes(of: directory(.group), to: directory(.app, "d"))
            try door.rename(a, to: b, .exclusive)
            try door.make(a, .text("three"))
            try door.rename(a, to: b, .exchange)
            #expect(try door.contents(a) == .text("onetwo"))
            try door.rename(a, to: b, .replace)
            try door.link(b, to: a)
            try door.remove(a)
            try door.remove(b)
            try door.removeDirectory(app("d"))
        }
    }
}
