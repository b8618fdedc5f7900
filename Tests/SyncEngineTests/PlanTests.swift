import Documents
import Model
import StateStore
import SyncEngine
import Testing

@Suite("Planning a document without versions")
struct PlanTests {
    /// Absent and three contents, on both sides and in the base: all combinations.
    static let letters: [Letter?] = [nil] + Letter.allCases
    static let situations: [(letters: [Letter?], situation: Situation)] = letters.flatMap { base in
        letters.flatMap { app in
            letters.map { group in
                var situation = Situation(rule: Rules.plain, app: app?.plain, group: group?.plain)
                if let base { situation.agree(newest: base.plain, app: base.plain, group: base.plain) }
                return ([base, app, group], situation)
            }
        }
    }

    @Test func everyCaseIsSeen() { #expect(Self.situations.count == 64) }

    @Test("the plan follows the reconciliation")
    func followsTheJudge() throws {
        for (letters, situation) in Self.situations {
            let plan = try situation.planned()
            let note = "base, app, group: \(letters): \(plan.summary)"
            #expect(plan.problem == nil)
            switch reconcile(base: letters[0], app: letters[1], group: letters[2]) {
            case .settled: #expect(plan.change == nil && plan.writesNothing, "\(note)")
            case .adopt: #expect(plan.change?.action == .adopt && plan.writesNothing, "\(note)")
            case .propagate(let side):
                #expect(plan.writes[side] == nil, "\(note)")
                #expect(plan.change?.from == side, "\(note)")
                #expect(plan.written(to: side.other) == situation[side]?.text, "\(note)")
                #expect((plan.change?.action == .delete) == (situation[side] == nil), "\(note)")
            case .conflict:
                #expect(plan.change?.action == .conflict, "\(note)")
                #expect(plan.writes.app == nil, "the app's stands; \(note)")
                #expect(plan.written(to: .group) == situation.app?.text, "\(note)")
                #expect(plan.conflictCopies == [situation.group?.bytes], "\(note)")
            }
        }
    }

    @Test("after it is carried out, nothing is left to do")
    func isAtRestAfterOneRound() throws {
        for (letters, situation) in Self.situations {
            let next = try situation.carriedOut(situation.planned())
            #expect(next.app == next.group, "\(letters)")
            let again = try next.planned()
            #expect(again.change == nil && again.writesNothing, "\(letters): \(again.summary)")
        }
    }

    @Test("an edit is on both sides afterwards, or it is kept")
    func losesNoEdit() throws {
        for (letters, situation) in Self.situations {
            let plan = try situation.planned()
            let next = try situation.carriedOut(plan)
            for (letter, side) in zip(letters.dropFirst(), Side.allCases) where letter != letters[0] {
                guard let edit = situation[side] else { continue }
                let survives = next[side.other] == edit || plan.conflictCopies.contains(edit.bytes)
                #expect(survives, "\(letters): \(plan.summary)")
            }
        }
    }

    @Test("a deletion is synced only if the other side did not edit")
    func deletesNoEdit() throws {
        for (letters, situation) in Self.situations {
            let plan = try situation.planned()
            for (place, side) in Side.allCases.enumerated() {
                guard case .remove = plan.writes[side] else { continue }
                #expect(letters[1 + place] == letters[0], "\(letters)")
            }
        }
    }

    @Test("the same input gives the same plan")
    func isAFunction() throws {
        for (_, situation) in Self.situations {
            let plan = try situation.planned()
            let again = try situation.planned()
            #expect(plan.summary == again.summary)
        }
    }

    @Test("an echo is resolved without reading the base")
    func ignoresEchoes() throws {
        for (letters, situation) in Self.situations where Set(letters) == [.a] {
            struct Asked: Error {}
            let plan = try SyncEngine.plan(situation.input()) { () throws(Asked) in throw Asked() }
            #expect(plan.change == nil && plan.writesNothing)
        }
    }
}

@Suite("Planning by value")
struct PlanByValueTests {
    private func agreed(_ base: String, app: String?, group: String?) -> Situation {
        var situation = Situation(rule: Rules.plain, app: app.map { Text($0) }, group: group.map { Text($0) })
        situation.agree(newest: Text(base), app: Text(base), group: Text(base))
        return situation
    }

    @Test("a new formatting on one side is copied as it is")
    func carriesReformatting() throws {
        let plan = try agreed(#"{"x":1}"#, app: "{ \"x\": 1.0 }\n", group: #"{"x":1}"#).planned()
        #expect(plan.written(to: .group) == "{ \"x\": 1.0 }\n")
        #expect(plan.conflictCopies.isEmpty)
    }

    @Test("two formattings of the same change are the same change, and stay")
    func adoptsEqualValues() throws {
        let plan = try agreed(#"{"x":1}"#, app: #"{"x":2, "y":3}"#, group: #"{"y":3.0,"x":2}"#).planned()
        #expect(plan.change?.action == .adopt)
        #expect(plan.writesNothing)
    }

    @Test("formatting on one side and a change on the other: the change wins")
    func letsChangeWinOverSpelling() throws {
        let plan = try agreed(#"{"x":1}"#, app: #"{ "x" : 1 }"#, group: #"{"x":2}"#).planned()
        #expect(plan.written(to: .app) == #"{"x":2}"#)
        #expect(plan.writes.group == nil)
        #expect(plan.conflictCopies.isEmpty)
    }

    @Test("changes of different keys are merged without a conflict")
    func mergesKeyByKey() throws {
        let situation = agreed(#"{"x":1,"y":1}"#, app: #"{"x":2,"y":1}"#, group: #"{"x":1,"y":2,"z":3}"#)
        let plan = try situation.planned()
        #expect(plan.change?.action == .merge)
        #expect(plan.written(to: .app) == #"{"x":2,"y":2,"z":3}"#)
        #expect(plan.written(to: .group) == #"{"x":2,"y":2,"z":3}"#)
        #expect(plan.conflictCopies.isEmpty)
    }

    @Test("a deletion on one side and formatting on the other: the deletion is synced")
    func letsDeletionWinOverSpelling() throws {
        let plan = try agreed(#"{"x":1}"#, app: nil, group: #"{ "x":1 }"#).planned()
        #expect(plan.change?.action == .delete)
    }

    @Test("documents that cannot be merged conflict as a whole: the app's wins, the other is kept")
    func keepsWhatCannotBeMerged() throws {
        let plan = try agreed(#"{"x":1}"#, app: #"{"x":2,"x":3}"#, group: #"{"x":4}"#).planned()
        #expect(plan.change?.action == .conflict)
        #expect(plan.written(to: .group) == #"{"x":2,"x":3}"#)
        #expect(plan.conflictCopies == [Array(#"{"x":4}"#.utf8)])
        #expect(plan.change?.reason == .done(.unmerged(.duplicateKey)))
        let marked = try agreed(#"[1]"#, app: "\u{FEFF}[2]", group: #"[3]"#).planned()
        #expect(marked.change?.reason == .done(.unmerged(.byteOrderMark)))
    }

    @Test("an unreadable base does not cause a deletion")
    func holdsOnABrokenBase() throws {
        var situation = agreed(#"{"x":1}"#, app: #"{"x":2}"#, group: #"{"x":3}"#)
        situation.base?.content = BaseContent(newest: Array("{".utf8))
        let plan = try situation.planned()
        #expect(plan.isHold && plan.writesNothing)
    }
}

@Suite("Planning with a problem")
struct PlanProblemTests {
    static let problems: [Problem] = [
        .notJSON(.byteOrderMark), .empty, .tooLarge(9, limit: 8), .notRegular(.symbolicLink),
        .mountPoint, .newerVersion(3, known: 2), .unknownVersion(.noField(key: "version")), .changing,
        .unnamable,
    ]

    @Test(
        "a problem on either side holds the document, whatever the other side has",
        arguments: Side.allCases
    )
    func holds(side: Side) throws {
        for problem in Self.problems {
            for other in [nil, Letter.a, .b] {
                var situation = Situation(rule: Rules.plain, app: other?.plain, group: other?.plain)
                situation.agree(newest: Letter.a.plain, app: Letter.a.plain, group: Letter.a.plain)
                var input = try situation.input()
                input.observed[side] = .problem(problem)
                let content = situation.base?.content
                let plan = SyncEngine.plan(input) { content }
                #expect(plan.writesNothing)
                #expect(plan.change?.action == .hold)
                #expect(plan.problem?.side == side && plan.problem?.1 == problem)
                #expect(plan.change?.isNewerVersion == (problem == .newerVersion(3, known: 2)))
                #expect(plan.agreed == nil)
            }
        }
    }
}
