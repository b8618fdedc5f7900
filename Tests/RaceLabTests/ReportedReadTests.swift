import Model
import Testing

@testable import RaceLab

@Suite("A read that a program tells")
struct ReportedReadTests {
    private static let old = #"{"a":1}"#
    private static let new = #"{"a":2}"#

    /// The group's document was replaced this long ago.
    private func replaced(before time: Duration) throws -> Sight {
        var sight = try Sight(Self.old)
        sight.sees(.app, Self.new, isRenamed: true)
        sight.sees(.group, Self.new, isRenamed: true)
        sight.waits(time)
        return sight
    }

    @Test("of what was there is none of these")
    func fresh() throws {
        var sight = try Sight(Self.old)
        sight.hears(.group, "read", Self.old)
        sight.sees(.app, Self.new)
        sight.sees(.group, Self.new)
        sight.hears(.group, "read", Self.old)
        sight.hears(.group, "read", Self.new)
        let judged = sight.judged()
        #expect(judged.judgement.kinds == [])
        #expect(judged.skipped[.staleRead] == nil && judged.skipped[.nonMonotonicRead] == nil)
    }

    @Test("of what was replaced is stale after a second; before, when it was made is not seen")
    func late() throws {
        for (time, isStale) in [(1_500, true), (400, false)] {
            var sight = try replaced(before: .milliseconds(time))
            sight.hears(.group, "read", Self.old)
            let judged = sight.judged()
            #expect(judged.judgement.kinds == (isStale ? [.staleRead] : []))
            #expect(judged.skipped[.staleRead] == (isStale ? nil : .readsUnseen))
        }
    }

    @Test("tells that what it is of was whole, though a later save begins and an earlier one ends like it")
    func whole() throws {
        let (first, second, third) = (#"{"a":10,"c":0}"#, #"{"a":20,"c":0}"#, #"{"a":20,"c":7}"#)
        var sight = try Sight(#"{"a":0,"c":0}"#)
        sight.saves(.group, first)
        sight.sees(.app, first)
        sight.saves(.group, second)
        sight.sees(.app, second)
        sight.hears(.app, "read", second)
        sight.saves(.app, third)
        sight.sees(.group, third)
        #expect(sight.judged().judgement.kinds == [])
    }

    @Test("is not stale for the time for which the lab kept its program waiting")
    func kept() throws {
        var sight = try replaced(before: .seconds(5))
        sight.keeps(.group, for: .seconds(5))
        sight.hears(.group, "read", Self.old)
        #expect(sight.judged().judgement.kinds == [])
    }

    @Test("of nothing, where the document is, or of one that is gone, is stale as well")
    func absent() throws {
        var sight = try Sight()
        sight.sees(.app, Self.new, isRenamed: true)
        sight.sees(.group, Self.new, isRenamed: true)
        sight.waits(.seconds(2))
        sight.hears(.group, "read", nil)
        let found = sight.judged().judgement.anomalies
        #expect(found.map(\.kind) == [.staleRead])
        #expect(found[0].sentence.contains("group told at step"))
        #expect(found[0].sentence.contains("that it found no a.json, which had been there since step"))
        sight.waits(.seconds(1))
        sight.sees(.app, nil)
        sight.sees(.group, nil)
        sight.waits(.seconds(2))
        sight.hears(.group, "read", Self.new)
        #expect(sight.judged().judgement.anomalies.map(\.kind) == [.staleRead, .staleRead])
    }

    @Test("of an older content than the one that it told before goes back, however soon")
    func back() throws {
        var sight = try replaced(before: .milliseconds(1))
        sight.hears(.group, "read", Self.new)
        sight.hears(.group, "read", Self.old)
        let found = sight.judged().judgement.anomalies
        #expect(found.map(\.kind) == [.nonMonotonicRead] && found[0].lane == 1 && found[0].side == .group)
        #expect(found[0].advice(in: sight.judged().history).remedy == .readAgain)
    }

    @Test("of an older content that is there again does not")
    func returned() throws {
        var sight = try replaced(before: .milliseconds(1))
        sight.hears(.group, "read", Self.new)
        sight.sees(.app, Self.old)
        sight.hears(.group, "read", Self.old)
        sight.sees(.group, Self.old)
        sight.waits(.seconds(2))
        sight.hears(.group, "read", Self.old)
        #expect(sight.judged().judgement.kinds == [])
    }

    @Test("is judged by its system calls where these are seen")
    func fetched() throws {
        // It read before the document was replaced, and took its time to tell.
        var slow = try Sight(Self.old)
        slow.fetches(.group)
        slow.sees(.app, Self.new)
        slow.sees(.group, Self.new)
        slow.waits(.seconds(5))
        slow.hears(.group, "read", Self.old)
        #expect(slow.judged().judgement.kinds == [])
        // It read on before it told.
        for (time, kinds) in [(300, []), (1_500, [AnomalyKind.staleRead])] {
            var next = try Sight(Self.old)
            next.fetches(.group)
            next.sees(.app, Self.new)
            next.sees(.group, Self.new)
            next.fetches(.group)
            next.waits(.milliseconds(time))
            next.hears(.group, "read", Self.old)
            #expect(next.judged().judgement.kinds == Set(kinds))
        }
        // It read the new content alone, and tells the old one.
        var wrong = try replaced(before: .milliseconds(20))
        wrong.fetches(.group)
        wrong.hears(.group, "read", Self.old)
        #expect(wrong.judged().judgement.kinds == [.staleRead])
    }

    @Test("in the other container goes back in none")
    func otherContainer() throws {
        var seen = try Sight(Self.old)
        seen.seesCalls()
        seen.calls(.app, .rename, at: .app)
        seen.sees(.app, Self.new)
        seen.calls(.widget, .read, at: .app)
        seen.hears(.group, "read", Self.new)
        seen.calls(.widget, .read, at: .group)
        seen.hears(.group, "read", Self.old)
        seen.calls(.bridge, .rename, at: .group)
        seen.sees(.group, Self.new)
        #expect(seen.judged().judgement.kinds == [])
        var unseen = try Sight(Self.old)
        unseen.sees(.app, Self.new)
        unseen.hears(.group, "read", Self.new)
        unseen.sees(.group, Self.new)
        unseen.hears(.group, "read", Self.old)
        #expect(unseen.judged().judgement.kinds == [])
    }

    @Test("or shown as it was for less than two seconds at the end leaves it open whether it is stale")
    func shownAtLast() throws {
        var told = try Sight(Self.old)
        told.hears(.group, "read", Self.old)
        told.sees(.app, Self.new)
        told.sees(.group, Self.new)
        told.waits(.milliseconds(800))
        told.shows(.group)
        #expect(told.judged().skipped[.staleRead] == .readsUnseen)
        var untold = try Sight(Self.old)
        untold.shows(.group)
        untold.sees(.app, Self.new)
        untold.sees(.group, Self.new)
        #expect(untold.judged().skipped[.staleRead] == .readsUnseen)
    }

    @Test("by a system call alone, and shown long after it was replaced, is stale")
    func shownUntold() throws {
        var sight = try Sight(Self.old)
        sight.seesCalls()
        sight.calls(.widget, .read, at: .group)
        sight.calls(.app, .rename, at: .app)
        sight.sees(.app, Self.new)
        sight.calls(.bridge, .rename, at: .group)
        sight.sees(.group, Self.new)
        sight.waits(.seconds(3))
        sight.shows(.group)
        #expect(sight.judged().judgement.kinds == [.staleRead])
    }

    @Test(
        "and shown once, and still there long after it was replaced, is stale, unless its program has ended"
    )
    func shownOn() throws {
        for (wait, isGone) in [(3, false), (1, false), (3, true)] {
            var sight = try Sight(Self.old)
            sight.seesCalls()
            sight.calls(.widget, .read, at: .group)
            sight.shows(.group)
            if isGone { sight.leaves(.group) }
            for side in [Side.app, .group] {
                sight.calls(.bridge, .rename, at: side)
                sight.sees(side, Self.new)
            }
            sight.sees(.app, Self.new, after: .seconds(wait))
            let judged = sight.judged()
            let isStale = judged.judgement.anomalies.contains { $0.sentence.contains("showed from step") }
            #expect(isStale == (wait > 2 && !isGone))
            #expect(judged.skipped[.staleRead] == (wait > 2 || isGone ? nil : .readsUnseen))
        }
    }

    @Test("and shown long after it was replaced leaves it open where a part of what is new was read")
    func shownAfterPart() throws {
        for isReplaced in [false, true] {
            var sight = try Sight(Self.old)
            sight.seesCalls()
            sight.calls(.widget, .read, at: .group, offset: 0, count: 4096)
            sight.calls(.bridge, .rename, at: .group)
            sight.sees(.group, Self.new)
            sight.calls(.widget, .read, at: .group, offset: 0, count: 1)
            if isReplaced {
                sight.calls(.bridge, .rename, at: .group)
                sight.sees(.group, #"{"n":3}"#)
            }
            sight.waits(.seconds(3))
            sight.shows(.group)
            let judged = sight.judged()
            #expect(judged.judgement.kinds.contains(.staleRead) == isReplaced)
            #expect(judged.skipped[.staleRead] == (isReplaced ? nil : .readsUnseen))
        }
    }

    @Test("of what only the other side is known to have had leaves both kinds open")
    func elsewhere() throws {
        var sight = try Sight(Self.old)
        sight.sees(.app, Self.new)
        sight.hears(.group, "read", Self.new)
        sight.sees(.app, Self.old)
        let skipped = sight.judged().skipped
        #expect(skipped[.staleRead] == .readsUnseen && skipped[.nonMonotonicRead] == .readsUnseen)
    }
}
