import Documents
import Testing

@Suite struct ListLensTests {
    private func rule(_ lens: String) throws -> DocumentRule { try LensGenerator.rule([["{\(lens)}"]]) }

    private static let values = "convert: {field: a, from: value, to: list}"
    private static let texts = #"convert: {field: a, from: text, to: list, by: ", "}"#
    private static let table = "convert: {field: a, from: list, to: table, id: id}"
    private static let ordered = "convert: {field: a, from: list, to: table, id: id, order: at}"
    private static let names = #"split: {field: a, into: [first, last], by: " "}"#

    /// Lens, version 1, version 2, losses of the way up.
    @Test(arguments: [
        (values, #"{"a":1}"#, #""a":[1]"#, []), (values, #"{"a":{"x":1.0}}"#, #""a":[{"x":1.0}]"#, []),
        (values, #"{"a":null}"#, #""a":null"#, []), (values, #"{"b":1}"#, #""b":1"#, []),
        (values, #"{"a":[1]}"#, #""a":[1]"#, ["/a"]),
        (texts, #"{"a":"x, y, z"}"#, #""a":["x","y","z"]"#, []), (texts, #"{"a":"x"}"#, #""a":["x"]"#, []),
        (texts, #"{"a":""}"#, #""a":[]"#, []), (texts, #"{"a":", x,y"}"#, #""a":["","x,y"]"#, []),
        (texts, #"{"a":null}"#, #""a":null"#, []),
        (
            table, #"{"a":[{"id":"x","n":1},{"n":2,"id":"y"}]}"#,
            #""a":{"x":{"id":"x","n":1},"y":{"n":2,"id":"y"}}"#, []
        ),
        (table, #"{"a":[{"id":7},{"id":1.50}]}"#, #""a":{"7":{"id":7},"1.50":{"id":1.50}}"#, []),
        (table, #"{"a":[]}"#, #""a":{}"#, []), (table, #"{"a":null}"#, #""a":null"#, []),
        (
            ordered, #"{"a":[{"id":"y"},{"id":"x"}]}"#, #""a":{"y":{"id":"y","at":0},"x":{"id":"x","at":1}}"#,
            []
        ),
        (
            names, #"{"x":0,"a":"Ada King Lovelace","y":1}"#,
            #""x":0,"first":"Ada","last":"King Lovelace","y":1"#, []
        ),
        (names, #"{"a":"Ada"}"#, #""first":"Ada""#, []), (names, #"{"a":""}"#, #""first":"""#, []),
        (names, #"{"a":null,"x":0}"#, #""x":0"#, ["/a"]), (names, #"{"x":0}"#, #""x":0"#, []),
        (#"split: {field: a, into: [a, b], by: "-"}"#, #"{"a":"1-2"}"#, #""a":"1","b":"2""#, []),
    ])
    func `A value becomes a list, a text its parts, a list a table, and back`(
        lens: String,
        v1: String,
        v2: String,
        losses: [String]
    ) throws {
        let rule = try rule(lens)
        let document = try JSON(v1)
        let migration = try rule.migration(of: document, from: 1, to: 2)
        #expect(migration.document.string == "{\"version\":2,\(v2)}")
        #expect(migration.losses.map(\.pointer) == losses)
        let back = try rule.translate(migration.document, from: 2, to: 1, agreed: nil)
        #expect(back.bytes == document.bytes || !losses.isEmpty)
        let again = try rule.translate(back, from: 1, to: 2, agreed: nil)
        #expect(again.bytes == migration.document.bytes)
    }

    /// Lens, version 2, version 1, losses of the way down.
    @Test(arguments: [
        (values, #""a":[1,2,3]"#, #"{"a":1}"#, ["/a/1", "/a/1"]), (values, #""a":[]"#, "{}", ["/a"]),
        (texts, #""a":["x, y"]"#, #"{"a":"x, y"}"#, ["/a"]), (texts, #""a":[""]"#, #"{"a":""}"#, ["/a"]),
        (table, #""a":{"x":{"n":1}}"#, #"{"a":[{"id":"x","n":1}]}"#, ["/a/x/id"]),
        (table, #""a":{"x":{"id":"y"}}"#, #"{"a":[{"id":"y"}]}"#, ["/a/x", "/a/y"]),
        (
            ordered,
            #""a":{"x":{"id":"x","at":2},"y":{"id":"y","at":10},"z":{"id":"z"},"w":{"id":"w","at":1.5}}"#,
            #"{"a":[{"id":"w"},{"id":"x"},{"id":"y"},{"id":"z"}]}"#,
            ["/a/x/at", "/a/y/at", "/a/w/at", "/a/z/at"]
        ),
        (names, #""first":"Ada King","last":"L""#, #"{"a":"Ada King L"}"#, ["/first", "/last"]),
        (names, #""last":"L""#, #"{"a":" L"}"#, ["/first"]), (names, #""x":1"#, #"{"x":1}"#, []),
    ])
    func `Values that the older version cannot represent are reported`(
        lens: String,
        v2: String,
        v1: String,
        losses: [String]
    ) throws {
        let migration = try rule(lens).migration(of: JSON("{\"version\":2,\(v2)}"), from: 2, to: 1)
        #expect(migration.document.string == v1)
        #expect(Set(migration.losses.map(\.pointer)) == Set(losses))
    }

    @Test(arguments: [
        (values, #""a":{}"#, #""a":1"#, "expected an array at `/a`, found `1`"),
        (texts, #""a":7"#, #""a":["x",7]"#, "expected a string at `/a/1`, found `7`"),
        (table, #""a":[{"id":1},{"id":1}]"#, #""a":7"#, "expected a table at `/a`, found `7`"),
        (table, #""a":[{}]"#, #""a":{"x":1}"#, "expected an object at `/a/x`, found `1`"),
        (table, #""a":[7]"#, #""a":[]"#, "expected a table at `/a`, found an array"),
        (table, #""a":[{"id":true}]"#, #""a":"""#, "expected a table at `/a`, found `\"\"`"),
        (ordered, #""a":[{"id":1,"at":0}]"#, #""a":1"#, "expected a table at `/a`, found `1`"),
        (names, #""a":7"#, #""first":7"#, "expected a string at `/first`, found `7`"),
        (names, #""a":"x y","last":1"#, #""first":"x","a":1"#, "expected no field (the migration adds it)"),
    ])
    func `A value that a lens cannot convert is reported with its pointer`(
        lens: String,
        old: String,
        new: String,
        words: String
    ) throws {
        let rule = try rule(lens)
        if lens != Self.values {
            #expect(throws: DocumentError.self) {
                try rule.translate(JSON("{\(old)}"), from: 1, to: 2, agreed: nil)
            }
        }
        #expect {
            try rule.translate(JSON("{\"version\":2,\(new)}"), from: 2, to: 1, agreed: nil)
        } throws: {
            let reason = ($0 as? DocumentError)?.reason ?? "\($0)"
            if !reason.contains(words) { Issue.record("\(reason)") }
            return true
        }
    }

    @Test func `An edit of a row reaches its element, and other values stay`() throws {
        let rule = try rule(Self.ordered)
        let v1 = try JSON(#"{"a":[{"id":1,"n":"a"},{"id":2,"n":"b"}]}"#)
        let v2 = try JSON(#"{"version":2,"a":{"1":{"id":1,"n":"a","at":5},"2":{"id":2,"n":"b","at":9}}}"#)
        let edited = try JSON(v2.string.replacing("\"b\"", with: "\"c\""))
        #expect(
            try rule.translate(edited, from: 2, to: 1, agreed: (v2, v1)).string
                == v1.string.replacing("\"b\"", with: "\"c\"")
        )
        let added = try JSON(#"{"a":[{"id":1,"n":"a"},{"id":2,"n":"d"},{"id":3,"n":"e"}]}"#)
        #expect(
            try rule.translate(added, from: 1, to: 2, agreed: (v1, v2)).string
                == #"{"version":2,"a":{"1":{"id":1,"n":"a","at":5},"2":{"id":2,"n":"d","at":9},"#
                + #""3":{"id":3,"n":"e","at":10}}}"#
        )
    }

    /// In reverse, each lens gives what it took.
    @Test(arguments: [
        ("convert: {field: a, from: list, to: value}", #"{"a":[1]}"#, #""a":1"#),
        (#"convert: {field: a, from: list, to: text, by: "/"}"#, #"{"a":["x","y"]}"#, #""a":"x/y""#),
        (
            "convert: {field: a, from: table, to: list, id: id}", #"{"a":{"x":{"id":"x"}}}"#,
            #""a":[{"id":"x"}]"#
        ),
        (#"join: {fields: [s, t], into: a, by: ", "}"#, #"{"s":"x","t":"y"}"#, #""a":"x, y""#),
    ])
    func `Each lens also works in reverse`(lens: String, v1: String, v2: String) throws {
        let rule = try rule(lens)
        let migration = try rule.migration(of: JSON(v1), from: 1, to: 2)
        #expect(migration.document.string == "{\"version\":2,\(v2)}" && migration.losses == [])
        #expect(try rule.translate(migration.document, from: 2, to: 1, agreed: nil).string == v1)
    }

    /// Lens, schema of `a` in version 1, schema of version 2, fault.
    @Test(
        arguments: [
            (values, "a: {type: string}", "a: {type: array, items: {type: string}}", nil),
            (
                values, "a: {type: string}", "a: {type: array, items: {type: number}}",
                "`/a/*` would be `string`"
            ),
            (texts, "a: {type: string}", "a: {type: array, items: {type: string}}", nil),
            (texts, "a: {type: number}", "a: {}", "converts `a` from `string`, but it is `number`"),
            (
                table, "a: {items: {properties: {id: {type: string}}}}",
                "a: {additionalProperties: {properties: {id: {type: string}}}}", nil
            ),
            (
                table, "a: {items: {properties: {n: {}}}}", "a: {}",
                "names the field `id`, which does not exist"
            ),
            (table, "a: {type: string}", "a: {}", "expects an array at `/a`, but finds `string`"),
            (names, "a: {type: string}", "first: {type: string}, last: {type: string}", nil),
            (
                names, "a: {type: string}", "first: {type: string}",
                "`/last` is not a field of the newer version"
            ),
            (
                #"join: {fields: [s, t], into: a, by: ", "}"#, "s: {type: string}, t: {type: string}",
                "a: {type: string}", nil
            ),
            (
                "convert: {field: a, from: table, to: list, id: id}",
                "a: {additionalProperties: {properties: {id: {}}}}", "a: {items: {properties: {id: {}}}}", nil
            ),
        ] as [(String, String, String, String?)]
    )
    func `A profile whose list lens does not match its schemas is refused`(
        lens: String,
        v1: String,
        v2: String,
        fault: String?
    ) throws {
        func read() throws {
            _ = try Profile(
                yaml: "profile: p\ndocuments: {d.json: {version: {field: v, missing: 1}, versions: {"
                    + "1: {schema: {properties: {\(v1)}}}, 2: {schema: {properties: {\(v2)}}, "
                    + "lenses: [\(lens)]}}}}\n",
                file: "p"
            )
        }
        guard let fault else { return try read() }
        #expect {
            try read()
        } throws: {
            let text = ($0 as? ProfileError)?.reason.text ?? "\($0)"
            if !text.contains(fault) { Issue.record("\(text)") }
            return true
        }
    }

    @Test(arguments: [
        ("convert: {field: a, from: text, to: list}", "`by`, the text between the parts, is missing"),
        (#"split: {field: a, into: [x, y], by: ""}"#, "`by`, the text between the parts, is missing"),
        ("split: {field: a, into: [x], by: x}", "expected at least two fields with different names"),
        (
            "split: {field: a, into: [x, x], by: x}",
            "expected at least two fields with different names"
        ),
        ("split: {field: a, by: x}", "`field`, `into` and `by` are required"),
        ("join: {fields: [x, y], by: x}", "`fields`, `into` and `by` are required"),
        ("convert: {field: a, from: list, to: table}", "`id`, which identifies the elements, is missing"),
        ("convert: {from: value, to: list}", "`field`, `from` and `to` are required"),
    ])
    func `An incomplete list lens is refused`(lens: String, words: String) {
        #expect { try rule(lens) } throws: { ($0 as? ProfileError)?.reason.text == words }
    }
}
