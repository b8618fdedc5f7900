import Documents
import FileSystem
import Model
import SyncEngine
import Testing

/// Why documents are held, and when they are read again; without an engine or a disk.
@Suite struct HoldsTests {
    private let document = inApp("a.json").path

    private func signature(_ size: Int64) -> Signature {
        Signature(device: 1, inode: 1, size: size, modified: 0, changed: 0)
    }

    @Test func `a broken document is pending for a second, because it may be half written`() {
        var holds = Holds()
        let first = holds.hold(document, .app, .notJSON(.byteOrderMark), signature(1), at: .zero)
        #expect(first.hold.isPending && first.isNews && first.next == .seconds(1))
        let later = holds.hold(document, .app, .notJSON(.byteOrderMark), signature(1), at: .milliseconds(999))
        #expect(later.hold.isPending && !later.isNews && later.next == .seconds(1))
        let last = holds.hold(document, .app, .notJSON(.byteOrderMark), signature(1), at: .seconds(1))
        #expect(!last.hold.isPending && last.isNews && last.next == nil)
    }

    @Test func `a database that is locked is pending for a second, and is tried again`() {
        var holds = Holds()
        let locked = Problem.unwritable(.system(errno: 16, .lock, inApp("a.db")))
        let first = holds.hold(document, .app, locked, signature(1), at: .zero)
        #expect(first.hold.isPending && first.next.map { $0 < .seconds(1) } == true)
        let last = holds.hold(document, .app, locked, signature(1), at: .seconds(1))
        #expect(!last.hold.isPending && last.next != nil)
    }

    @Test func `a lock that reading and writing find in turn is one wait, which ends`() {
        var holds = Holds()
        let locked = Problem.unwritable(.system(errno: 16, .lock, inApp("a.db")))
        for second in 0..<3 {
            let outcome = holds.hold(document, .app, .beingWritten, signature(1), at: .seconds(second))
            #expect(outcome.hold.isPending)
        }
        let refused = holds.hold(document, .app, locked, signature(2), at: .seconds(3))
        #expect(!refused.hold.isPending && refused.isNews)
        let read = holds.hold(document, .app, .beingWritten, signature(3), at: .seconds(4))
        #expect(!read.hold.isPending && !read.isNews && read.hold.problem == locked)
    }

    @Test func `a lock is looked at twice a second, however long it lasts`() {
        var holds = Holds()
        for problem in [Problem.unwritable, Problem.unreadable] {
            let locked = problem(.system(errno: 16, .lock, inApp("a.db")))
            for second in 0..<9 {
                let outcome = holds.hold(document, .app, locked, signature(1), at: .seconds(second))
                #expect(outcome.next.map { $0 - .seconds(second) <= .milliseconds(500) } == true)
            }
        }
    }

    @Test func `a change of the file starts the second again`() {
        var holds = Holds()
        _ = holds.hold(document, .app, .empty, signature(1), at: .zero)
        let changed = holds.hold(document, .app, .empty, signature(2), at: .seconds(5))
        #expect(changed.hold.isPending && changed.hold.since == .seconds(5))
    }

    @Test func `a program that has it open for writing is waited for, without a deadline`() {
        var holds = Holds()
        for time in [Duration.zero, .seconds(5)] {
            let outcome = holds.hold(document, .app, .beingWritten, signature(1), at: time)
            #expect(outcome.hold.isPending && outcome.next == nil)
        }
    }

    @Test func `an unreadable document is tried again, less and less often`() {
        var holds = Holds()
        let problem = Problem.unreadable(.missing(inApp("a.json")))
        let next = [0, 1, 2].map { holds.hold(document, .app, problem, nil, at: .seconds($0)).next }
        #expect(next == [.milliseconds(500), .seconds(2), .seconds(4)])
    }

    @Test func `an unreadable document is pending once a person asks`() {
        var holds = Holds()
        _ = holds.hold(document, .app, .unreadable(.missing(inApp("a.json"))), nil, at: .zero)
        holds.hold(inApp("b.json").path, .app, .tooLarge(9, limit: 1))
        #expect(holds[document]?.isPending == false)
        let again = holds.retry()
        #expect(again == [document] && holds[document]?.isPending == true)
        #expect(holds[inApp("b.json").path]?.isPending == false)
    }

    @Test func `a released document is not held`() {
        var holds = Holds()
        holds.hold(document, .app, .empty)
        #expect(Array(holds.documents) == [document])
        holds.release(document)
        #expect(holds.isEmpty && holds[document] == nil)
    }
}
