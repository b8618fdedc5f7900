import Documents
import TestDocuments
import Testing

@Suite("Diffs in other forms")
struct DiffFormsTests {
    @Test(
        "a merge patch has what is removed, added and changed, by RFC 7386",
        arguments: [
            (#"{"a":"b","c":{"d":"e","f":"g"}}"#, #"{"a":"z","c":{"d":"e"}}"#, #"{"a":"z","c":{"f":null}}"#),
            (#"{"a":1}"#, #"{"a":1.0,"b":[null]}"#, #"{"b":[null]}"#), (#"{"a":1}"#, "[1]", "[1]"),
            (#"{"a":1}"#, #"{"a":null}"#, nil), (#"{}"#, #"{"a":{"b":null}}"#, nil), ("{}", "{}", "{}"),
            (#"{"a":[1]}"#, #"{"a":{"b":1}}"#, #"{"a":{"b":1}}"#), ("1", #"{"a":null}"#, nil),
        ] as [(String, String, String?)]
    )
    func mergePatch(old: String, new: String, patch: String?) throws {
        #expect(try JSON.mergePatch(from: JSON(old), to: JSON(new))?.string == patch)
    }

    @Test("indenting a document does not change its value or its numbers")
    func indents() throws {
        let json = try JSON(#"{"a":[1.0,{},[ ],{"b":"\u00e9"}],"c":1E2}"#)
        #expect(
            String(decoding: json.indented, as: UTF8.self) == """
                {
                  "a": [
                    1.0,
                    {},
                    [],
                    {
                      "b": "\\u00e9"
                    }
                  ],
                  "c": 1E2
                }

                """
        )
        for seed in 0..<200 as Range<UInt64> {
            var generator = TextGenerator(seed: seed)
            let json = try JSON(generator.document())
            #expect(try JSON(parsing: json.indented).isEqual(to: json))
        }
    }

    @Test("two documents are compared line by line, with context")
    func lines() throws {
        let diff = try TextDiff(from: JSON(Budget.v1), to: JSON(Budget.v1.replacing("800.00", with: "900")))
        let shown = diff.hunks(context: 1).map { hunk in
            hunk.map { line in
                let mark = line.kind == .same ? " " : line.kind == .gone ? "-" : "+"
                return mark + line.text
            }
        }
        #expect(
            shown == [
                [
                    "   \"spent\": 450.50,", "-  \"limit\": 800.00,", "+  \"limit\": 900,",
                    "   \"month\": \"Gennaio 2026\",",
                ]
            ]
        )
        #expect(TextDiff(from: nil, to: try JSON("1")).lines.map(\.text) == ["1"])
    }
}
