import Model
import Testing

@testable import RaceLab

@Suite("A content that was there before")
struct ReturnedContentTests {
    private static let zero = #"{"n":0}"#
    private static let one = #"{"n":1}"#

    @Test("is no find where the program may have put it back", arguments: [true, false])
    func toggled(isSeen: Bool) throws {
        var sight = try Sight(Self.zero, group: false)
        for _ in 0..<4 {
            sight.sees(.app, Self.one, isRenamed: true)
            sight.sees(.group, Self.one)
            if isSeen { sight.sees(.app, Self.zero, isRenamed: true) }
            sight.sees(.group, Self.zero)
            sight.sees(.app, #"{"n":2}"#, isRenamed: true)
        }
        let judged = sight.judged()
        #expect(!judged.judgement.kinds.contains(.nonMonotonicRead), "\(judged.judgement)")
    }

    @Test("is a find where nobody but the bridge saves", arguments: [true, false])
    func broughtBack(hasProgram: Bool) throws {
        var sight = try Sight(Self.zero, group: hasProgram)
        sight.sees(.app, Self.one, isRenamed: true)
        sight.sees(.group, Self.one)
        sight.waits(.seconds(1))
        sight.sees(.group, Self.zero)
        sight.waits(.seconds(1))
        sight.sees(.group, Self.one)
        #expect(sight.judged().judgement.kinds.contains(.nonMonotonicRead) != hasProgram)
    }

    @Test("is no find where a program takes its change back before the bridge brings it")
    func takenBack() throws {
        var sight = try Sight(Self.zero, app: nil, group: nil)
        for (side, number): (Side, Int) in [
            (.app, 1), (.group, 1), (.app, 4), (.app, 1), (.group, 4), (.app, 2), (.app, 1), (.app, 3),
            (.group, 3),
        ] {
            sight.sees(side, #"{"n":\#(number)}"#, isRenamed: true)
        }
        let judged = sight.judged()
        #expect(!judged.judgement.kinds.contains(.nonMonotonicRead), "\(judged.judgement)")
        #expect(judged.doubts.contains { $0.kind == .nonMonotonicRead })
    }

    @Test("which nobody had before is no bridge's, though its program did not tell it")
    func untold() throws {
        for text in [#"{"n":2}"#, Self.one] {
            var sight = try Sight(Self.zero)
            sight.saves(.app, Self.one)
            sight.sees(.group, Self.one)
            sight.waits(.seconds(1))
            sight.sees(.app, text)
            sight.sees(.group, text)
            #expect(!sight.judged().judgement.kinds.contains(.lostUpdate), "\(text)")
        }
    }
}
