import Model
import Testing

/// The measured orders of events, and what follows from each.
@Suite struct AccessTrackerTests {
    private func digest(_ byte: UInt8) throws -> Digest {
        try #require(Digest(bytes: Array(repeating: byte, count: 32)))
    }

    private func tell(_ accessTracker: inout AccessTracker, _ words: [AccessEvent]) {
        for word in words {
            let makesSense = accessTracker.hear(word)
            #expect(makesSense)
        }
    }

    /// The verdict after `old` was replaced by `new` and these events.
    private func verdict(after evidence: AccessEvent...) throws -> AccessTracker.Verdict? {
        var accessTracker = AccessTracker(seen: try digest(0))
        accessTracker.published(try digest(1), over: nil)
        for one in evidence { guard accessTracker.hear(one) else { return nil } }
        return accessTracker.verdict
    }

    @Test func `a save directly after a publication did not read it`() throws {
        #expect(try verdict(after: .published, .saved) == .unread(since: digest(0)))
        #expect(try verdict(after: .published, .opened, .written, .closed) == .unread(since: digest(0)))
        #expect(
            try verdict(after: .published, .written, .opened, .written, .closed) == .unread(since: digest(0))
        )
    }

    @Test func `a program that read in between has seen the publication`() throws {
        #expect(try verdict(after: .published, .opened, .read, .saved) == .seen)
        #expect(try verdict(after: .published, .opened, .saved) == .seen)
    }

    @Test func `a program that read before has not seen the publication`() throws {
        #expect(try verdict(after: .opened, .read, .published, .saved) == .unread(since: digest(0)))
    }

    @Test func `reading a later save does not mean having seen what it replaced`() throws {
        #expect(try verdict(after: .published, .saved, .opened, .read, .saved) == .unread(since: digest(0)))
    }

    @Test func `a moved file may be read elsewhere, and a foreign publication decides nothing`() throws {
        #expect(try verdict(after: .published, .gone) == nil)
        #expect(try verdict(after: .published, .published) == nil)
    }

    @Test func `nothing is decided before the event queue has been read far enough`() throws {
        #expect(try verdict() == .undecided)
        #expect(try verdict(after: .saved) == .undecided)
        #expect(try verdict(after: .published) == .undecided)
        #expect(try verdict(after: .published, .opened) == .beingWritten)
    }

    @Test func `a program's own last save is newer than what it read before`() throws {
        var accessTracker = AccessTracker(seen: try digest(0))
        accessTracker.published(try digest(1), over: nil)
        tell(&accessTracker, [AccessEvent.published, .saved])
        accessTracker.published(try digest(3), over: try digest(2))
        tell(&accessTracker, [AccessEvent.published, .saved])
        #expect(accessTracker.verdict == .unread(since: try digest(2)))
    }

    @Test func `the base of a racing save is reported once, when its publication is reported`() throws {
        var accessTracker = AccessTracker(seen: try digest(0))
        accessTracker.published(try digest(1), over: nil)
        tell(&accessTracker, [.published])
        accessTracker.published(try digest(2), over: nil)
        let save = try digest(9)
        let isInFlight = accessTracker.overtaken(save, by: try digest(2), asking: true)
        #expect(isInFlight)
        tell(&accessTracker, [AccessEvent.saved, .published])
        let bases = [accessTracker.takeBase(of: try digest(2)), accessTracker.takeBase(of: try digest(2))]
        #expect(bases == [try digest(0), nil])
        let isStillInFlight = accessTracker.overtaken(save, by: try digest(2), asking: true)
        #expect(!isStillInFlight)
    }

    @Test func `publications before the tracker are waited for`() throws {
        var accessTracker = AccessTracker(seen: try digest(0), unheard: 1)
        accessTracker.published(try digest(1), over: nil)
        tell(&accessTracker, [AccessEvent.published, .opened, .read, .published])
        #expect(accessTracker.verdict == .undecided && !accessTracker.isOver)
    }

    @Test func `after everything is read, tracking is over`() throws {
        var accessTracker = AccessTracker(seen: try digest(0))
        accessTracker.published(try digest(1), over: nil)
        tell(&accessTracker, [AccessEvent.published, .opened, .read])
        #expect(accessTracker.isOver)
    }

    /// A read of a displaced file is reported under another name.
    @Test func `a program that had the last publication open at the next one may have seen that`() throws {
        var accessTracker = AccessTracker(seen: try digest(0))
        accessTracker.published(try digest(1), over: nil)
        tell(&accessTracker, [.published, .opened])
        accessTracker.published(try digest(2), over: nil)
        tell(&accessTracker, [.published, .saved])
        #expect(accessTracker.verdict == .unread(since: try digest(1)))
    }

    @Test func `a program that writes in place has the file open without having read it`() throws {
        var accessTracker = AccessTracker(seen: try digest(0))
        accessTracker.published(try digest(1), over: nil)
        tell(&accessTracker, [.published, .opened, .written])
        accessTracker.published(try digest(2), over: nil)
        tell(&accessTracker, [.published, .saved])
        #expect(accessTracker.verdict == .unread(since: try digest(0)))
    }
}
