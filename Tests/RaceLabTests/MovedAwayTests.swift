import Model
import Testing

@testable import RaceLab

@Suite("A document that is given another name before the next one takes its place")
struct MovedAwayTests {
    private static let old = #"{"n":1}"#
    private static let new = #"{"n":2}"#

    /// Sees it go in the group, and come back.
    private func judged(_ back: String, isThere: Bool?) throws -> JudgedObservation {
        var sight = try Sight(Self.old, app: isThere, group: isThere)
        sight.sees(.group, nil, isMoved: true)
        sight.sees(.group, back, isRenamed: true, after: .milliseconds(50))
        return sight.judged()
    }

    @Test("is saved by its program, where the next content is new")
    func saved() throws {
        for isThere in [true, nil] {
            let judged = try judged(Self.new, isThere: isThere)
            #expect(!judged.judgement.kinds.contains(.nonMonotonicRead))
            #expect(!judged.judgement.kinds.contains(.resurrectedDeletion))
        }
    }

    @Test("is in doubt, and blames nobody, where the same content comes back")
    func same() throws {
        let unknown = try judged(Self.old, isThere: nil)
        #expect(unknown.judgement.kinds == [])
        let path = try Sight().path
        #expect(unknown.doubts.contains(.unclearAbsence(path, .group, step: 0)))
        #expect(unknown.doubts.contains(.unclearMove(path, moved: 0, back: 2)))
        let own = try judged(Self.old, isThere: true)
        #expect(own.judgement.kinds == [] && own.skipped[.resurrectedDeletion] == .undecided)
    }

    @Test("is no deletion where a bridge brings the old one before its program saves the new one")
    func restored() throws {
        for isRestored in [true, false] {
            var sight = try Sight(Self.old)
            sight.seesCalls()
            sight.calls(.app, .rename, at: .app)
            sight.sees(.app, nil, isMoved: true)
            sight.calls(.bridge, .rename, at: .app)
            sight.sees(.app, Self.old, isRenamed: true)
            if !isRestored {
                sight.calls(.app, .rename, at: .app)
                sight.sees(.app, Self.new, isRenamed: true)
                sight.calls(.bridge, .rename, at: .group)
                sight.sees(.group, Self.new, isRenamed: true)
            }
            #expect(sight.judged().judgement.kinds == (isRestored ? [.resurrectedDeletion] : []))
        }
    }

    @Test("was deleted, where its program leaves it away for longer, and the bridge brings it back")
    func deleted() throws {
        var sight = try Sight(Self.old)
        sight.sees(.app, nil, isMoved: true)
        sight.waits(.seconds(2))
        sight.ends(.app)
        sight.sees(.app, Self.old, isRenamed: true)
        #expect(sight.judged().judgement.kinds.contains(.resurrectedDeletion))
    }
}
