import Documents
import Testing

@Suite("Lint of stores")
struct StoreLintTests {
    /// The findings about stores of two documents, on iOS in the group.
    private func findings(_ one: String, _ two: String = "", schema: String = "{}") throws -> [String] {
        let profile = try Profile(
            yaml: """
                profile: p
                documents:
                  one.json:
                    version: {field: version, missing: 1}
                    versions: {1: {schema: \(schema)}}
                    stores: {ios: {group: {\(one)}}}
                  two.json:
                    stores: {ios: {\(two.isEmpty ? "" : "group: {\(two)}")}}
                """,
            file: "p"
        )
        return profile.lint().filter { $0.rule.rawValue.hasPrefix("STORE") }.map(\.text)
    }

    @Test("finds two documents under one key, by its spelling in the file")
    func sharedKeys() throws {
        #expect(
            try findings(
                "format: flutter, file: a.plist, text: k",
                "format: plist, file: a.plist, data: flutter.k"
            )
                == ["two.json: STORE_SHARED `ios group`: `one.json` has the same key `flutter.k`"]
        )
        let others = [
            "format: plist, file: a.plist, data: other", "format: plist, file: b.plist, data: k",
        ]
        for other in others { #expect(try findings("format: plist, file: a.plist, text: k", other) == []) }
        let row = "format: sqlite, file: a.db, columns: {key: k, value: v}, text: r"
        #expect(try findings("\(row), table: t", "\(row), table: t").count == 1)
        #expect(try findings("\(row), table: t", "\(row), table: u") == [])
    }

    @Test("finds two documents in one file, also that of a document without a store")
    func sharedFiles() throws {
        #expect(
            try findings("format: json, file: two.json")
                == ["two.json: STORE_SHARED `ios group`: `one.json` is the same file `two.json`"]
        )
        #expect(
            try findings("format: json, file: a.db", "format: tinybase, file: a.db") == [
                "two.json: STORE_MISMATCH `ios group`: `a.db` is a database here, "
                    + "and a JSON file in the store of `one.json`"
            ]
        )
        let home = "format: home-widget, file: a.xml, text:"
        #expect(
            try findings("\(home) a", "\(home) b, markers: false") == [
                "two.json: STORE_MISMATCH `ios group`: `markers` of `a.xml` differ from those in the store "
                    + "of `one.json`"
            ]
        )
    }

    @Test("finds fields that the document does not have, and types that do not fit")
    func fields() throws {
        let properties = "n: {type: number}, s: {type: [string, 'null']}, t: {type: [string, integer]}"
        let schema = "{properties: {\(properties)}}"
        func found(_ field: String) throws -> [String] {
            try findings("format: plist, file: a.plist, fields: {f: {\(field)}}", schema: schema)
        }
        let place = "`ios group f`"
        #expect(
            try found("real: /x") == [
                "one.json: STORE_FIELD_UNKNOWN \(place): no version of the document has `/x`"
            ]
        )
        #expect(
            try found("integer: /n") == [
                "one.json: STORE_TYPE_UNFIT \(place): `/n` of version 1 is `number`, "
                    + "which `integer` cannot represent"
            ]
        )
        #expect(try found("bool: /s").count == 1)
        #expect(try found("dictionary: /s").count == 1)
        #expect(try found("real: /t").count == 1)
        for field in ["real: /n", "string: /s", "date: /t, from: [iso8601, milliseconds]", "dictionary: ''"] {
            #expect(try found(field) == [], "\(field)")
        }
    }
}
