import Model
import Testing

@testable import RaceLab

@Suite("Who made a change, by the system calls")
struct SeenWriterTests {
    private static let start = #"{"n":0,"m":0}"#
    private static let n = #"{"n":1,"m":0}"#
    private static let m = #"{"n":0,"m":1}"#
    private static let both = #"{"n":1,"m":1}"#

    private func sight() throws -> Sight {
        var sight = try Sight(Self.start)
        sight.seesCalls()
        return sight
    }

    @Test("a call is told before it is carried out: a look in between finds nothing new yet")
    func early() throws {
        var sight = try sight()
        sight.calls(.bridge, .rename, at: .app)
        sight.sees(.app, Self.start)
        sight.sees(.app, Self.both)
        let step = try #require(sight.judged().history.steps.first { $0.what == .changed })
        #expect(step.lane == ObservedHistory.Lane.bridge.rawValue)
        #expect(sight.observed.evidence.repeats == [])
    }

    @Test("a call that changed nothing made no change that comes after the next call")
    func settled() throws {
        var sight = try sight()
        sight.calls(.bridge, .rename, at: .app)
        sight.sees(.app, Self.start)
        sight.calls(.bridge, .stat, at: .app)
        sight.sees(.app, Self.both)
        #expect(sight.observed.evidence.writers == [:] && sight.observed.evidence.repeats.count == 1)
    }

    @Test(
        "a told save is a lie if another program made that change, and this one did not save",
        arguments: [true, false]
    )
    func lie(isMade: Bool) throws {
        var sight = try sight()
        sight.calls(.app, .rename, at: .app)
        sight.sees(.app, Self.n)
        sight.calls(.bridge, .rename, at: .group)
        sight.sees(.group, Self.n)
        if isMade { sight.calls(.widget, .rename, at: .group) }
        sight.hears(.group, "saved", Self.n)
        _ = sight.judged()
        var observed = sight.observed
        _ = observed.finish(isAtRest: true, hasProfile: false) { _ in nil }
        let digest = Digest(of: Array(Self.n.utf8))
        #expect(observed.unfounded == (isMade ? [] : [.saveNotMade(.group, sight.path, digest)]))
        #expect(observed.evidence.saves.count == (isMade ? 1 : 0))
        #expect(observed.evidence.readReports.group.map(\.isSure) == [isMade])
    }

    @Test("a told deletion is a lie if no call of its program deleted the document")
    func deletion() throws {
        for isMade in [true, false] {
            var sight = try sight()
            sight.calls(.app, .rename, at: .app)
            sight.sees(.app, Self.n)
            sight.calls(.bridge, .rename, at: .group)
            sight.sees(.group, Self.n)
            if isMade { sight.calls(.widget, .unlink, at: .group) }
            sight.hears(.group, "saved", nil)
            var observed = sight.observed
            _ = observed.finish(isAtRest: true, hasProfile: false) { _ in nil }
            #expect(observed.unfounded == (isMade ? [] : [.saveNeverThere(.group, sight.path, nil)]))
        }
    }

    @Test("what a program had read before the bridge brought something else is no edit of its own")
    func stale() throws {
        var sight = try sight()
        sight.calls(.widget, .read, at: .group)
        sight.calls(.app, .rename, at: .app)
        sight.sees(.app, Self.n)
        sight.calls(.bridge, .rename, at: .group)
        sight.sees(.group, Self.n)
        sight.calls(.widget, .rename, at: .group)
        sight.sees(.group, Self.m)
        sight.calls(.bridge, .rename, at: .app)
        sight.sees(.app, Self.both)
        sight.calls(.bridge, .rename, at: .group)
        sight.sees(.group, Self.both)
        let judged = sight.judged()
        #expect(judged.judgement.anomalies == [] && judged.doubts == [])
    }

    @Test("what a program changed in the content that it had read is an edit, and may be lost")
    func edit() throws {
        var sight = try sight()
        sight.calls(.widget, .read, at: .group)
        sight.calls(.widget, .rename, at: .group)
        sight.sees(.group, Self.m)
        sight.calls(.app, .rename, at: .app)
        sight.sees(.app, Self.n)
        sight.calls(.bridge, .rename, at: .group)
        sight.sees(.group, Self.n)
        #expect(sight.judged().judgement.kinds == [.lostUpdate])
    }

    @Test("what a program read from a file that had lost its name is what it had, and no edit of its own")
    func replaced() throws {
        var sight = try Sight(#"{"a":0,"g":0}"#)
        sight.seesCalls()
        sight.calls(.app, .rename, at: .app)
        sight.sees(.app, #"{"a":1,"g":0}"#, isRenamed: true)
        sight.calls(.bridge, .rename, at: .group)
        sight.sees(.group, #"{"a":1,"g":0}"#, isRenamed: true)
        sight.calls(.app, .rename, at: .app)
        sight.sees(.app, #"{"a":2,"g":0}"#, isRenamed: true)
        sight.calls(.widget, .open, at: .group)
        sight.calls(.bridge, .rename, at: .group)
        sight.sees(.group, #"{"a":2,"g":0}"#, isRenamed: true)
        sight.calls(.widget, .read, at: .group)
        sight.calls(.widget, .rename, at: .group)
        sight.sees(.group, #"{"a":1,"g":1}"#, isRenamed: true)
        sight.calls(.bridge, .rename, at: .group)
        sight.sees(.group, #"{"a":2,"g":1}"#, isRenamed: true)
        sight.calls(.bridge, .rename, at: .app)
        sight.sees(.app, #"{"a":2,"g":1}"#, isRenamed: true)
        #expect(sight.judged().judgement.kinds == [])
    }

    @Test("what the app saves in the group is the app's, and is torn for the widget that reads it")
    func across() throws {
        var sight = try sight()
        sight.calls(.app, .write, at: .group)
        sight.sees(.group, #"{"n":"#)
        sight.calls(.widget, .read, at: .group)
        sight.calls(.app, .write, at: .group)
        sight.sees(.group, Self.n)
        sight.sees(.app, Self.n)
        let torn = try #require(sight.judged().judgement.anomalies.first { $0.kind == .tornRead })
        #expect(
            torn.sentence.contains("A process of group read a.json") && torn.sentence.contains("as app had")
        )
    }
}

@Suite("What a program goes on having after another content took its place")
struct OldContentTests {
    private static let old = #"{"n":0}"#
    private static let new = #"{"n":1}"#

    @Test("a program that never opens a replaced file anew reads old contents", arguments: [1, 9])
    func held(seconds: Int) throws {
        var sight = try Sight(Self.old)
        sight.seesCalls()
        sight.calls(.app, .rename, at: .app)
        sight.sees(.app, Self.new)
        sight.calls(.bridge, .rename, at: .group)
        sight.sees(.group, Self.new)
        for _ in 1...2 {
            sight.calls(.widget, .read, at: .group, isOfReplaced: true)
            sight.calls(.widget, .sleep, at: .group)
            sight.waits(.seconds(seconds) / 2)
        }
        sight.calls(.widget, .read, at: .group, isOfReplaced: true)
        let judged = sight.judged()
        #expect(judged.judgement.kinds == (seconds == 1 ? [] : [.staleRead]))
        for anomaly in judged.judgement.anomalies {
            #expect(anomaly.advice(in: judged.history).actor == "group")
        }
    }

    @Test("a program that shows what it read before that was replaced is stale", arguments: [1, 9])
    func shown(seconds: Int) throws {
        var sight = try Sight(Self.old)
        sight.hears(.group, "read", Self.old)
        sight.shows(.group)
        sight.sees(.app, Self.new)
        sight.sees(.group, Self.new)
        sight.waits(.seconds(seconds))
        sight.shows(.group)
        #expect(sight.judged().judgement.kinds == (seconds == 1 ? [] : [.staleRead]))
    }
}

@Suite("Who made a change that the lab does not see made")
struct BusySideTests {
    private func sight(_ group: String) throws -> Sight {
        var sight = try Sight(#"{"n":0}"#, app: nil, group: nil)
        for number in [1, 2, 4] { sight.sees(.app, "{\"n\":\(number)}") }
        sight.sees(.group, group)
        for number in [5, 6] { sight.sees(.app, "{\"n\":\(number)}") }
        sight.sees(.group, #"{"n":6}"#)
        return sight
    }

    @Test("a content that a bridge may have brought from a program that saves quickly is no save")
    func between() throws {
        var sight = try sight(#"{"n":3}"#)
        let judged = sight.judged()
        #expect(judged.judgement.anomalies == [] && judged.doubts == [])
    }

    @Test("what that program does not change is a save, however quickly it goes on")
    func other() throws {
        var sight = try sight(#"{"n":3,"tap":1}"#)
        #expect(sight.judged().judgement.kinds == [.lostUpdate])
    }
}
