import Model
import Testing

@testable import RaceLab

@Suite("A notice that does not tell its content")
struct GuessedNoticeTests {
    private static let zero = #"{"n":0}"#
    private static let one = #"{"n":1}"#

    private func listening() throws -> Sight {
        var sight = try Sight(Self.zero)
        sight.listens()
        sight.waits(.milliseconds(20))
        return sight
    }

    @Test("is repeated where there are more notices than contents", arguments: [false, true])
    func repeated(isEach: Bool) throws {
        var sight = try listening()
        sight.saves(.app, Self.one)
        sight.sees(.group, Self.one)
        sight.isTold(sinceLastLook: .milliseconds(15))
        if isEach { sight.waits(.milliseconds(20)) }
        sight.isTold(sinceLastLook: .milliseconds(15))
        if !isEach { sight.isTold(sinceLastLook: .milliseconds(15)) }
        #expect(sight.judged().judgement.kinds.contains(.duplicateReload))
    }

    @Test("is in doubt where the lab may have read it late")
    func late() throws {
        var sight = try listening()
        sight.saves(.app, Self.one)
        sight.sees(.group, Self.one)
        sight.saves(.app, #"{"n":2}"#)
        sight.sees(.group, #"{"n":2}"#)
        sight.isTold(sinceLastLook: .milliseconds(45))
        sight.isTold(sinceLastLook: .milliseconds(45))
        expectDoubt(sight)
    }

    @Test("is in doubt where a content may have come and gone")
    func missed() throws {
        var sight = try listening()
        sight.saves(.app, Self.one)
        sight.sees(.group, Self.one)
        sight.isTold(sinceLastLook: .milliseconds(5))
        sight.misses(.group)
        sight.waits(.milliseconds(10))
        sight.isTold(sinceLastLook: .milliseconds(10))
        expectDoubt(sight)
    }

    private func expectDoubt(_ sight: Sight) {
        var sight = sight
        let judged = sight.judged()
        #expect(!judged.judgement.kinds.contains(.duplicateReload), "\(judged.judgement)")
        #expect(judged.doubts.contains { $0.kind == .duplicateReload }, "\(judged.doubts)")
    }
}
