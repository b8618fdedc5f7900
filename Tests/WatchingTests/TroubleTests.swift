import Glibc
import Model
import Testing

@testable import Watching

/// A helper that cannot do all of its work.
@Suite struct TroubleTests {
    @Test func `too few watches lead to polling, and enough of them end it`() throws {
        let containers = try Containers()
        let limited = try containers.script(
            "exec unshare -U -r sh -c 'echo 3 > /proc/sys/user/max_inotify_watches && exec \"$@\"' sh \"$HELPER\" \"$@\""
        )
        for number in 0..<5 { unsafe mkdir("\(containers.roots.app)/d\(number)", 0o755) }
        var loop = Loop(containers, helper: limited)
        defer { loop.watcher.close() }
        let first = try loop.hints(through: .ready)
        guard loop.watcher.mode == .inotify || loop.watcher.helperProcess != nil else {
            try Test.cancel("user namespaces are not allowed here")
        }
        loop.watcher.send(token: 1, at: .zero)
        let hints = first + (try loop.hints(through: .token(1)))
        let reasons = hints.compactMap { if case .everything(.app, let reason) = $0 { reason } else { nil } }
        let reason = try #require(reasons.first { if case .watchLimit = $0 { true } else { false } })
        #expect(loop.watcher.mode == .polling(.limited(reason)))
        // The helper still answers tokens, and everything is checked each second.
        let deadline = try #require(loop.watcher.deadline)
        #expect(loop.watcher.drain(now: deadline) == [.everything(.app, reason: reason)])
        for number in 0..<5 { unsafe rmdir("\(containers.roots.app)/d\(number)") }
        loop.watcher.send(rescan: .app, at: .zero)
        _ = try loop.hints(through: .everything(.app, reason: .watchLimit(unwatched: 0, cause: "")))
        #expect(loop.watcher.mode == .inotify)
        _ = loop.watcher.drain(now: deadline)
        #expect(loop.watcher.deadline == nil)
    }

    @Test func `a helper that was stopped and continues has lost nothing`() throws {
        let containers = try Containers()
        var loop = Loop(containers)
        defer { loop.watcher.close() }
        _ = try loop.hints(through: .ready)
        let id = try #require(loop.watcher.helperProcess)
        kill(id, SIGSTOP)
        try containers.write(.app, "a.json")
        loop.watcher.send(token: 1, at: .zero)
        #expect(loop.watcher.drain(now: .zero) == [])
        kill(id, SIGCONT)
        let path = try #require(RelativePath("a.json"))
        #expect(try loop.hints(through: .token(1)).contains(.look(.app, path)))
    }

    @Test func `a helper that hangs is replaced, and waiting callers are answered at once`() throws {
        let containers = try Containers()
        var loop = Loop(containers)
        defer { loop.watcher.close() }
        _ = try loop.hints(through: .ready)
        let id = try #require(loop.watcher.helperProcess)
        kill(id, SIGSTOP)
        loop.watcher.send(token: 1, at: .zero)
        let hints = try loop.hints(through: .token(1))
        for side in Side.allCases { #expect(hints.contains(.everything(side, reason: .helperEnded))) }
        #expect(kill(id, 0) == -1)
        _ = try loop.hints(through: .everything(.app, reason: .watchingAgain))
        #expect(loop.watcher.helperProcess != id)
        #expect(loop.watcher.mode == .inotify)
    }

    @Test func `a helper that hangs before it is ready is replaced`() throws {
        let containers = try Containers()
        let first = try containers.script(
            "if mkdir \"$0.first\" 2>/dev/null; then exec sleep 600; fi\nexec \"$HELPER\" \"$@\""
        )
        var loop = Loop(containers, helper: first)
        defer { loop.watcher.close() }
        let id = try #require(loop.watcher.helperProcess)
        let hints = try loop.hints(through: .ready)
        #expect(hints.contains(.everything(.app, reason: .helperEnded)))
        #expect(kill(id, 0) == -1)
        #expect(loop.watcher.mode == .inotify)
    }

    @Test
    func `a helper that never answers is replaced by polling after eight seconds, and tried again later`()
        throws
    {
        let containers = try Containers()
        let silent = try containers.script("exec sleep 600")
        let watcher = Watcher(roots: containers.roots, helper: silent, now: .zero)
        defer { watcher.close() }
        var now = Duration.zero
        while watcher.mode == .inotify, now < .seconds(60) {
            now = try #require(watcher.deadline)
            _ = watcher.drain(now: now)
        }
        #expect(watcher.mode == .polling(.silent))
        #expect(now == .milliseconds(8_100))
        #expect(watcher.helperProcess == nil)
        let retry = now + Restarts.retry
        while now < retry {
            now = try #require(watcher.deadline)
            #expect(watcher.drain(now: now).contains(.everything(.app, reason: .polling)) || now == retry)
        }
        #expect(watcher.helperProcess != nil)
        // This changes nothing before it is ready.
        watcher.send(token: 1, at: now)
        #expect(watcher.drain(now: now).contains(.token(1)))
    }

    @Test func `a helper that hangs whenever it was ready does not delay waiting callers`() throws {
        let containers = try Containers()
        var loop = Loop(containers, helper: try containers.script("echo ready\nexec sleep 600"))
        defer { loop.watcher.close() }
        for token in 1...2 {
            _ = try loop.hints(through: .ready)
            loop.watcher.send(token: UInt64(token), at: loop.now)
            let hints = try loop.hints(through: .token(UInt64(token)))
            #expect(!hints.contains(.ready) && hints.contains(.everything(.group, reason: .helperEnded)))
        }
        #expect(loop.watcher.mode == .polling(.silent))
    }

    @Test func `a helper that only gets requests to scan is found to hang as well`() throws {
        let containers = try Containers()
        var loop = Loop(containers)
        defer { loop.watcher.close() }
        _ = try loop.hints(through: .ready)
        let id = try #require(loop.watcher.helperProcess)
        kill(id, SIGSTOP)
        loop.watcher.send(rescan: .app, at: .zero)
        _ = try loop.hints(through: .everything(.app, reason: .watchingAgain))
        #expect(loop.watcher.helperProcess != id)
    }

    @Test func `a stopped helper does not keep close from ending it`() throws {
        let loop = Loop(try Containers())
        let id = try #require(loop.watcher.helperProcess)
        kill(id, SIGSTOP)
        loop.watcher.close()
        #expect(kill(id, 0) == -1)
    }

    @Test func `the reason for polling is the helper's last message`() throws {
        let containers = try Containers()
        unsafe rmdir(containers.roots.group)
        var messages: [String] = []
        let watcher = Watcher(roots: containers.roots, now: .zero) { messages.append($0) }
        let clock = ContinuousClock()
        let start = clock.now
        let patience = start + .seconds(60)
        while watcher.mode == .inotify, clock.now < patience {
            _ = watcher.drain(now: start.duration(to: clock.now))
        }
        guard case .polling(let reason) = watcher.mode else { return #expect(Bool(false), "it never polled") }
        #expect(reason.text.contains(containers.roots.group) && reason.text.contains("No such file"))
        // A minute later it is tried again, which succeeds now.
        unsafe mkdir(containers.roots.group, 0o755)
        var hints: [Hint] = []
        while !hints.contains(.ready), clock.now < patience + .seconds(60) {
            hints = watcher.drain(now: .seconds(60) + start.duration(to: clock.now))
        }
        #expect(hints.contains(.everything(.app, reason: .watchingAgain)) || watcher.mode == .inotify)
        #expect(watcher.mode == .inotify)
        watcher.close()
    }

    @Test func `a missing program leads to polling, and is reported once`() throws {
        var messages: [String] = []
        let watcher = Watcher(roots: try Containers().roots, helper: "/nonexistent/helper", now: .zero) {
            messages.append($0)
        }
        for second in 0..<200 { _ = watcher.drain(now: .seconds(second)) }
        guard case .polling(let reason) = watcher.mode else { return #expect(Bool(false), "it never polled") }
        #expect(reason.text == "/nonexistent/helper: No such file or directory")
        #expect(messages == [reason.text])
    }

    @Test func `the helper has its own process group`() throws {
        let loop = Loop(try Containers())
        defer { loop.watcher.close() }
        let id = try #require(loop.watcher.helperProcess)
        #expect(getpgid(id) == id)
    }

    @Test func `tokens of a helper that died are requested again`() throws {
        let containers = try Containers()
        var loop = Loop(containers)
        defer { loop.watcher.close() }
        _ = try loop.hints(through: .ready)
        let id = try #require(loop.watcher.helperProcess)
        kill(id, SIGSTOP)
        for token in 1...3 { loop.watcher.send(token: UInt64(token), at: .zero) }
        kill(id, SIGKILL)
        let hints = try loop.hints(through: .token(3))
        let tokens = hints.filter { if case .token = $0 { true } else { false } }
        #expect(tokens == [.token(1), .token(2), .token(3)])
    }
}
