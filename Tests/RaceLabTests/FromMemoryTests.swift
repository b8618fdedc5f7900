import Model
import Replica
import Testing

@testable import RaceLab

@Suite("A save of what a program had in memory, over what it does not know")
struct FromMemoryTests {
    private static let none = #"{"l":[]}"#
    private static let app = #"{"l":["app"]}"#
    private static let widget = #"{"l":["widget"]}"#

    /// The widget saves what it read before the app's element came to it, with an element of its own.
    private func listed(seesCalls: Bool, readsAgain: Bool = false) throws -> Sight {
        var sight = try Sight(Self.none)
        if seesCalls { sight.seesCalls() }
        func calls(_ player: RacePlayer, _ kind: GatedCall.Kind, _ side: Side) {
            if seesCalls { sight.calls(player, kind, at: side) }
        }
        calls(.widget, .read, .group)
        calls(.app, .rename, .app)
        sight.sees(.app, Self.app)
        calls(.bridge, .rename, .group)
        sight.sees(.group, Self.app)
        for kind in [GatedCall.Kind.open, .read] where readsAgain { calls(.widget, kind, .group) }
        calls(.widget, .rename, .group)
        sight.sees(.group, Self.widget)
        calls(.bridge, .rename, .app)
        sight.sees(.app, Self.widget)
        return sight
    }

    @Test("loses the element of a list that it leaves out, by the system calls")
    func seen() throws {
        var sight = try listed(seesCalls: true)
        let judged = sight.judged()
        #expect(judged.judgement.kinds == [.lostUpdate] && judged.doubts == [])
        #expect(judged.judgement.anomalies.first?.evidence.culpritLane == 1)
    }

    @Test("is none if the program had read the element before")
    func known() throws {
        var sight = try listed(seesCalls: true, readsAgain: true)
        let judged = sight.judged()
        #expect(judged.judgement.kinds == [] && judged.doubts == [])
    }

    @Test("is undecided by the contents alone")
    func unseen() throws {
        var sight = try listed(seesCalls: false)
        let judged = sight.judged()
        #expect(judged.judgement.kinds == [] && judged.skipped[.lostUpdate] == .undecided)
        #expect(judged.doubts == [.unclearLoss(history(judged), places: "/l/-", saved: 0, gone: 4)])
    }

    @Test("that takes a value out is told as that, if the value is there again")
    func removal() throws {
        let path = try #require(RelativePath("a.json"))
        let doubt = ObservationDoubt.unclearLoss(path, places: "/tap", saved: 3, gone: 5, isRemoval: true)
        #expect(
            doubt.text.hasPrefix("/tap was taken out of a.json at step 3 and is there again since step 5, ")
        )
    }

    private func history(_ judged: JudgedObservation) -> RelativePath { judged.history.documents[0] }

    @Test("may be the one that a bridge seems to have brought from a content that was not seen")
    func missed() throws {
        var sight = try Sight(Self.none)
        sight.misses(.app)
        sight.sees(.group, Self.widget)
        sight.sees(.app, Self.app)
        sight.sees(.group, Self.app)
        let judged = sight.judged()
        #expect(judged.judgement.kinds == [] && judged.skipped[.lostUpdate] == .undecided)
    }

    @Test("is none where the other side's program goes on to change the value")
    func replaced() throws {
        var sight = try Sight(#"{"n":0}"#)
        sight.misses(.app)
        sight.sees(.group, #"{"n":1}"#)
        sight.sees(.app, #"{"n":2}"#)
        sight.sees(.group, #"{"n":2}"#)
        let judged = sight.judged()
        #expect(judged.judgement.kinds == [] && judged.doubts == [])
    }

    @Test("raises one doubt for each document, with the number of its steps")
    func grouped() throws {
        var sight = try Sight(Self.none)
        for number in 0..<3 {
            sight.sees(.app, "{\"l\":[\"app\(number)\"]}")
            sight.sees(.group, "{\"l\":[\"app\(number)\"]}")
            sight.sees(.group, "{\"l\":[\"widget\(number)\"]}")
            sight.sees(.app, "{\"l\":[\"widget\(number)\"]}")
        }
        let doubts = sight.judged().doubts
        #expect(doubts.count == 1 && doubts.first?.kind == .lostUpdate)
        #expect(doubts.first?.text.hasSuffix("more like this)") == true)
    }

    /// It reads what the app's element came with in these parts.
    private func read(_ parts: [(offset: Int, count: Int)], by link: String? = nil) throws -> Sight {
        var sight = try Sight(Self.none)
        sight.seesCalls()
        sight.calls(.widget, .read, at: .group)
        sight.calls(.app, .rename, at: .app)
        sight.sees(.app, Self.app)
        sight.calls(.bridge, .rename, at: .group)
        sight.sees(.group, Self.app)
        sight.calls(.widget, .open, at: .group, link: link)
        for part in parts {
            sight.calls(.widget, .read, at: .group, offset: part.offset, count: part.count, link: link)
        }
        sight.calls(.widget, .rename, at: .group)
        sight.sees(.group, Self.widget)
        sight.calls(.bridge, .rename, at: .app)
        sight.sees(.app, Self.widget)
        return sight
    }

    @Test("is in doubt where the program has read a part of that, be it the first byte or the end")
    func part() throws {
        for part in [(0, 1), (12, 100)] {
            var sight = try read([part])
            let judged = sight.judged()
            #expect(judged.judgement.kinds == [] && judged.skipped[.lostUpdate] == .undecided)
        }
    }

    @Test(
        "is none where the program has read all of that, in parts or by another name",
        arguments: [nil, "group/b"]
    )
    func parts(link: String?) throws {
        var sight = try read([(0, 1), (1, 4), (5, 100)], by: link)
        let judged = sight.judged()
        #expect(judged.judgement.kinds == [] && judged.doubts == [])
    }

    /// The bridge puts another file in the place of one that the widget has open.
    private func replacing() throws -> Sight {
        var sight = try Sight(Self.none)
        sight.seesCalls()
        sight.calls(.widget, .openToWrite, at: .group)
        sight.calls(.app, .rename, at: .app)
        sight.sees(.app, Self.app)
        sight.calls(.bridge, .rename, at: .group)
        sight.sees(.group, Self.app, isRenamed: true)
        return sight
    }

    @Test(
        "is in doubt where a program writes into a file that a bridge has replaced",
        arguments: [true, false]
    )
    func replaced(isProgram: Bool) throws {
        var sight = try replacing()
        sight.calls(isProgram ? .widget : .bridge, .write, at: .group, isOfReplaced: !isProgram)
        let judged = sight.judged()
        #expect(judged.judgement.kinds == [] && judged.doubts.count == (isProgram ? 1 : 0))
        #expect(judged.skipped[.lostUpdate] == (isProgram ? .undecided : nil))
    }

    @Test("is in doubt, too, where the kernel tells of such a write and calls are not seen")
    func replacedUnseen() throws {
        var sight = try Sight(#"{"n":1}"#)
        for side in [Side.app, .group] { sight.sees(side, #"{"n":2}"#) }
        sight.writesReplaced(.group)
        let judged = sight.judged()
        #expect(judged.judgement.kinds == [] && judged.doubts.count == 1)
        #expect(judged.skipped[.lostUpdate] == .undecided)
    }

    @Test("is in doubt where a program writes into a file that an agent has exchanged")
    func exchanged() throws {
        var sight = try replacing()
        let name = TemporaryName(of: sight.path, content: nil, expected: nil, number: 1)
        sight.calls(.widget, .write, at: .group, file: "group/\(name.text)")
        let judged = sight.judged()
        #expect(judged.judgement.kinds == [] && judged.doubts.count == 1)
        #expect(judged.skipped[.lostUpdate] == .undecided)
    }

    @Test("loses what it did not read, whatever the program tells")
    func lie() throws {
        var sight = try Sight(Self.none)
        sight.seesCalls()
        sight.calls(.widget, .read, at: .group)
        sight.hears(.group, "read", Self.none)
        sight.calls(.app, .rename, at: .app)
        sight.sees(.app, Self.app)
        sight.calls(.bridge, .rename, at: .group)
        sight.sees(.group, Self.app)
        sight.hears(.group, "read", Self.app)
        sight.calls(.widget, .rename, at: .group)
        sight.sees(.group, Self.widget)
        sight.calls(.bridge, .rename, at: .app)
        sight.sees(.app, Self.widget)
        var observed = sight.observed
        _ = observed.finish(isAtRest: true, hasProfile: false) { _ in nil }
        let path = observed.documents[0]
        let digest = Digest(of: Array(Self.app.utf8))
        #expect(observed.unfoundedDoubts == [.readNotMade(.group, path, digest)])
        let judged = sight.judged()
        #expect(judged.judgement.kinds == [] && judged.skipped[.lostUpdate] == .undecided)
    }

    @Test("is undecided where the program told a content that its container had not had")
    func readElsewhere() throws {
        var sight = try Sight(Self.none)
        sight.hears(.group, "read", Self.none)
        sight.sees(.app, Self.app)
        sight.hears(.group, "read", Self.app)
        sight.sees(.group, Self.app)
        sight.sees(.group, Self.widget)
        sight.sees(.app, Self.widget)
        let judged = sight.judged()
        #expect(judged.judgement.kinds == [] && judged.skipped[.lostUpdate] == .undecided)
    }
}

@Suite("A document that is there again after it was deleted")
struct UndoneDeletionTests {
    private static let old = #"{"n":0}"#
    private static let new = #"{"n":1}"#

    @Test("is resurrected by a bridge, whatever a program saves afterwards")
    func savedLater() throws {
        var sight = try Sight(Self.old)
        sight.sees(.app, nil, isDeleted: true)
        sight.sees(.app, Self.old)
        sight.sees(.group, Self.new)
        sight.sees(.app, Self.new)
        #expect(sight.judged().judgement.kinds == [.resurrectedDeletion])
    }

    @Test("is not where the other side had a save that who deleted it did not have")
    func conflict() throws {
        var sight = try Sight(Self.old)
        sight.sees(.group, Self.new)
        sight.sees(.app, nil, isDeleted: true)
        sight.sees(.app, Self.new)
        let judged = sight.judged()
        #expect(!judged.judgement.kinds.contains(.resurrectedDeletion) && judged.doubts == [])
    }

    @Test("is undecided if a program saved it that may not have known of the deletion")
    func stale() throws {
        var sight = try Sight(Self.old)
        sight.sees(.app, nil, isDeleted: true)
        sight.sees(.group, nil, isDeleted: true)
        sight.sees(.group, Self.new)
        sight.sees(.app, Self.new)
        let judged = sight.judged()
        #expect(judged.judgement.kinds == [] && judged.skipped[.resurrectedDeletion] == .undecided)
    }

    @Test("is undecided if programs that the lab did not start may have deleted it")
    func observed() throws {
        var sight = try Sight(Self.old, app: nil, group: nil)
        sight.sees(.app, nil, isDeleted: true)
        sight.sees(.app, Self.old)
        let judged = sight.judged()
        #expect(judged.skipped[.resurrectedDeletion] == .undecided)
    }
}
