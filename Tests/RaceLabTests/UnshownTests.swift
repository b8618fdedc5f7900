import Model
import Testing

@testable import RaceLab

@Suite("What a program shows and does not tell")
struct UnshownTests {
    private static let old = #"{"a":1}"#
    private static let new = #"{"a":2}"#

    /// The widget reads by a call, and the document is replaced that long before it ends.
    private func replaced(before time: Duration, isRead: Bool = true, isReadAgain: Bool = false) throws
        -> Sight
    {
        var sight = try Sight(Self.old)
        sight.seesCalls()
        if isRead { sight.fetches(.group) }
        sight.calls(.app, .rename, at: .app)
        sight.sees(.app, Self.new, isRenamed: true)
        sight.calls(.bridge, .rename, at: .group)
        sight.sees(.group, Self.new, isRenamed: true)
        if isReadAgain { sight.fetches(.group) }
        sight.waits(time)
        sight.leaves(.group)
        return sight
    }

    @Test("leaves open whether it showed an old content, where that was replaced after it had read it")
    func old() throws {
        var sight = try replaced(before: .seconds(1))
        let judged = sight.judged()
        #expect(judged.judgement.kinds == [] && judged.skipped[.staleRead] == .shownUnseen)
    }

    @Test("leaves nothing open where it read the new one, never read, or ended at once")
    func fresh() throws {
        var sights = [
            try replaced(before: .seconds(1), isReadAgain: true),
            try replaced(before: .seconds(1), isRead: false), try replaced(before: .milliseconds(20)),
        ]
        for place in sights.indices { #expect(sights[place].judged().skipped[.staleRead] == nil) }
    }

    @Test("leaves that open wherever reads are not seen")
    func unseen() throws {
        for isThere in [true, nil] {
            var sight = try Sight(Self.old, app: isThere, group: isThere)
            sight.sees(.app, Self.new, isRenamed: true)
            sight.sees(.group, Self.new, isRenamed: true)
            sight.waits(.seconds(1))
            sight.sees(.group, Self.new)
            #expect(sight.judged().skipped[.staleRead] == .shownUnseen)
        }
    }
}
