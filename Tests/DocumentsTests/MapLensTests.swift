import Documents
import Testing

@Suite struct MapLensTests {
    private func rule(_ lens: String) throws -> DocumentRule { try LensGenerator.rule([["{\(lens)}"]]) }

    private static let priorities =
        "map: {field: p, values: [{old: 0, new: high}, {old: [1, 2, null], new: low}], "
        + "default: {old: 9, new: none}}"

    private func migrate(_ value: String, up: Bool = true, _ lens: String = priorities) throws -> Migration {
        let text = up ? #"{"p":\#(value)}"# : #"{"version":2,"p":\#(value)}"#
        return try rule(lens).migration(of: JSON(text), from: up ? 1 : 2, to: up ? 2 : 1)
    }

    @Test(
        arguments: [
            ("0", #""high""#, nil), ("0.0", #""high""#, nil), ("1", #""low""#, nil),
            ("2", #""low""#, #"becomes "low", like other values"#),
            ("null", #""low""#, #"becomes "low", like other values"#),
            ("7", #""none""#, #"is not listed in the profile, and becomes "none""#),
            (#"{"a":1}"#, #""none""#, #"is not listed in the profile, and becomes "none""#),
        ] as [(String, String, String?)]
    )
    func `Several values become one, and the loss names it`(old: String, new: String, loss: String?) throws {
        let migration = try migrate(old)
        #expect(migration.document.string == #"{"version":2,"p":\#(new)}"#)
        #expect(migration.losses.first?.reason.text == loss)
        #expect(migration.losses.allSatisfy { $0.pointer == "/p" })
    }

    @Test(
        arguments: [
            (#""high""#, "0", nil), (#""low""#, "1", nil),
            (#""other""#, "9", "is not listed in the profile, and becomes 9"),
        ] as [(String, String, String?)]
    )
    func `The way back writes the first listed value, or the default`(new: String, old: String, loss: String?)
        throws
    {
        let migration = try migrate(new, up: false)
        #expect(migration.document.string == #"{"p":\#(old)}"#)
        #expect(migration.losses.first?.reason.text == loss)
    }

    @Test(arguments: ["2", "null", "7", #"{"a":[1.0]}"#])
    func `A merged value is restored from the base`(old: String) throws {
        let rule = try rule(Self.priorities)
        let v1 = try JSON(#"{"p":\#(old),"x":1}"#)
        let v2 = try rule.translate(v1, from: 1, to: 2, agreed: nil)
        let edited = try JSON(v2.string.replacing("\"x\":1", with: "\"x\":2"))
        #expect(
            try rule.translate(edited, from: 2, to: 1, agreed: (v2, v1)).string
                == v1.string.replacing("\"x\":1", with: "\"x\":2")
        )
        let changed = try JSON(#"{"version":2,"p":"high","x":1}"#)
        #expect(try rule.translate(changed, from: 2, to: 1, agreed: (v2, v1)).string == #"{"p":0,"x":1}"#)
    }

    @Test(arguments: ["0", "1", "2", "null", "7"])
    func `Up, down and up again gives the same`(old: String) throws {
        let rule = try rule(Self.priorities)
        let up = try migrate(old).document
        let down = try rule.translate(up, from: 2, to: 1, agreed: nil)
        #expect(try rule.translate(down, from: 1, to: 2, agreed: nil).bytes == up.bytes)
    }

    @Test(arguments: [
        ("values: [{old: 1, new: a}, {old: 2, new: a}]", "each value may be listed once per side"),
        ("values: [{old: [1, 1.0], new: a}]", "each value may be listed once per side"),
        (
            "values: [{old: [1, 2], new: [a, b]}]",
            "a pair may have several values on one side only"
        ),
        ("values: [{old: [], new: a}]", "the list has no values"),
        ("values: [{old: 1}]", "`old` and `new` are required"),
    ])
    func `A map that is not invertible is refused`(values: String, words: String) {
        #expect { try rule("map: {field: p, \(values)}") } throws: {
            ($0 as? ProfileError)?.reason.text == words
        }
    }

    // MARK: Null and missing

    @Test(arguments: [
        ("value: null", #"{"p":null}"#, #"{"version":2}"#),
        ("value: null", #"{"p":1}"#, #"{"version":2,"p":1}"#),
        (#"value: """#, #"{"p":""}"#, #"{"version":2}"#),
        ("value: {a: [1]}", #"{"p":{"a":[1.0]}}"#, #"{"version":2}"#),
    ])
    func `A field with an omitted value is removed, and restored`(lens: String, v1: String, v2: String) throws
    {
        let rule = try rule("omit: {field: p, \(lens)}")
        let migration = try rule.migration(of: JSON(v1), from: 1, to: 2)
        #expect(migration.document.string == v2 && migration.losses == [])
        #expect(migration.lenses.first?.words.hasPrefix("omit `p` where it is ") == true)
        #expect(try rule.translate(migration.document, from: 2, to: 1, agreed: nil).isEqual(to: JSON(v1)))
    }

    @Test func `A field that was missing is a loss of omit`() throws {
        let rule = try rule("omit: {field: p, value: null}")
        let migration = try rule.migration(of: JSON(#"{"x":1}"#), from: 1, to: 2)
        #expect(migration.losses == [Loss(pointer: "/p", reason: .added)])
        let v1 = try JSON(#"{"x":1}"#)
        let edited = try JSON(#"{"version":2,"x":2}"#)
        #expect(
            try rule.translate(edited, from: 2, to: 1, agreed: (migration.document, v1)).string == #"{"x":2}"#
        )
    }

    @Test func `The newer schema need not allow the omitted value`() throws {
        func read(_ newer: String) throws {
            _ = try Profile(
                yaml: "profile: p\ndocuments: {d.json: {version: {field: v, missing: 1}, versions: {"
                    + "1: {schema: {properties: {p: {type: [string, \"null\"]}}}}, 2: {schema: \(newer), "
                    + "lenses: [omit: {field: p, value: null}]}}}}\n",
                file: "p"
            )
        }
        try read("{properties: {p: {type: string}}}")
        #expect(throws: ProfileError.self) { try read("{properties: {p: {type: number}}}") }
    }
}
