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
}
