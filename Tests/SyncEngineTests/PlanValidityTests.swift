import Documents
import Model
import SyncEngine
import Testing

@Suite("Planning a document that violates its schema")
struct PlanValidityTests {
    private static let good = Text(#"{"min":1,"max":9}"#, version: 1)
    private static let broken = Text("{\"min\":1,\n \"max\":0}", version: 1)

    /// `max` is at least 1, and a pair never adds up to 13; version 2 refuses one value that 1 allows.
    private func rule(onInvalid: String = "hold") throws -> DocumentRule {
        let yaml = """
            profile: p
            documents:
              d.json:
                version: {field: version, missing: 1}
                onInvalid: \(onInvalid)
                versions:
                  1:
                    schema:
                      type: object
                      properties: {min: {type: integer}, max: {type: integer, minimum: 1}}
                      not: {properties: {min: {const: 5}, max: {const: 8}}}
                  2:
                    schema:
                      type: object
                      properties:
                        version: {const: 2}
                        least: {type: integer}
                        max: {type: integer, minimum: 1, maximum: 99}
                    lenses: [rename: {from: min, to: least}]
            """
        return try Profile(yaml: yaml, file: "p.yaml").rule(for: "d.json")
    }

    private func situation(_ app: Text?, _ group: Text?, onInvalid: String = "hold") throws -> Situation {
        var situation = Situation(rule: try rule(onInvalid: onInvalid), app: app, group: group)
        situation.pinned = BothSides(app: 1, group: 1)
        situation.agree(newest: Text(#"{"version":2,"least":1,"max":9}"#), app: Self.good, group: Self.good)
        return situation
    }

    @Test("it is held with pointer and rule, whichever side it is on", arguments: Side.allCases)
    func holds(side: Side) throws {
        var situation = try situation(Self.good, Self.good)
        if side == .app { situation.app = Self.broken } else { situation.group = Self.broken }
        let plan = try situation.planned()
        #expect(plan.writesNothing && plan.isHold)
        #expect(plan.change?.action == .hold && plan.change?.from == side)
        #expect(
            plan.change?.reason.text
                == "\(side): violates its schema at 2:8: `/max` is 0, below 1 (/properties/max/minimum)"
        )
    }

    @Test("it is held before there is a base, and if the other side has no document")
    func holdsTheFirst() throws {
        var situation = try situation(Self.broken, nil)
        #expect(try situation.planned().isHold)
        situation.base = nil
        #expect(try situation.planned().isHold)
    }

    @Test("if the profile allows it, it is synced like any other")
    func passes() throws {
        let plan = try situation(Self.broken, Self.good, onInvalid: "pass").planned()
        #expect(plan.written(to: .group) == Self.broken.text)
    }

    @Test("the base is not checked again")
    func looksAtNewsOnly() throws {
        var situation = try situation(Self.broken, Self.broken)
        situation.agree(
            newest: Text(#"{"version":2,"least":1,"max":0}"#),
            app: Self.broken,
            group: Self.broken
        )
        let plan = try situation.planned()
        #expect(!plan.isHold && plan.change == nil)
    }

    @Test("two valid edits that violate the schema together are a conflict, not a hold")
    func settlesAMergeThatBreaks() throws {
        let app = Text(#"{"min":5,"max":9}"#, version: 1)
        let group = Text(#"{"min":1,"max":8}"#, version: 1)
        let plan = try situation(app, group).planned()
        #expect(plan.change?.action == .conflict, "\(plan.summary)")
        #expect(
            plan.change?.reason == .done(.unmerged(.breaksSchema))
        )
        #expect(plan.written(to: .group) == app.text && plan.conflictCopies == [group.bytes])
    }

    @Test("a translation that violates its schema is held, and the version is named")
    func holdsWhatTheOtherVersionRefuses() throws {
        var situation = try situation(Text(#"{"min":1,"max":100}"#, version: 1), nil)
        situation.base = nil
        situation.pinned = BothSides(app: nil, group: 2)
        let plan = try situation.planned()
        #expect(plan.writesNothing && plan.change?.from == .app, "\(plan.summary)")
        #expect(
            plan.change?.reason.text
                == "app: in version 2 it would violate its schema at 1:30: `/max` is 100, above 99"
                + " (/properties/max/maximum)"
        )
    }

    @Test("an app's own error document is valid")
    func carriesErrors() throws {
        let text = """
            {"spent":0,"limit":0,"month":"","isDarkMode":false,"lastUpdated":"2026-01-18T14:30:00.000Z",\
            "groupId":"","hasError":true,"errorMessage":"Errore di rete"}
            """
        let rule = try #require(Profile.builtIn("budget")).rule(for: "budget.json")
        let plan = try Situation(rule: rule, app: Text(text, version: 1), group: nil).planned()
        #expect(plan.change?.action == .create, "\(plan.summary)")
        #expect(plan.written(to: .group)?.contains(#""hasError":true"#) == true)
    }
}
