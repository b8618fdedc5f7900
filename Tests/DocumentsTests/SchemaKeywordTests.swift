import Documents
import Testing

/// Keywords of JSON Schema 2020-12, as the standard has them.
@Suite("Keywords of schemas")
struct SchemaKeywordTests {
    /// Schema, documents that fit, and such that do not.
    @Test(
        "a keyword means what the standard says",
        arguments: [
            (
                #"{"minProperties":1,"maxProperties":2}"#, [#"{"a":1}"#, #"{"a":1,"b":2}"#, "[]", "1"],
                ["{}", #"{"a":1,"b":2,"c":3}"#]
            ),
            // Those that a pattern finds anywhere in a key, every one of them; `additionalProperties` is for
            // the rest alone.
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
            // Annotations say nothing about a document.
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
        "a keyword that cannot be read is told by place",
        arguments: [
            (#"{"minProperties":-1}"#, "/minProperties", "expected a whole number from 0"),
            (
                #"{"patternProperties":{"(":{}}}"#, "/patternProperties",
                "the pattern `(` has a group that is not closed, at 2"
            ),
            (#"{"dependentRequired":{"a":"b"}}"#, "/dependentRequired/a", "expected a list of keys"),
            (#"{"$anchor":"1a"}"#, "/$anchor", "expected a name of letters, digits, `-`, `.` and `_`"),
            (#"{"$anchor":"a","not":{"$anchor":"a"}}"#, "/not/$anchor", "another schema has this `$anchor`"),
            (##"{"$ref":"#b"}"##, "/$ref", "`#b` does not end in a JSON Pointer"),
            (#"{"x":1}"#, "/x", "the keyword `x` is not supported"),
        ]
    )
    func refuses(schema: String, pointer: String, reason: String) throws {
        #expect {
            try Schema(JSON(schema))
        } throws: {
            let error = $0 as? SchemaError
            if error?.pointer != pointer || error?.reason != reason { Issue.record("\($0)") }
            return true
        }
    }

    @Test("a violation names the keyword and the place")
    func places() throws {
        let schema = try Schema(
            JSON(
                #"{"properties":{"l":{"contains":{"const":1},"maxContains":1}},"propertyNames":{"maxLength":2}}"#
            )
        )
        #expect(
            schema.violations(of: try JSON(#"{"l":[2],"abc":1}"#)).map(\.text) == [
                "1:6: `/l` has 0 elements that fit `contains`, not 1 (/properties/l/contains)",
                "1:10: `/abc` has 3 characters, more than 2 (/propertyNames/maxLength)",
            ]
        )
        #expect(schema.violations(of: try JSON(#"{"l":[1,1]}"#)).map(\.rule) == ["/properties/l/maxContains"])
    }

    // MARK: What a pattern may cost

    @Test("a document that takes too long to compare with a pattern does not fit, and says why")
    func boundsPatterns() throws {
        let letters = String(repeating: "a", count: 20_000)
        let document = try JSON("{\"x\":\"\(letters)\"}")
        // Six thousand steps at every letter, of which none leads to an end.
        let costly = #"{"pattern":"(a?){3000}b"}"#
        for schema in [
            "{\"properties\":{\"x\":\(costly)}}",
            "{\"not\":{\"properties\":{\"x\":\(costly)}}}",
            "{\"anyOf\":[{\"properties\":{\"x\":\(costly)}},{}]}",
        ] {
            let violation = try #require(Schema(JSON(schema)).violations(of: document).first)
            #expect(violation.isUndecided && violation.pointer == "/x")
            #expect(violation.reason == "takes too long to compare with the pattern `(a?){3000}b`")
        }
        let names = try Schema(JSON(#"{"patternProperties":{"(a?){3000}b":{}}}"#))
        #expect(names.violations(of: try JSON("{\"\(letters)\":1}")).first?.isUndecided == true)
        // A long text costs a cheap pattern little.
        let cheap = try Schema(JSON(#"{"properties":{"x":{"pattern":"^a*$"}}}"#))
        #expect(cheap.violations(of: document).isEmpty)
    }

    @Test("many short texts are counted together")
    func countsTogether() throws {
        let schema = try Schema(JSON(#"{"items":{"pattern":"(ab?c?){2000}d"}}"#))
        let texts = Array(repeating: "\"abc\"", count: 20_000).joined(separator: ",")
        #expect(schema.violations(of: try JSON("[\(texts)]")).first?.isUndecided == true)
    }

    @Test("a document whose version cannot be told in time is of none")
    func undecidedVersion() throws {
        let rule = try Profile(
            yaml: """
                profile: p
                documents:
                  d.json:
                    version: shapes
                    versions: {1: {}, 2: {when: {properties: {x: {pattern: "(a?){3000}b"}}}}}
                """,
            file: "p"
        ).rule(for: "d.json")
        #expect(rule.version(of: try JSON(#"{"x":"b"}"#)) == .known(2))
        #expect(rule.version(of: try JSON(#"{"x":"c"}"#)) == .known(1))
        let long = try JSON("{\"x\":\"\(String(repeating: "a", count: 20_000))\"}")
        guard case .unreadable(let reason) = rule.version(of: long) else {
            Issue.record("\(rule.version(of: long))")
            return
        }
        #expect(reason.contains("takes too long"))
    }
}
