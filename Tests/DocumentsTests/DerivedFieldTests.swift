import Documents
import Testing

/// Fields of a newer version that are computed from others.
@Suite struct DerivedFieldTests {
    private func rule(_ lens: String) throws -> DocumentRule { try LensGenerator.rule([["{\(lens)}"]]) }

    private static let count =
        "add: {field: n, count: /l/*, where: {properties: {done: {const: true}}, required: [done]}}"
    private static let sum = "add: {field: n, sum: /l/*/amount}"
    private static let join = #"add: {field: n, join: [a, b], by: " "}"#

    @Test(
        arguments: [
            (count, #"{"l":[{"done":true},{"done":false},{"done":true}]}"#, "2"),
            ("add: {field: n, count: /l/*}", #"{"l":{"x":1,"y":2}}"#, "2"),
            ("add: {field: n, count: /l/*}", #"{"l":[]}"#, "0"),
            ("add: {field: n, count: /l/*}", #"{"x":0}"#, nil),
            (sum, #"{"l":[{"amount":0.1},{"amount":0.20},{"x":1},{"amount":null}]}"#, "0.30"),
            (
                sum, #"{"l":[{"amount":"12345678901234567890.01"},{"amount":"-0.01"}]}"#,
                "12345678901234567890.00"
            ),
            (sum, #"{"l":[{"amount":true}]}"#, nil),
            (join, #"{"a":"Ada","b":"Lovelace"}"#, #""Ada Lovelace""#),
            (join, #"{"a":null,"b":"L"}"#, #""L""#),
            (join, #"{"x":1}"#, nil), ("default: {field: n, count: /l/*}", #"{"l":[1]}"#, "1"),
        ] as [(String, String, String?)]
    )
    func `A field is computed from others, and removed on the way back`(
        lens: String,
        v1: String,
        value: String?
    )
        throws
    {
        let rule = try rule(lens)
        let migration = try rule.migration(of: JSON(v1), from: 1, to: 2)
        let added = value.map { ",\"n\":\($0)}" } ?? "}"
        #expect(migration.document.string == "{\"version\":2,\(v1.dropFirst().dropLast())\(added)")
        #expect(migration.losses == [])
        #expect(try rule.translate(migration.document, from: 2, to: 1, agreed: nil).string == v1)
    }

    @Test func `A value other than the computed one is lost on the way back`() throws {
        for lens in ["add: {field: n, count: /l/*}", Self.join] {
            let v2 = try JSON(#"{"version":2,"l":[1],"a":"x","n":7}"#)
            #expect(
                try rule(lens).migration(of: v2, from: 2, to: 1).losses
                    == [Loss(pointer: "/n", reason: .changed)]
            )
        }
    }

    @Test func `After a change in the older version, the field is computed again`() throws {
        let rule = try rule("add: {field: n, count: /l/*}")
        let v1 = try JSON(#"{"l":[1,2]}"#)
        let v2 = try rule.translate(v1, from: 1, to: 2, agreed: nil)
        let edited = try JSON(#"{"l":[1,2,3]}"#)
        #expect(
            try rule.translate(edited, from: 1, to: 2, agreed: (v1, v2)).string
                == #"{"version":2,"l":[1,2,3],"n":3}"#
        )
    }

    @Test(arguments: [
        ("add: {field: n}", "one of `value`, `copy`, `count`, `sum`, `join` is required: its value"),
        (
            "add: {field: n, value: 1, sum: /l/*}",
            "one of `value`, `copy`, `count`, `sum`, `join` is required: its value"
        ),
        ("add: {field: n, sum: /l/*, where: {}}", "`where` needs `count`"),
        ("add: {field: n, value: 1, by: x}", "`by` needs `join`"),
        ("add: {field: n, join: [a]}", "`by`, the text between the parts, is missing"),
        ("add: {field: n, count: /l}", "expected a pointer with `*`, such as `/tasks/*`, found `/l`"),
    ])
    func `A computed field without a source is refused`(lens: String, words: String) {
        #expect { try rule(lens) } throws: {
            let text = ($0 as? ProfileError)?.reason.text ?? "\($0)"
            if text != words { Issue.record("\(text)") }
            return true
        }
    }

    @Test(
        arguments: [
            ("add: {field: n, count: /l/*}", "n: {type: integer}", nil),
            ("add: {field: n, sum: /l/*}", "n: {type: number}", nil),
            ("add: {field: n, sum: /l/*}", "n: {type: string}", "`/n` would be `number`, not `string`"),
            ("add: {field: n, count: /x/*}", "n: {}", "names the field `x`, which does not exist"),
            ("add: {field: n, sum: /t/*}", "n: {}", "names the field `*`, but its parent is `string`"),
            (#"add: {field: n, join: [t, x], by: ""}"#, "n: {}", "names the field `x`, which does not exist"),
            (#"add: {field: n, join: [t], by: ""}"#, "n: {type: string}", nil),
        ] as [(String, String, String?)]
    )
    func `The sources of a computed field are checked against the older schema`(
        lens: String,
        newer: String,
        fault: String?
    ) throws {
        func read() throws {
            let older = "l: {items: {type: integer}}, t: {type: string}"
            _ = try Profile(
                yaml: "profile: p\ndocuments: {d.json: {version: {field: v, missing: 1}, versions: {"
                    + "1: {schema: {properties: {\(older)}}}, "
                    + "2: {schema: {properties: {\(older), \(newer)}}, lenses: [\(lens)]}}}}\n",
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
}
