import Reconciliation
import Testing

/// The orders that were measured, and what follows from each.
@Suite struct ReadershipTests {
    private func digest(_ byte: UInt8) throws -> Digest {
        try #require(Digest(bytes: Array(repeating: byte, count: 32)))
    }

    private func tell(_ readership: inout Readership, _ words: [Evidence]) {
        for word in words {
            let makesSense = readership.hear(word)
            #expect(makesSense)
        }
    }

    /// After `old` was replaced by `new`, and what the queue then tells.
    private func verdict(after evidence: Evidence...) throws -> Readership.Verdict? {
        var readership = Readership(seen: try digest(0))
        readership.published(try digest(1), over: nil)
        for one in evidence { guard readership.hear(one) else { return nil } }
        return readership.verdict
    }

    @Test func `a save right behind a publication was made without sight of it`() throws {
        #expect(try verdict(after: .published, .saved) == .unread(since: digest(0)))
        #expect(try verdict(after: .published, .opened, .written, .closed) == .unread(since: digest(0)))
        #expect(
            try verdict(after: .published, .written, .opened, .written, .closed) == .unread(since: digest(0))
        )
    }

    @Test func `who read in between has seen it`() throws {
        #expect(try verdict(after: .published, .opened, .read, .saved) == .seen)
        #expect(try verdict(after: .published, .opened, .saved) == .seen)
    }

    @Test func `who read before has not`() throws {
        #expect(try verdict(after: .opened, .read, .published, .saved) == .unread(since: digest(0)))
    }

    @Test func `who reads what was saved has not seen what that took the place of`() throws {
        #expect(try verdict(after: .published, .saved, .opened, .read, .saved) == .unread(since: digest(0)))
    }

    @Test func `what moved away may be read elsewhere, and a strange publication is none of ours`() throws {
        #expect(try verdict(after: .published, .gone) == nil)
        #expect(try verdict(after: .published, .published) == nil)
    }

    @Test func `before the queue has come so far nothing is decided`() throws {
        #expect(try verdict() == .undecided)
        #expect(try verdict(after: .saved) == .undecided)
        #expect(try verdict(after: .published) == .undecided)
        #expect(try verdict(after: .published, .opened) == .beingWritten)
    }

    @Test func `a program's own last save is newer than what it had read before`() throws {
        var readership = Readership(seen: try digest(0))
        readership.published(try digest(1), over: nil)
        tell(&readership, [Evidence.published, .saved])
        readership.published(try digest(3), over: try digest(2))
        tell(&readership, [Evidence.published, .saved])
        #expect(readership.verdict == .unread(since: try digest(2)))
    }

    @Test func `on what a racer's save was made is told once, when its publication is heard of`() throws {
        var readership = Readership(seen: try digest(0))
        readership.published(try digest(1), over: nil)
        tell(&readership, [.published])
        readership.published(try digest(2), over: nil)
        let save = try digest(9)
        let isInFlight = readership.overtaken(save, by: try digest(2), asking: true)
        #expect(isInFlight)
        tell(&readership, [Evidence.saved, .published])
        let bases = [readership.takeBase(of: try digest(2)), readership.takeBase(of: try digest(2))]
        #expect(bases == [try digest(0), nil])
        let isStillInFlight = readership.overtaken(save, by: try digest(2), asking: true)
        #expect(!isStillInFlight)
    }

    @Test func `publications of before are waited for`() throws {
        var readership = Readership(seen: try digest(0), unheard: 1)
        readership.published(try digest(1), over: nil)
        tell(&readership, [Evidence.published, .opened, .read, .published])
        #expect(readership.verdict == .undecided && !readership.isOver)
    }

    @Test func `read to the end, it is over`() throws {
        var readership = Readership(seen: try digest(0))
        readership.published(try digest(1), over: nil)
        tell(&readership, [Evidence.published, .opened, .read])
        #expect(readership.isOver)
    }

    /// What is read of a displaced file is told under another name.
    @Test func `who had the last publication open when the next one came may have seen it`() throws {
        var readership = Readership(seen: try digest(0))
        readership.published(try digest(1), over: nil)
        tell(&readership, [.published, .opened])
        readership.published(try digest(2), over: nil)
        tell(&readership, [.published, .saved])
        #expect(readership.verdict == .unread(since: try digest(1)))
    }

    @Test func `a writer in place has it open himself, and has seen nothing by that`() throws {
        var readership = Readership(seen: try digest(0))
        readership.published(try digest(1), over: nil)
        tell(&readership, [.published, .opened, .written])
        readership.published(try digest(2), over: nil)
        tell(&readership, [.published, .saved])
        #expect(readership.verdict == .unread(since: try digest(0)))
    }
}
