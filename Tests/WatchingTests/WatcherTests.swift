import Glibc
import Model
import Testing

@testable import Watching

@Suite struct WatcherTests {
    @Test func `hints arrive, followed by a token`() throws {
        let containers = try Containers()
        var loop = Loop(containers)
        defer { loop.watcher.close() }
        _ = try loop.hints(through: .ready)
        try containers.write(.group, "a.json")
        loop.watcher.send(token: 7, at: .zero)
        let path = try #require(RelativePath("a.json"))
        #expect(Set(try loop.hints(through: .token(7))) == [.look(.group, path), .token(7)])
        #expect(loop.watcher.mode == .inotify)
        #expect(loop.watcher.deadline == nil)
    }

    @Test func `a killed helper is started again, and everything is checked`() throws {
        let containers = try Containers()
        var loop = Loop(containers)
        defer { loop.watcher.close() }
        _ = try loop.hints(through: .ready)
        let first = try #require(loop.watcher.helperProcess)
        kill(first, SIGKILL)
        loop.watcher.send(token: 1, at: .zero)
        let hints = try loop.hints(through: .token(1))
        for side in Side.allCases {
            #expect(hints.contains(.everything(side, reason: .helperEnded)))
            #expect(hints.contains(.everything(side, reason: .watchingAgain)))
        }
        #expect(loop.watcher.helperProcess != first)
        try containers.write(.app, "b.json")
        loop.watcher.send(token: 2, at: .zero)
        let path = try #require(RelativePath("b.json"))
        #expect(try loop.hints(through: .token(2)).contains(.look(.app, path)))
    }

    @Test func `without a helper there is polling, which is reported, and tokens are answered`() throws {
        let containers = try Containers()
        var messages: [String] = []
        let watcher = Watcher(roots: containers.roots, helper: "/bin/false", now: .zero) {
            messages.append($0)
        }
        var now = Duration.zero
        var hints: [Hint] = []
        while watcher.mode == .inotify {
            hints += watcher.drain(now: now)
            now += .milliseconds(1)
        }
        guard case .polling = watcher.mode else { return }
        watcher.send(token: 3, at: now)
        hints = watcher.drain(now: now)
        #expect(hints == Side.allCases.map { .everything($0, reason: .polling) } + [.token(3)])
        let deadline = try #require(watcher.deadline)
        #expect(deadline == now + .seconds(1))
        #expect(watcher.drain(now: deadline - .milliseconds(1)).isEmpty)
        #expect(!watcher.drain(now: deadline).isEmpty)
        #expect(!messages.isEmpty)
    }

    @Test func `closing ends the helper`() throws {
        let loop = Loop(try Containers())
        let id = try #require(loop.watcher.helperProcess)
        loop.watcher.close()
        #expect(kill(id, 0) == -1)
        #expect(loop.watcher.fileDescriptor == -1)
    }
}

/// Two directories for a test.
final class Containers {
    private let path: String
    let roots: BothSides<String>

    init() throws {
        var template = Array("/tmp/widgetbridge-watching-test.XXXXXX".utf8CString)
        let made = unsafe mkdtemp(&template).map { unsafe String(cString: $0) }
        let path = try #require(made)
        self.path = path
        roots = BothSides { "\(path)/\($0)" }
        for side in Side.allCases { try #require(unsafe mkdir(roots[side], 0o755) == 0) }
    }

    /// A script to be started instead of the helper, which is `$HELPER` in it.
    func script(_ text: String) throws -> String {
        let path = "\(roots.app).sh"
        let helper = try #require(HelperProgram.find())
        let line = "#!/bin/sh\nHELPER='\(helper)'\n\(text)\n"
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o755)
        try #require(unsafe Glibc.write(descriptor, line, line.utf8.count) == line.utf8.count)
        Glibc.close(descriptor)
        return path
    }

    deinit { _ = try? HelperProcess("/bin/rm", ["-rf", "--", path]) }

    func write(_ side: Side, _ name: String) throws {
        let descriptor = unsafe open("\(roots[side])/\(name)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        try #require(descriptor >= 0)
        Glibc.close(descriptor)
    }
}

/// A minimal version of the agent's thread.
struct Loop {
    let watcher: Watcher
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant

    init(_ containers: Containers, helper: String? = nil) {
        start = clock.now
        watcher = Watcher(roots: containers.roots, helper: helper, now: .zero) { _ in }
    }

    var now: Duration { start.duration(to: clock.now) }

    mutating func hints(through last: Hint) throws -> [Hint] {
        var hints: [Hint] = []
        let patience = clock.now + .seconds(120)
        while !hints.contains(last) {
            try #require(clock.now < patience, "only: \(hints.suffix(20))")
            let now = start.duration(to: clock.now)
            let wait = min(watcher.deadline.map { max(.zero, $0 - now) } ?? .seconds(1), .seconds(1))
            var waited = pollfd(fd: watcher.fileDescriptor, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&waited, 1, Int32(wait / .milliseconds(1)) + 1)
            hints += watcher.drain(now: start.duration(to: clock.now))
        }
        return hints
    }
}
