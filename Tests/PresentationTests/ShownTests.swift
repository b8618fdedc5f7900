import Documents
import Testing

@testable import Presentation

@Suite("What a widget shows") struct ShownTests {
    private static let noon: Int64 = 1_768_737_600_000  // 2026-01-18T12:00:00Z

    private func rule(_ kind: String) throws -> DocumentRule {
        let yaml = """
            profile: p
            locale: it_IT
            timeZone: {name: Europe/Rome, rule: "CET-1CEST,M3.5.0,M10.5.0/3"}
            documents:
              bills.json:
                version: {field: v}
                versions:
                  1:
                    schema:
                      type: object
                      properties:
                        v: {type: integer}
                        spent: {type: number}
                        limit: {type: number}
                        bills: {type: array, items: {type: object, properties: {name: {}, due: {}, paid: {}}}}
                kinds:
                  K: \(kind)
            """
        return try Profile(yaml: yaml, file: "p.yaml").documents[0]
    }

    private func shown(
        _ document: String,
        _ kind: String,
        family: String? = nil,
        locale: String? = "it_IT",
        now: Int64 = noon
    ) throws -> Shown {
        let rule = try rule(kind)
        let zone = JSONExpression.Zone(name: "Europe/Rome", rules: try #require(rule.zone))
        let setting = WidgetSetting(locale: locale, zone: zone, now: now).with(
            rule.kinds[0].families.first { $0.name == family }
        )
        let found = ShownDocument(of: Array(document.utf8), rule, saved: now, in: setting)
        return Shown(of: found, in: rule.kinds[0], setting)
    }

    private let bills = """
        {"v":1,"spent":12.50,"limit":50,"bills":[{"name":"Gas","due":"2026-01-20","paid":false},\
        {"name":"Rent","due":"2026-01-19","paid":false},{"name":"Water","due":"2026-01-18","paid":true}]}
        """

    @Test func `are values, texts of them, and nothing that they leave out`() throws {
        let kind = """
            {values: {spent: spent, percent: 'percent(spent, limit)'}, \
            texts: {amount: {it: '{spent, money, EUR} speso', en: '{spent, money, EUR} spent'}}}
            """
        let italian = try shown(bills, kind)
        #expect(italian.values.values.map(\.name) == ["spent", "percent"])
        #expect(
            italian.values.values.map { String(decoding: $0.value.bytes, as: UTF8.self) } == ["12.50", "25"]
        )
        #expect(italian.texts.map { $0.text.replacing("\u{A0}", with: " ") } == ["12,50 € speso"])
        #expect(try shown(bills, kind, locale: "en_GB").texts.map(\.text) == ["€12.50 spent"])
        #expect(try shown(bills, kind, locale: "fr_FR").texts.first?.text.hasSuffix("speso") == true)
        #expect(italian.changesAt == nil && italian.state == .fresh)
    }

    @Test(arguments: [
        ("pt_PT", "pt"), ("pt-BR", "pt_BR"), ("pt", "pt"), ("zh_TW", "zh_Hant"), ("zh-Hant-HK", "zh_Hant"),
        ("zh_CN", "zh_Hans"), ("IT", "it"), ("it_CH", "it"), ("en_GB", "en_US"), ("fr", "en_US"),
        ("", "en_US"),
    ])
    func `are in the language of the locale, or in the nearest that there is`(
        _ locale: String,
        _ expected: String
    ) throws {
        let names = ["en_US", "it", "pt_BR", "pt", "zh_Hans", "zh_Hant"]
        let texts = names.map { "\($0): \($0)" }.joined(separator: ", ")
        let shown = try shown(bills, "{texts: {t: {\(texts)}}}", locale: locale)
        #expect(shown.texts.map(\.text) == [expected])
    }

    @Test func `are the rows that its family has room for`() throws {
        let kind = """
            {families: {systemSmall: 1, systemLarge: all}, \
            rows: 'sort_by(bills[?!paid], &due)[].{name: name, days: days_until(due)}'}
            """
        let small = try shown(bills, kind, family: "systemSmall")
        #expect(
            small.values.rows?.map { String(decoding: $0.bytes, as: UTF8.self) } == [
                #"{"name":"Rent","days":1}"#
            ]
        )
        #expect(small.values.more == 1)
        let large = try shown(bills, kind, family: "systemLarge")
        #expect(large.values.rows?.count == 2 && large.values.more == 0)
        // At midnight in Rome a bill is a day nearer.
        #expect(small.changesAt == 1_768_777_200_000)
        #expect(try shown(#"{"v":1}"#, "{rows: bills}").values.rows == [])
    }

    @Test func `is an error with its place where an expression has no value`() throws {
        let kind = "{values: {a: spent, b: 'abs(bills)'}}"
        let wrong = try shown(#"{"v":1,"bills":[]}"#, kind)
        #expect(wrong.values.fault?.name == "b" && wrong.values.fault?.error.column == 1)
        #expect(wrong.text?.contains("`b`") == true)
        let list = try shown(bills, "{rows: spent}")
        #expect(list.values.fault?.name == "rows")
    }

    @Test func `is equal for equal values, however they are written`() throws {
        let kind = "{values: {a: spent}, rows: bills}"
        let one = try shown(#"{"v":1,"spent":1.0,"bills":[{"name":"a","paid":true}]}"#, kind).values
        let other = try shown(#"{"v":1, "spent":1, "bills":[{"paid":true,"name":"\u0061"}]}"#, kind).values
        #expect(one.canonicalBytes == other.canonicalBytes)
        let third = try shown(#"{"v":1,"spent":1.5,"bills":[]}"#, kind).values
        #expect(one.canonicalBytes != third.canonicalBytes)
    }

    @Test(arguments: [
        ("{values: {a: spend}}", "`spend`", 1), ("{values: {a: spent.b}}", "`b`", 7),
        ("{rows: 'bills[?paid].amount'}", "`amount`", 14), ("{rows: 'sort_by(bills, &dew)'}", "`dew`", 17),
        ("{rows: 'bills[].{n: name} | [?m]'}", "`m`", 23), ("{rows: 'let $b = bills in $b[*].x'}", "`x`", 25),
        ("{rows: 'reverse(bills || `[]`)[].nam'}", "`nam`", 26),
    ])
    func `An expression whose field no document has is refused with its column`(
        _ kind: String,
        _ words: String,
        _ column: Int
    ) {
        #expect {
            _ = try rule(kind)
        } throws: {
            guard let error = $0 as? ProfileError, case .expression(let fault) = error.reason else {
                return false
            }
            return error.line == 17 && fault.column == column && fault.text.contains(words)
        }
    }

    @Test(arguments: [
        "{values: {a: 'merge(@, bills[0]).anything'}}", "{values: {a: '$limit'}}",
        "{rows: 'map(&name, bills)'}",
        "{values: {a: 'to_string(v)', b: 'bills[-1].name'}}", "{rows: 'bills[*].{n: name}[?n]'}",
    ])
    func `An expression of which too little is known is taken as it is`(_ kind: String) throws {
        _ = try rule(kind)
    }

    @Test(arguments: [
        ("{values: {a: 'spent +'}}", "expression"), ("{values: {a b: spent}}", "name"),
        ("{values: {a: 'nothing(spent)'}}", "unknown function"), ("{values: {a: $nobody}}", "$nobody"),
        ("{texts: {a: '{spent}'}}", "no value `spent`"), ("{values: {a: spent}, texts: {t: '{a'}}", "brace"),
        ("{rows: 'bills[].{n: name}', rowTexts: {t: '{name}'}}", "no value `name`"),
        ("{values: {a: spent}, shows: [/spent]}", "remove `shows`"),
        ("{rows: bills, ignore: [/v]}", "remove `ignore`"),
        ("{values: {a: spent}, texts: {t: {}}}", "expected text"),
    ])
    func `A profile that is wrong is refused with the line`(_ kind: String, _ words: String) {
        #expect {
            _ = try rule(kind)
        } throws: {
            guard let error = $0 as? ProfileError else { return false }
            return error.line == 17 && error.reason.text.contains(words)
        }
    }
}
