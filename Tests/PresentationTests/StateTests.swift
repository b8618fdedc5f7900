import Documents
import Testing

@testable import Presentation

@Suite("The state of a document") struct StateTests {
    /// 2026-01-18T12:00:00Z.
    private static let noon: Int64 = 1_768_737_600_000

    private func rule(_ keys: String) throws -> DocumentRule {
        let yaml = """
            profile: p
            documents:
              d.json:
                \(keys)
            """
        return try Profile(yaml: yaml, file: "p.yaml").documents[0]
    }

    private func shown(_ document: String?, _ keys: String, now: Int64 = noon) throws -> Shown {
        let rule = try rule(keys)
        let setting = WidgetSetting(locale: "it_IT", zone: .utc, now: now)
        let bytes = document.map { Array($0.utf8) }
        let found = ShownDocument(of: bytes, rule, saved: Self.noon - 60_000, in: setting)
        return Shown(of: found, in: rule.kinds[0], setting)
    }

    private let keys = """
        {stale: {after: 1 h}, values: {message: error}, states: [
            {state: error, when: failed, text: '{message, select, null {Sconosciuto} other {{message}}}'},
            {state: nodata, when: 'length(rows) == `0`', text: Vuoto},
            {state: fresh, when: 'length(rows) == `3`', text: Tutto fatto},
            {state: stale, text: Vecchio}]}
        """

    @Test func `is the first one whose condition holds`() throws {
        let failed = try shown(#"{"failed":true,"error":"Rete","rows":[]}"#, keys)
        #expect(failed.state == .error && failed.text == "Rete" && failed.document == nil)
        #expect(try shown(#"{"failed":true,"rows":[1]}"#, keys).text == "Sconosciuto")
        let empty = try shown(#"{"rows":[]}"#, keys)
        #expect(empty.state == .noData && empty.text == "Vuoto")
        let full = try shown(#"{"rows":[1,2,3]}"#, keys)
        #expect(full.state == .fresh && full.text == "Tutto fatto" && full.document != nil)
        let plain = try shown(#"{"rows":[1]}"#, keys)
        #expect(plain.state == .fresh && plain.text == nil)
    }

    @Test func `has a text also where a value of it cannot be computed`() throws {
        let keys = "{values: {n: 'sum(rows)'}, states: [{state: error, when: failed, text: 'E {n}'}]}"
        #expect(try shown(#"{"failed":true,"rows":["a"]}"#, keys).text == "E ")
        #expect(try shown(#"{"failed":true,"rows":[1]}"#, keys).text == "E 1")
    }

    @Test func `is stale by age where no earlier one holds`() throws {
        let later = Self.noon + 3_600_000
        #expect(try shown(#"{"rows":[1]}"#, keys).changesAt == Self.noon - 60_000 + 3_600_000)
        let old = try shown(#"{"rows":[1]}"#, keys, now: later)
        #expect(old.state == .stale && old.text == "Vecchio" && old.changesAt == nil)
        #expect(try shown(#"{"rows":[1,2,3]}"#, keys, now: later).state == .fresh)
    }

    @Test func `has the text of nodata where there is no document`() throws {
        #expect(try shown(nil, keys).text == "Vuoto")
        #expect(
            try shown(nil, "{states: [{state: nodata, when: a, text: A}, {state: nodata, text: B}]}").text
                == "B"
        )
        #expect(try shown(nil, "{}").text == "no data")
    }

    @Test func `may change by time`() throws {
        let keys = "{states: [{state: fresh, when: 'days_until(due) < `0`', text: Scaduto}]}"
        let before = try shown(#"{"due":"2026-01-18"}"#, keys)
        #expect(before.text == nil && before.changesAt == 1_768_780_800_000)
        let after = try shown(#"{"due":"2026-01-18"}"#, keys, now: 1_768_780_800_000)
        #expect(after.text == "Scaduto")
    }

    @Test func `is an error where a condition has no value`() throws {
        let wrong = try shown(#"{"rows":1}"#, keys)
        #expect(wrong.state == .error && wrong.text?.contains("states 2") == true)
    }

    @Test(arguments: [
        ("{states: [{state: wrong, when: a}]}", "expected one of"), ("{states: [{when: a}]}", "`state`"),
        ("{states: [{state: error, text: x}]}", "`when`"), ("{states: [{state: fresh, text: x}]}", "`when`"),
        ("{states: [{state: error, when: '$limit'}]}", "of one widget"),
        ("{states: [{state: error, when: a}, {state: nodata, when: a}]}", "stands before it"),
        ("{states: [{state: error, when: a, text: '{b}'}]}", "no value `b`"),
        ("{states: [], errors: {}}", "older form"), ("{states: [{state: error, when: 'a ='}]}", "expression"),
    ])
    func `that is wrong is refused with its line`(_ keys: String, _ words: String) {
        #expect {
            _ = try rule(keys)
        } throws: {
            guard let error = $0 as? ProfileError else { return false }
            return error.line == 4 && error.reason.text.contains(words)
        }
    }

    @Test func `of the older form has a schema as its condition`() throws {
        let keys = "{errors: {noData: {text: '{none}', when: {properties: {a: {const: 0}}, required: [a]}}}}"
        let empty = try shown(#"{"a":0}"#, keys)
        #expect(empty.state == .noData && empty.text == "{none}")
        #expect(try shown(#"{"a":1}"#, keys).state == .fresh)
    }
}
