import FileSystem
import Model
import SyncEngine
import Testing

/// When files that were displaced are examined again, without an engine or a disk.
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

    /// When a file that came out at zero is examined again, after it was in vain at `now`.
    private func retry(_ pace: DisplacedFiles.Pace, at now: Duration) -> Duration? {
        var files = DisplacedFiles()
        files.retry(file(since: .zero), pace, at: now)
        return files.deadline.map { $0 - now }
    }

    @Test func `a file is examined soon at first, then ever later, within the bounds of its pace`() {
        #expect(retry(.soon, at: .zero) == .milliseconds(20))
        #expect(retry(.soon, at: .milliseconds(300)) == .milliseconds(300))
        #expect(retry(.soon, at: .seconds(5)) == .seconds(1))
        #expect(retry(.rarely, at: .seconds(5)) == .seconds(5))
        #expect(retry(.rarely, at: .seconds(500)) == .seconds(30))
    }

    @Test func `what is due is taken once, in the order it came out`() {
        var files = DisplacedFiles()
        for name in ["one", "two"] { files.add(file(name)) }
        files.retry(file("later"), .soon, at: .seconds(1))
        let due = [files.takeDue(at: .seconds(1)), files.takeDue(at: .seconds(1))]
        #expect(due.map { $0.map(\.place) } == [[inApp("one"), inApp("two")], []])
        #expect(files.contains(inApp("later")) && !files.contains(inApp("one")))
    }

    @Test func `one that a program keeps open is examined at once when its document is hinted at`() {
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

    @Test func `one that waits for access events is examined when there are some, or an answer`() {
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

    @Test func `what waits is known by its document's place`() {
        var files = DisplacedFiles()
        files.add(file())
        #expect(files.isWaiting(at: inApp("a.json")) && !files.isWaiting(at: inGroup("a.json")))
        #expect(files.targets == [inApp("a.json")])
        #expect(files.places(displacedFrom: inApp("a.json")) == [inApp("out")])
    }

    @Test func `a writer, and what cannot be read, is waited for two seconds`() {
        var one = file()
        let overdue = [1, 2, 3].map { one.isOverdue(at: .seconds($0)) }
        #expect(overdue == [false, false, true])
        let blocked = [1, 2, 3].map { one.isBlockedForNow(at: .seconds($0)) }
        #expect(blocked == [true, true, false])
    }
}
