import Model
import Testing

@testable import RaceLab

@Suite("A document that is saved again and again as it is")
struct RewriteTests {
    private static let start = #"{"n":0}"#

    @Test(
        "is a ping-pong of the bridge once the program of that side is over, and not the program's own work"
    )
    func bridge() throws {
        for (isOver, count) in [(true, 3), (true, 2), (false, 3)] {
            var sight = try Sight(Self.start)
            if isOver { sight.ends(.group) }
            for _ in 0..<count { sight.seesAgain(.group) }
            let judged = sight.judged()
            #expect(judged.judgement.kinds == (isOver && count > 2 ? [.pingPong] : []))
            #expect(judged.doubts == [])
        }
    }

    @Test("is a ping-pong by the bridge's system calls, and none by those of the program")
    func calls() throws {
        for player in [RacePlayer.bridge, .widget] {
            var sight = try Sight(Self.start)
            sight.seesCalls()
            for _ in 0..<5 {
                sight.calls(player, .rename, at: .group)
                sight.seesAgain(.group)
            }
            let judged = sight.judged(isAtRest: false)
            #expect(judged.judgement.kinds == (player == .bridge ? [.pingPong] : []))
            #expect(judged.judgement.anomalies.first?.evidence.count == (player == .bridge ? 5 : nil))
            #expect(judged.doubts == [])
        }
    }

    @Test("leaves open who does it, where that goes on to the end and is not seen")
    func unseen() throws {
        for (isAtRest, count) in [(false, 3), (false, 2), (true, 3)] {
            var sight = try Sight(Self.start, app: nil, group: nil)
            for _ in 0..<count { sight.seesAgain(.group) }
            let judged = sight.judged(isAtRest: isAtRest)
            #expect(judged.judgement.kinds == [])
            #expect((judged.skipped[.pingPong] == .undecided) == (!isAtRest && count > 2))
        }
    }

    @Test("is none where a program saves in between, on either side")
    func answered() throws {
        for side in [Side.app, .group] {
            var sight = try Sight(Self.start)
            sight.seesCalls()
            for _ in 0..<5 {
                sight.calls(side)
                sight.seesAgain(side)
                sight.calls(.bridge, .rename, at: .group)
                sight.seesAgain(.group)
            }
            #expect(sight.judged().judgement.kinds == [])
        }
    }
}
