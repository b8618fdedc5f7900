import Documents
import Testing

/// Keywords of JSON Schema 2020-12, as in the standard.
@Suite("Keywords of schemas")
struct SchemaKeywordTests {
    /// Schema, matching documents, and others.
    @Test(
        "a keyword has the meaning of the standard",
        arguments: [
            (
                #"{"minProperties":1,"maxProperties":2}"#, [#"{"a":1}"#, #"{"a":1,"b":2}"#, "[]", "1"],
                ["{}", #"{"a":1,"b":2,"c":3}"#]
            ),
            // A key is checked by all patterns that match it; `additionalProperties` applies only to the
            // rest.
            (
                #"{"properties":{"ab":{"minimum":5}},"patternProperties":{"a":{"type":"integer"},"^b":{"maximum":9}},"#
                    + #""additionalProperties":false}"#,
                [#"{"ab":5,"xa":1,"b":9}"#, #"{"ba":9}"#, "{}", "7"],
                [#"{"ab":4}"#, #"{"ab":5.5}"#, #"{"ba":10}"#, #"{"ba":1.5}"#, #"{"c":1}"#]
            ),
            (
                #"{"propertyNames":{"pattern":"^[a-z]+$","maxLength":3}}"#,
                [#"{"ab":{"ABCD":1}}"#, "{}", "[1]"],
                [#"{"A":1}"#, #"{"abcd":1}"#, #"{"a":1,"b1":2}"#]
            ),
            (#"{"propertyNames":{"enum":["a","é"]}}"#, [#"{"a":1,"\u00e9":2}"#], [#"{"b":1}"#]),
            (#"{"propertyNames":false}"#, ["{}"], [#"{"a":1}"#]),
            (
                #"{"contains":{"type":"integer"}}"#, ["[1]", #"["a",1,2]"#, "{}", "null"], ["[]", #"["a"]"#]
            ),
            (
                #"{"contains":{"minimum":5},"minContains":2,"maxContains":3}"#, ["[5,6]", "[5,1,6,7]"],
                ["[5]", "[5,6,7,8]", "[]"]
            ),
            (#"{"contains":{"minimum":5},"minContains":0}"#, ["[]", "[1]", "[5]"], []),
            (#"{"contains":{"minimum":5},"minContains":0,"maxContains":1}"#, ["[]", "[1,5]"], ["[5,5]"]),
            (#"{"minContains":2,"maxContains":1}"#, ["[]", "[1,2,3]"], []),
            (#"{"not":{"contains":{"const":1}}}"#, ["[]", "[2]"], ["[2,1]"]),
            (
                #"{"prefixItems":[{"type":"string"}],"items":{"type":"integer"},"contains":{"const":3}}"#,
                [#"["a",3]"#], [#"["a",2]"#, #"[3,3]"#, #"["a"]"#]
            ),
            (
                #"{"dependentRequired":{"a":["b","c"],"x":[]}}"#,
                ["{}", #"{"b":1}"#, #"{"a":1,"b":1,"c":1}"#, #"{"x":1}"#, "[]"],
                [#"{"a":1}"#, #"{"a":null,"b":1}"#]
            ),
            (
                ##"{"$ref":"#tree","$defs":{"t":{"$anchor":"tree","properties":{"l":{"$ref":"#tree"}},"required":["v"]}}}"##,
                [#"{"v":1,"l":{"v":2}}"#, "1"], [#"{"v":1,"l":{}}"#, "{}"]
            ),
            (
                ##"{"properties":{"a":{"$ref":"x.json#p"}},"$defs":{"x":{"$id":"x.json","$defs":{"p":{"$anchor":"p","type":"null"}}}}}"##,
                [#"{"a":null}"#], [#"{"a":1}"#]
            ),
            // Annotations have no effect.
            (
                #"{"title":"t","description":"d","$comment":"c","examples":[1],"default":1,"deprecated":true,"#
                    + #""readOnly":true,"writeOnly":false,"contentMediaType":"text/plain","#
                    + #""contentEncoding":"base64","x-order":{"any":[1]}}"#,
                ["1", "[]", #"{"a":"%"}"#], []
            ),
        ]
    )
    func judges(schema: String, fitting: [String], others: [String]) throws {
        let schema = try Schema(JSON(schema))
        for text in fitting { #expect(schema.violations(of: try JSON(text)).map(\.text) == [], "\(text)") }
        for text in others { #expect(!schema.violations(of: try JSON(text)).isEmpty, "\(text)") }
    }

    @Test(
        "an invalid keyword is reported with its pointer",
        arguments: [
            (#"{"minProperties":-1}"#, "/minProperties", "expected a whole number from 0"),
            (
                #"{"patternProperties":{"(":{}}}"#, "/patternProperties",
                "the pattern `(` has a group that is not closed, at 2"
            ),
            (#"{"dependentRequired":{"a":"b"}}"#, "/dependentRequired/a", "expected a list of keys"),
            (#"{"$anchor":"1a"}"#, "/$anchor", "expected a name of letters, digits, `-`, `.` and `_`"),
            (#"{"$anchor":"a","not":{"$anchor":"a"}}"#, "/not/$anchor", "another schema has this `$anchor`"),
            (##"{"$ref":"#b"}"##, "/$ref", "`#b` does not end with a JSON Pointer or an `$anchor`"),
            (#"{"x":1}"#, "/x", "the keyword `x` is not supported"),
        ]
    )
    func refuses(schema: String, pointer: String, reason: String) throws {
        #expect {
            try Schema(JSON(schema))
        } throws: {
            let error = $0 as? SchemaError
            if error?.pointer != pointer || error?.reason.text != reason { Issue.record("\($0)") }
            return true
        }
    }

    @Test("a violation names the keyword and the pointer")
    func places() throws {
        let schema = try Schema(
            JSON(
                #"{"properties":{"l":{"contains":{"const":1},"maxContains":1}},"propertyNames":{"maxLength":2}}"#
            )
        )
        #expect(
            schema.violations(of: try JSON(#"{"l":[2],"abc":1}"#)).map(\.text) == [
                "1:6: `/l` has 0 elements that match `contains`, not 1 (/properties/l/contains)",
                "1:10: `/abc` has 3 characters, more than 2 (/propertyNames/maxLength)",
            ]
        )
        #expect(schema.violations(of: try JSON(#"{"l":[1,1]}"#)).map(\.rule) == ["/properties/l/maxContains"])
    }

    // MARK: The cost of patterns

    /// A pattern of 9,800 steps and a final one, which each text costs; then texts with one and two steps
    /// more.
    private static let costly = #"{"items":{"pattern":"(ab){4900}"}}"#

    private static let costlyAndTrue = #"{"items":{"anyOf":[{"pattern":"(ab){4900}"},{}]}}"#

    private func texts(_ count: Int) -> String {
        "[" + Array(repeating: #""x""#, count: count).joined(separator: ",") + "]"
    }

    @Test("the cost of patterns is limited for the whole document")
    func countsSteps() throws {
        let schema = try Schema(JSON(Self.costly))
        let within = schema.violations(of: try JSON(texts(10_000)))
        #expect(within.count == Schema.mostViolations && !within.contains(where: \.isUndecided))
        let beyond = try #require(schema.violations(of: JSON(texts(10_300))).first)
        #expect(beyond.isUndecided && beyond.rule == "/items/pattern")
        #expect(beyond.reason == .undecided(pattern: "(ab){4900}"))
        // A long text costs little with a small pattern.
        let cheap = try Schema(JSON(#"{"pattern":"^a*$"}"#))
        #expect(cheap.violations(of: try JSON("\"\(String(repeating: "a", count: 20_000))\"")).isEmpty)
    }

    @Test(
        "a document that takes too long to check matches nothing",
        arguments: [
            "{\"not\":\(costlyAndTrue)}", "{\"anyOf\":[\(costlyAndTrue),{}]}",
            "{\"if\":\(costlyAndTrue),\"else\":{}}",
            #"{"items":{"patternProperties":{"(ab){4900}":{}}}}"#,
            #"{"items":{"propertyNames":{"pattern":"(ab){4900}"}}}"#,
        ]
    )
    func fitsNothing(schema: String) throws {
        let isOfKeys = schema.contains("ropert")
        let document = isOfKeys ? texts(10_300).replacing(#""x""#, with: #"{"x":1}"#) : texts(10_300)
        #expect(try Schema(JSON(schema)).violations(of: JSON(document)).first?.isUndecided == true)
    }

    @Test("a document that takes too long to check has no version")
    func undecidedVersion() throws {
        let rule = try rule(shape: Self.costlyAndTrue)
        #expect(rule.version(of: try JSON(texts(1))) == .known(2))
        guard case .unreadable(.undecided(let violation)) = rule.version(of: try JSON(texts(10_300))) else {
            Issue.record("it has a version")
            return
        }
        #expect(violation.isUndecided)
    }

    @Test("one value that does not match decides the version, however long the rest would take")
    func decidedVersion() throws {
        let rule = try rule(shape: Self.costly)
        #expect(rule.version(of: try JSON("[]")) == .known(2))
        #expect(rule.version(of: try JSON(texts(10_300))) == .known(1))
    }

    private func rule(shape: String) throws -> DocumentRule {
        try Profile(
            yaml: """
                profile: p
                documents:
                  d.json:
                    version: shapes
                    versions: {1: {}, 2: {when: \(shape)}}
                """,
            file: "p"
        ).rule(for: "d.json")
    }
}
