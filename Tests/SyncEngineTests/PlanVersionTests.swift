import Documents
import Model
import StateStore
import SyncEngine
import Testing

@Suite("Planning a document with versions")
struct PlanVersionTests {
    /// The content of a side, in a version.
    struct Held: Hashable {
        var letter: Letter
        var version: Int
        var text: Text { letter.budget(version) }
    }

    static let held: [Held?] =
        [nil] + Letter.allCases.flatMap { letter in [1, 2].map { Held(letter: letter, version: $0) } }
    /// A base, and the version that each side had it in.
    struct Base {
        var letter: Letter
        var speech: BothSides<Int>
    }

    struct Case {
        var base: Base?
        var held: BothSides<Held?>
        var situation: Situation
        var note: String { "base \(base as Any), \(held), pinned \(situation.pinned)" }

        init(_ rule: DocumentRule, _ base: Base?, _ held: BothSides<Held?>, pinned: BothSides<Int?>) {
            self.base = base
            self.held = held
            situation = Situation(rule: rule, app: held.app?.text, group: held.group?.text)
            situation.pinned = pinned
            guard let base else { return }
            situation.agree(
                newest: base.letter.budget(2),
                app: base.letter.budget(base.speech.app),
                group: base.letter.budget(base.speech.group)
            )
        }
    }

    private static func pairs<Value>(_ values: [Value]) -> [BothSides<Value>] {
        values.flatMap { app in values.map { BothSides(app: app, group: $0) } }
    }

    /// Each base in each pair of versions, with each pair of contents and pins.
    static func cases(pinned: Bool) throws -> [Case] {
        let rule = try Rules.budget()
        let agreed = Letter.allCases.flatMap { letter in
            pairs([1, 2]).map { Base(letter: letter, speech: $0) }
        }
        let bases: [Base?] = [nil] + agreed
        let pins = pinned ? pairs([nil, 1, 2]) : [BothSides<Int?>(app: nil, group: nil)]
        return bases.flatMap { base in
            pairs(held).flatMap { held in pins.map { Case(rule, base, held, pinned: $0) } }
        }
    }

    private func judged(_ one: Case) -> Verdict {
        reconcile(base: one.base?.letter, app: one.held.app?.letter, group: one.held.group?.letter)
    }

    @Test("contents are compared in the newest version, whatever version each side has")
    func judgesByValue() throws {
        for one in try Self.cases(pinned: false) {
            let plan = try one.situation.planned()
            let next = try one.situation.carriedOut(plan)
            let expected: Letter? =
                switch judged(one) {
                case .settled, .adopt, .conflict, .propagate(from: .app): one.held.app?.letter
                case .propagate(from: .group): one.held.group?.letter
                }
            for side in Side.allCases {
                let note = "\(side): \(one.note): \(plan.summary)"
                guard let expected else {
                    #expect(next[side] == nil, "\(note)")
                    continue
                }
                let text = try #require(next[side], "\(note)")
                let version = try #require(text.version)
                #expect(try isSame(text, expected.budget(version)), "\(note)")
            }
            #expect(plan.conflictCopies.count == (judged(one) == .conflict ? 1 : 0), "\(one.note)")
        }
    }

    /// Values made up on the way to version 2 may be outdated; those that both versions have are compared.
    private func isSame(_ one: Text, _ other: Text) throws -> Bool {
        let rule = try Rules.budget()
        func down(_ text: Text) throws -> JSON {
            try rule.translate(text.json(), from: text.version ?? 0, to: 1, agreed: nil)
        }
        return try down(one).isEqual(to: down(other))
    }

    @Test(
        "a side gets its pinned version, else the one it writes, else the one it wrote, else the newest"
    )
    func speaksToEachSideInItsVersion() throws {
        for one in try Self.cases(pinned: true) {
            let plan = try one.situation.planned()
            let next = try one.situation.carriedOut(plan)
            for side in Side.allCases {
                guard let text = next[side] else { continue }
                let before = one.base?.speech[side]
                let spoken = one.situation.pinned[side] ?? one.held[side]?.version ?? before ?? 2
                #expect(text.version == spoken, "\(side): \(one.note): \(plan.summary)")
            }
        }
    }

    @Test("after it is carried out, nothing is left to do")
    func isAtRestAfterOneRound() throws {
        for one in try Self.cases(pinned: true) {
            let plan = try one.situation.planned()
            let next = try one.situation.carriedOut(plan)
            let again = try next.planned()
            #expect(
                again.change == nil && again.writesNothing,
                "\(one.note): \(plan.summary): \(again.summary)"
            )
        }
    }

    @Test("a deletion is synced only if the other side did not edit")
    func deletesNoEdit() throws {
        for one in try Self.cases(pinned: false) {
            let plan = try one.situation.planned()
            for side in Side.allCases {
                guard case .remove = plan.writes[side] else { continue }
                #expect(one.held[side]?.letter == one.base?.letter, "\(one.note)")
            }
        }
    }

    @Test("the same input gives the same plan")
    func isAFunction() throws {
        for one in try Self.cases(pinned: false) {
            #expect(try one.situation.planned().summary == one.situation.planned().summary)
        }
    }
}

@Suite("Planning values that only one version can represent")
struct PlanTranslationTests {
    private static let v1 = Text(#"{"spent":1,"limit":9}"#, version: 1)
    private static let rich = Text(
        #"{"version":2,"data":{"totalAmount":7,"expenseCount":5,"hasError":true,"spent":1,"limit":9}}"#,
        version: 2
    )

    private func situation(app: Text?, group: Text?) throws -> Situation {
        var situation = Situation(rule: try Rules.budget(), app: app, group: group)
        situation.agree(newest: Self.rich, app: Self.v1, group: Self.rich)
        return situation
    }

    @Test("a v1 edit reaches v2 and keeps what v1 cannot represent")
    func keepsWhatTheOldVersionCannotSay() throws {
        let edited = Text(#"{"spent":2,"limit":9}"#, version: 1)
        let plan = try situation(app: edited, group: Self.rich).planned()
        #expect(
            plan.written(to: .group)
                == Self.rich.text.replacing("\"spent\":1", with: "\"spent\":2")
        )
        #expect(plan.writes.app == nil)
    }

    @Test("a v2 edit of what v1 cannot represent writes nothing to the v1 side")
    func writesNothingWhereNothingCanBeSaid() throws {
        let text = Self.rich.text.replacing("\"expenseCount\":5", with: "\"expenseCount\":6")
        let plan = try situation(app: Self.v1, group: Text(text, version: 2)).planned()
        #expect(plan.writesNothing)
        let agreed = try #require(plan.agreed)
        #expect(agreed.content.newest == Array(text.utf8))
    }

    @Test("a v1 document with new formatting is no change for the v2 side")
    func carriesNoSpellingAcrossVersions() throws {
        let spelled = Text("{ \"spent\": 1.0, \"limit\": 9 }", version: 1)
        let plan = try situation(app: spelled, group: Self.rich).planned()
        #expect(plan.writesNothing && plan.change == nil)
        let agreed = try #require(plan.agreed)
        #expect(agreed.content.bytes(on: .app) == spelled.bytes)
        #expect(agreed.content.newest == Self.rich.bytes)
    }

    @Test("edits in both versions are merged in the newest")
    func mergesAcrossVersions() throws {
        let app = Text(#"{"spent":2,"limit":9}"#, version: 1)
        let group = Text(Self.rich.text.replacing("\"limit\":9", with: "\"limit\":8"), version: 2)
        let plan = try situation(app: app, group: group).planned()
        #expect(plan.written(to: .app) == #"{"spent":2,"limit":8}"#)
        #expect(
            plan.written(to: .group)
                == group.text.replacing("\"spent\":1", with: "\"spent\":2")
        )
    }

    @Test("a lost base: a v2 document with more values than v1 can represent is still the same document")
    func adoptsAcrossVersions() throws {
        for sides in [(app: Self.v1, group: Self.rich), (app: Self.rich, group: Self.v1)] {
            let situation = Situation(rule: try Rules.budget(), app: sides.app, group: sides.group)
            let plan = try situation.planned()
            #expect(plan.change?.action == .adopt, "\(plan.summary)")
            #expect(plan.writesNothing)
            let agreed = try #require(plan.agreed)
            #expect(agreed.content.newest == Self.rich.bytes)
            let next = try situation.carriedOut(plan)
            #expect(try next.planned().change == nil)
        }
    }

    @Test("a program that upgrades its version has read only what its old version could represent")
    func upgradesWithoutUndoing() throws {
        for written in [
            #"{"version":2,"data":{"spent":2,"limit":9}}"#,
            #"{"version":2,"data":{"spent":2,"limit":9,"totalAmount":1,"expenseCount":0,"hasError":false}}"#,
        ] {
            let plan = try situation(app: Text(written, version: 2), group: Self.rich).planned()
            let text = try #require(plan.written(to: .group))
            #expect(text == Self.rich.text.replacing("\"spent\":1", with: "\"spent\":2"))
            #expect(plan.written(to: .app) == text)
            #expect(plan.conflictCopies.isEmpty)
        }
    }

    @Test("a value it sets without knowing the existing one wins, and the other is kept")
    func keepsWhatAnUpgradeOverwrites() throws {
        let written = #"{"version":2,"data":{"spent":1,"limit":9,"expenseCount":6}}"#
        let plan = try situation(app: Text(written, version: 2), group: Self.rich).planned()
        #expect(plan.written(to: .group)?.contains(#""expenseCount":6"#) == true)
        #expect(plan.conflictCopies == [Self.rich.bytes])
        // The group did not change it.
        let reason = ChangeReason.overwroteUnread(["/data/expenseCount"], in: .app)
        #expect(plan.change?.reason == .done(.both(.changed(in: .app), reason)))
    }

    @Test("a pin translates a document without other changes")
    func restatesForAPin() throws {
        var situation = try situation(app: Self.v1, group: Self.rich)
        situation.pinned.group = 1
        let plan = try situation.planned()
        #expect(plan.written(to: .group) == Self.v1.text)
        #expect(plan.writes.app == nil)
        situation.pinned = BothSides(app: 2, group: nil)
        #expect(try situation.planned().written(to: .app) == Self.rich.text)
    }
}
