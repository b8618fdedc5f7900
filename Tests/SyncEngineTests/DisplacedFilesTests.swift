import FileSystem
import Model
import SyncEngine
import Testing

/// When displaced files are examined again; without an engine or a disk.
@Suite struct DisplacedFilesTests {
    private func file(_ name: String = "out", since: Duration? = nil) -> DisplacedFile {
        var file = DisplacedFile(
            side: .app,
            document: inApp("a.json").path,
            place: inApp(name),
            expected: .content(Digest(of: [])),
            due: .zero
        )
        file.since = since
        return file
    }

    /// When a file that was displaced at zero is examined again, after a failed attempt at `now`.
    private func retry(_ pace: DisplacedFiles.Pace, at now: Duration) -> Duration? {
        var files = DisplacedFiles()
        files.retry(file(since: .zero), pace, at: now)
        return files.deadline.map { $0 - now }
    }

    @Test func `a file is examined soon at first, then less and less often, within the limits of its pace`() {
        #expect(retry(.soon, at: .zero) == .milliseconds(20))
        #expect(retry(.soon, at: .milliseconds(300)) == .milliseconds(300))
        #expect(retry(.soon, at: .seconds(5)) == .seconds(1))
        #expect(retry(.rarely, at: .seconds(5)) == .seconds(5))
        #expect(retry(.rarely, at: .seconds(500)) == .seconds(30))
    }

    @Test func `files that are due are taken once, in the order of their displacement`() {
        var files = DisplacedFiles()
        for name in ["one", "two"] { files.add(file(name)) }
        files.retry(file("later"), .soon, at: .seconds(1))
        let due = [files.takeDue(at: .seconds(1)), files.takeDue(at: .seconds(1))]
        #expect(due.map { $0.map(\.place) } == [[inApp("one"), inApp("two")], []])
        #expect(files.contains(inApp("later")) && !files.contains(inApp("one")))
    }

    @Test func `a file that a program has open is examined at once after a hint for its document`() {
        var files = DisplacedFiles()
        var open = file()
        open.isHeldOpen = true
        files.retry(open, .rarely, at: .seconds(1))
        #expect(files.areAllHeldOpen)
        files.retryHeldOpen(of: inApp("b.json").path)
        #expect(files.areAllHeldOpen && files.deadline != .zero)
        files.retryHeldOpen(of: inApp("a.json").path)
        #expect(!files.areAllHeldOpen && files.deadline == .zero)
    }

    @Test func `a file that waits for access events is examined after some, or an answer`() {
        var files = DisplacedFiles()
        files.retry(file(), .soon, at: .seconds(1))
        files.retryWaitingForAccess(of: inApp("a.json"))
        #expect(files.deadline != .zero)
        files.retry(of: inApp("a.json"))
        #expect(files.deadline == .zero)
        files = DisplacedFiles()
        var blocked = file()
        let isBlocked = blocked.isBlockedForNow(at: .seconds(1))
        #expect(isBlocked)
        files.retry(blocked, .soon, at: .seconds(1))
        files.retryWaitingForAccess(of: inApp("a.json"))
        #expect(files.deadline == .zero)
    }

    @Test func `a waiting file is identified by its document's place`() {
        var files = DisplacedFiles()
        files.add(file())
        #expect(files.isWaiting(at: inApp("a.json")) && !files.isWaiting(at: inGroup("a.json")))
        #expect(files.targets == [inApp("a.json")])
        #expect(files.places(displacedFrom: inApp("a.json")) == [inApp("out")])
    }

    @Test func `an open or unreadable file is waited for two seconds`() {
        var one = file()
        let overdue = [1, 2, 3].map { one.isOverdue(at: .seconds($0)) }
        #expect(overdue == [false, false, true])
        let blocked = [1, 2, 3].map { one.isBlockedForNow(at: .seconds($0)) }
        #expect(blocked == [true, true, false])
    }
}
