import Model
import SyncEngine
import Testing

/// A program saved what it had in memory, and had not read the last changes.
@Suite("Planning a save that did not read the last change")
struct PlanUnseenTests {
    /// The value of one field, beside another field.
    static let values: [Int?] = [nil, 1, 2]

    struct Case: CustomStringConvertible {
        /// The base; what the blind program knew; what it saved; what the other side has.
        var base: Int?, known: Int?, blind: Int?, other: Int?
        var side: Side

        static func text(_ value: Int?) -> Text { Text(value.map { #"{"k":0,"x":\#($0)}"# } ?? #"{"k":0}"#) }

        var situation: Situation {
            var situation = Situation(rule: Rules.plain, app: Self.text(other), group: Self.text(blind))
            if side == .app { (situation.app, situation.group) = (situation.group, situation.app) }
            situation.agree(newest: Self.text(base), app: Self.text(base), group: Self.text(base))
            // A content equal to the base is not a save.
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

    @Test("both sides are equal afterwards, and nothing is left to do")
    func isAtRestAfterOneRound() throws {
        for one in Self.cases {
            let next = try one.situation.carriedOut(one.situation.planned())
            #expect(next.app == next.group, "\(one)")
            let again = try next.planned()
            #expect(again.change == nil && again.writesNothing, "\(one): \(again.summary)")
        }
    }

    @Test("values that its program did not change keep the others' changes")
    func undoesNothingUnseen() throws {
        for one in Self.cases where one.blind == one.known && one.blind != one.base {
            let next = try one.situation.carriedOut(one.situation.planned())
            #expect(next.app == Case.text(one.other), "\(one)")
        }
    }

    /// A field that it removed is restored by another side's change, as always.
    @Test("values that its program changed are applied, or kept")
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
