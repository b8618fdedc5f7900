import Model
import SyncEngine
import Testing

/// A program has saved what it had in memory, and had not read what was agreed since.
@Suite("Planning a save that was made without sight of the last change")
struct PlanUnseenTests {
    /// What a document says of one field, beside another.
    static let values: [Int?] = [nil, 1, 2]

    struct Case: CustomStringConvertible {
        /// Agreed; known to the blind program; saved by it; what the other side holds.
        var base: Int?, known: Int?, blind: Int?, other: Int?
        var side: Side

        static func text(_ value: Int?) -> Text { Text(value.map { #"{"k":0,"x":\#($0)}"# } ?? #"{"k":0}"#) }

        var situation: Situation {
            var situation = Situation(rule: Rules.plain, app: Self.text(other), group: Self.text(blind))
            if side == .app { (situation.app, situation.group) = (situation.group, situation.app) }
            situation.agree(newest: Self.text(base), app: Self.text(base), group: Self.text(base))
            // What is as the base says is no save.
            if blind != base { situation.known[side] = Self.text(known) }
            return situation
        }

        var description: String {
            func word(_ value: Int?) -> String { value.map { "\($0)" } ?? "-" }
            return
                "\(side): base \(word(base)) known \(word(known)) saved \(word(blind)) other \(word(other))"
        }
    }

    static let cases = Side.allCases.flatMap { side in
        values.flatMap { base in
            values.flatMap { known in
                values.flatMap { blind in
                    values.map { Case(base: base, known: known, blind: blind, other: $0, side: side) }
                }
            }
        }
    }

    @Test func everyCaseIsSeen() { #expect(Self.cases.count == 162) }

    @Test("both sides hold the same afterwards, and nothing is left to do")
    func isAtRestAfterOneRound() throws {
        for one in Self.cases {
            let next = try one.situation.carriedOut(one.situation.planned())
            #expect(next.app == next.group, "\(one)")
            let again = try next.planned()
            #expect(again.change == nil && again.writesNothing, "\(one): \(again.summary)")
        }
    }

    @Test("what its program did not change stays as the others left it")
    func undoesNothingUnseen() throws {
        for one in Self.cases where one.blind == one.known && one.blind != one.base {
            let next = try one.situation.carriedOut(one.situation.planned())
            #expect(next.app == Case.text(one.other), "\(one)")
        }
    }

    /// A field that it took away comes back with another's change, as anywhere.
    @Test("what its program changed is there, or is kept")
    func losesNoChange() throws {
        for one in Self.cases where one.blind != one.known && one.blind != one.base && one.blind != nil {
            let plan = try one.situation.planned()
            let next = try one.situation.carriedOut(plan)
            let stands = next.app == Case.text(one.blind)
            let others =
                [one.other, one.base].contains { next.app == Case.text($0) } && !plan.conflictCopies.isEmpty
            #expect(stands || others, "\(one): \(plan.summary)")
        }
    }
}
