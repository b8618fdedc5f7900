import Documents
import Testing

@testable import Presentation

/// Lines are those of the app's own document.
@Suite("The widget of the budget app") struct BudgetTests {
    private static let saved: Int64 = 1_768_746_600_000  // 2026-01-18T14:30:00Z

    private func shown(
        _ fields: String,
        after minutes: Int64 = 0,
        updated: String = "2026-01-18T14:30:00.000Z"
    )
        throws -> Shown
    {
        let profile = try #require(Profile.builtIn("budget"))
        let rule = profile.documents[0]
        let zone = try #require(profile.timeZone)
        let setting = WidgetSetting(
            locale: profile.locale,
            zone: JSONExpression.Zone(name: zone.name, rules: zone.rules),
            now: Self.saved + minutes * 60_000
        )
        let document = """
            {"spent":450.75,"limit":800.00,"month":"Gennaio 2026","isDarkMode":false,"lastUpdated":"\(updated)",\
            "groupId":"550e8400-e29b-41d4-a716-446655440000"\(fields)}
            """
        let found = ShownDocument(of: Array(document.utf8), rule, saved: Self.saved, in: setting)
        return Shown(of: found, in: rule.kinds[0], setting)
    }

    private func value(_ name: String, of shown: Shown) -> String? {
        shown.values.values.first { $0.name == name }.map { String(decoding: $0.value.bytes, as: UTF8.self) }
    }

    @Test(arguments: [
        (0, "Aggiornato ora"), (1, "Aggiornato 1 min fa"), (59, "Aggiornato 59 min fa"),
        (60, "Aggiornato 1 ore fa"), (1439, "Aggiornato 23 ore fa"), (1440, "Agg. 18/01 15:30"),
    ])
    func `says how old its data is (lines 341 to 395)`(_ minutes: Int64, _ text: String) throws {
        #expect(try shown("", after: minutes).texts.map(\.text) == [text])
    }

    @Test func `says so where it was never updated (line 356)`() throws {
        #expect(try shown("", updated: "1970-01-01T00:00:00.000Z").texts.map(\.text) == ["Mai aggiornato"])
    }

    @Test func `is stale after 24 hours, and shows its data (lines 314 to 336)`() throws {
        #expect(try shown("", after: 1439).state == .fresh)
        let old = try shown("", after: 1440)
        #expect(
            old.state == .stale && old.text == "Dati non aggiornati" && value("spent", of: old) == "450.75"
        )
    }

    @Test func `shows the app's message of an error, or its own (lines 586 to 622)`() throws {
        let network = try shown(#","hasError":true,"errorMessage":"Network timeout""#)
        #expect(network.state == .error && network.text == "Network timeout")
        #expect(try shown(#","hasError":true"#).text == "Errore sconosciuto")
        #expect(try shown(#","hasError":false,"errorMessage":"""#).state == .fresh)
    }

    @Test func `computes the percentage from what was spent (line 49)`() throws {
        let shown = try shown(#","percentage":12"#)
        #expect(value("percentage", of: shown) == "56.34375" && value("level", of: shown) == #""ok""#)
        #expect(value("currency", of: shown) == #""€""#)
    }
}
