import Documents
import Testing

@Suite("Schemas")
struct SchemaTests {
    private func rules(_ schema: String, _ document: String) throws -> [String] {
        try Schema(JSON(schema)).violations(of: JSON(document)).map { "\($0.pointer) \($0.rule)" }
    }

    /// Schema, matching documents, others.
    @Test(
        "a keyword follows the specification",
        arguments: [
            (
                #"{"type":"integer"}"#, ["1", "1.0", "-0", "1e2", "1.5e1", "1e999999999999999999999"],
                ["1.5", "\"1\"", "1e-1", "null"]
            ),
            (#"{"type":"number"}"#, ["1", "1.5", "1e400"], ["\"1\"", "true"]),
            (#"{"type":["string","null"]}"#, ["\"\"", "null"], ["0", "[]", "{}"]),
            (#"{"type":"boolean"}"#, ["true", "false"], ["0", "1", "\"true\""]),
            (#"{"type":"object"}"#, ["{}"], ["[]"]), (#"{"type":"array"}"#, ["[]"], ["{}"]),
            (
                #"{"enum":[1,"a",null,{"a":[1]}]}"#, ["1.0", "\"a\"", "null", "{\"a\":[1e0]}"],
                ["true", "\"b\"", "{}"]
            ),
            (#"{"const":450.50}"#, ["450.5", "4505e-1"], ["450.51", "\"450.5\""]),
            (#"{"const":false}"#, ["false"], ["0", "null", "[]"]),
            (
                #"{"minimum":0.1}"#, ["0.1", "1e-1", "0.10", "\"x\"", "1e400"],
                ["0.0999999999999999999999", "-1", "0", "-0"]
            ),
            (#"{"maximum":-5}"#, ["-5.0", "-1e400"], ["-4.99", "0", "1e-400"]),
            (#"{"exclusiveMinimum":0}"#, ["1e-400", "1"], ["0", "-0.0", "-1e-400"]),
            (
                #"{"exclusiveMaximum":1e999999999999999999999}"#, ["1e999999999999999999998"],
                ["10e999999999999999999998"]
            ),
            (
                #"{"multipleOf":0.01}"#, ["19.99", "0", "1e300", "-4.35", "1e99999999999999999999"],
                ["19.999", "1e-3"]
            ),
            (#"{"multipleOf":7}"#, ["49", "7e50", "0.0", "-14"], ["50", "1e999999999999999999999", "7e-1"]),
            (#"{"multipleOf":2.5}"#, ["1e1", "5", "7.5"], ["3", "1"]),
            (#"{"multipleOf":1e-999999999999}"#, ["1", "0.5", "3e-999999999999"], ["1e-1000000000000"]),
            (#"{"multipleOf":123456789012345678901}"#, ["246913578024691357802"], ["246913578024691357803"]),
            // Code points, neither bytes nor grapheme clusters.
            (
                #"{"minLength":2}"#, [#""ab""#, #""e\u0301""#, #""\ud83c\udf38a""#, "12"],
                [#""a""#, #""\ud83c\udf38""#, #""é""#]
            ),
            (#"{"maxLength":1}"#, [#""\ud83c\udf38""#, #""\ud800""#, #""""#], [#""e\u0301""#, #""ab""#]),
            (#"{"minLength":2.0}"#, [#""ab""#], [#""a""#]),
            (#"{"pattern":"^[a-z]+$"}"#, [#""abc""#, "1"], [#""""#, #""aBc""#, #""abc\n""#]),
            (#"{"minItems":1,"maxItems":2}"#, ["[1]", "[1,2]", "{}"], ["[]", "[1,2,3]"]),
            (
                #"{"uniqueItems":true}"#, ["[1,2]", "[1,true]", "[0,false]", "[{\"a\":1},{\"a\":2}]"],
                ["[1,1.0]", "[{\"a\":1,\"b\":2},{\"b\":2,\"a\":1}]"]
            ),
            (#"{"items":{"type":"number"}}"#, ["[]", "[1,2]", "\"x\""], ["[1,\"2\"]"]),
            (
                #"{"prefixItems":[{"type":"number"},{"type":"string"}],"items":false}"#,
                ["[]", "[1]", "[1,\"a\"]"], ["[\"a\"]", "[1,\"a\",2]"]
            ),
            (#"{"prefixItems":[{"type":"number"}]}"#, ["[1,\"a\"]"], ["[\"a\"]"]),
            (
                #"{"properties":{"a":{"type":"number"}}}"#, ["{}", "{\"a\":1}", "{\"b\":\"\"}", "[]"],
                ["{\"a\":\"\"}"]
            ),
            (#"{"properties":{"\u00e9":false}}"#, ["{\"e\u{301}\":1}"], ["{\"é\":1}", #"{"\u00e9":1}"#]),
            (#"{"required":["a","b"]}"#, ["{\"a\":1,\"b\":null}", "[]"], ["{\"a\":1}", "{}"]),
            (#"{"properties":{"a":{}},"additionalProperties":false}"#, ["{}", "{\"a\":1}"], ["{\"b\":1}"]),
            (
                #"{"properties":{"a":{}},"additionalProperties":{"type":"string"}}"#,
                ["{\"a\":1,\"b\":\"\"}"], ["{\"b\":1}"]
            ),
            (#"{"allOf":[{"minimum":1},{"maximum":3}]}"#, ["1", "3"], ["0", "4"]),
            (#"{"anyOf":[{"type":"string"},{"minimum":3}]}"#, ["\"\"", "3", "null"], ["2"]),
            (#"{"oneOf":[{"multipleOf":3},{"multipleOf":5}]}"#, ["3", "5"], ["15", "1", "null"]),
            (#"{"not":{"type":"string"}}"#, ["1"], ["\"\""]),
            (#"{"not":{}}"#, [], ["1", "null"]),
            (
                #"{"if":{"properties":{"e":{"const":true}},"required":["e"]},"#
                    + #""then":{"required":["m"]},"else":{"required":["n"]}}"#,
                ["{\"e\":true,\"m\":1}", "{\"n\":1}", "{\"e\":false,\"n\":1}"],
                ["{\"e\":true,\"n\":1}", "{}", "{\"m\":1}"]
            ),
            (#"{"then":false,"else":false}"#, ["1"], []), (#"{"if":false,"else":{"const":1}}"#, ["1"], ["2"]),
            ("true", ["1", "{}"], []), ("false", [], ["1", "{}"]), ("{}", ["1"], []),
            (##"{"$defs":{"p":{"minimum":1}},"$ref":"#/$defs/p","maximum":2}"##, ["1", "2"], ["0", "3"]),
            (
                ##"{"type":"object","properties":{"next":{"$ref":"#"}},"additionalProperties":false}"##,
                ["{}", "{\"next\":{\"next\":{}}}"], ["{\"next\":{\"x\":1}}", "{\"next\":1}"]
            ),
            (
                ##"{"properties":{"a/b~":{"type":"null"},"c":{"$ref":"#/properties/a~1b~0"}}}"##,
                ["{\"c\":null}"], ["{\"c\":1}"]
            ),
            (
                ##"{"properties":{"a%":{"type":"null"},"c":{"$ref":"#/properties/a%25"}}}"##,
                ["{\"c\":null}"], ["{\"c\":1}"]
            ),
            (
                ##"{"$id":"urn:x","$defs":{"i":{"$id":"urn:i","type":"array","items":{"$ref":"#"}}},"##
                    + ##""items":{"$ref":"urn:i"}}"##,
                ["[]", "[[],[[]]]"], ["[1]", "[[1]]"]
            ),
            (##"{"$ref":"#/allOf/1","allOf":[{"minimum":1},{"maximum":3}]}"##, ["2"], ["0", "4"]),
            (
                #"{"$schema":"https://json-schema.org/draft/2020-12/schema","$comment":"","title":"","#
                    + #""description":"","default":1,"examples":[],"deprecated":true,"readOnly":false}"#,
                ["1"], []
            ),
        ]
    )
    func keywords(schema: String, valid: [String], invalid: [String]) throws {
        for text in valid { #expect(try rules(schema, text) == [], "\(schema): \(text)") }
        for text in invalid { #expect(try !rules(schema, text).isEmpty, "\(schema): \(text)") }
    }

    @Test(
        "a format is checked for strings only",
        arguments: [
            (
                "date-time",
                [
                    "1963-06-19T08:30:06.283185Z", "1963-06-19t08:30:06z", "2020-02-29T00:00:00+01:30",
                    "1998-12-31T23:59:60Z", "1998-12-31T15:59:60.123-08:00", "0000-01-01T00:00:00Z",
                ],
                [
                    "1990-02-31T15:59:59-08:00", "1998-12-31T23:59:61Z", "1998-12-31T23:58:60Z",
                    "2021-02-29T00:00:00Z",
                    "1998-12-31T22:59:60Z", "1963-06-19T08:30:06", "1963-06-19 08:30:06Z",
                    "1963-06-19T24:00:00Z",
                    "1963-06-19T08:30:06.Z", "1963-6-19T08:30:06Z", "1963-06-19T08:30:06+24:00",
                    "1963-06-19T08:30Z",
                    "06/19/1963 08:30:06 PST", "1963-06-1৪T00:00:00Z", "",
                ]
            ),
            (
                "date", ["1963-06-19", "2000-02-29"],
                ["1900-02-29", "2021-13-01", "1963-06-19Z", "1963-6-9", "2021-00-01"]
            ),
            (
                "uuid", ["123e4567-e89b-12d3-a456-426614174000", "2EB8AA08-AA98-11EA-B4AA-73B441D16380"],
                [
                    "", "123e4567e89b12d3a456426614174000", "123e4567-e89b-12d3-a456-42661417400g",
                    "123e4567-e89b-12d3-a456-42661417400",
                ]
            ),
            (
                "uri",
                [
                    "finapp://dashboard", "https://a.example/x?y=%20#z", "urn:uuid:1", "mailto:a@b.example",
                    "x:",
                    "http://[2001:db8::7]:80/", "http://[::1]", "file:///x", "http://u:p@h:8/", "a://[v1.x]",
                    "ldap://[1:2:3:4:5:6:7.8.9.10]/c=GB?objectClass?one",
                ],
                [
                    "", "//a.example", "/x", "x", "1x:y", "http://a b", "http://a/%2", "http://[1::2::3]",
                    "http://[x]",
                    "http://h:a/", "a:\\b", "http://[1:2:3]", "http://[12345::]", "http://é.example", "a:{b}",
                    "a:b#c#d",
                ]
            ),
        ] as [(String, [String], [String])]
    )
    func formats(name: String, valid: [String], invalid: [String]) throws {
        let schema = "{\"format\":\"\(name)\"}"
        #expect(try rules(schema, "7") == [])
        for text in valid { #expect(try rules(schema, "\"\(text)\"") == [], "\(name): \(text)") }
        for text in invalid {
            let quoted = text.replacing("\\", with: "\\\\")
            #expect(try !rules(schema, "\"\(quoted)\"").isEmpty, "\(name): \(text)")
        }
    }

    @Test("a violation has the value, the pointer and the rule")
    func tellsPlaces() throws {
        let schema = """
            {"properties":{"a":{"items":{"properties":{"n/m":{"$ref":"#/$defs/positive"}}}}},"required":["b"],
             "$defs":{"positive":{"exclusiveMinimum":0,"type":"number"}}}
            """
        let found = try Schema(JSON(schema)).violations(of: JSON("{\"a\":[{},\n {\"n/m\":0}]}"))
        #expect(
            found.map(\.text) == [
                "1:1: the document has no `b` (/required)",
                "2:9: `/a/1/n~1m` is 0, not above 0 (/$defs/positive/exclusiveMinimum)",
            ]
        )
    }

    @Test(
        "an unsupported or invalid schema is refused with its pointer",
        arguments: [
            (#"{"dependentSchemas":{}}"#, " : 1:2: the keyword `dependentSchemas` is not supported"),
            (
                #"{"properties":{"a":{"unevaluatedProperties":{}}}}"#,
                "the keyword `unevaluatedProperties` is not supported"
            ),
            (#"{"mine":1}"#, "the keyword `mine` is not supported"),
            (
                #"{"format":"ipv4"}"#,
                "the format `ipv4` is not supported; supported: date-time, date, uuid, uri"
            ),
            (#"{"pattern":"(?=a)"}"#, "the pattern `(?=a)` uses look-around, which is not supported, at 3"),
            (#"{"pattern":"(a)\\1"}"#, #"the pattern `(a)\1` uses a back-reference, which is not supported"#),
            (#"{"pattern":"a{99999}"}"#, "expands to too many repetitions"),
            (#"{"pattern":"(a{9999}){9999}"}"#, "is too large"),
            (#"{"pattern":"["}"#, "has a `[` that is not closed"),
            (#"{"pattern":"a**"}"#, "has a quantifier after a quantifier"),
            (#"{"pattern":"\\y"}"#, "has an unknown escape"),
            (#"{"pattern":"a)"}"#, "has a `)` without a `(`"),
            (#"{"type":"text"}"#, "expected a type"), (#"{"type":["string","string"]}"#, "expected a type"),
            (#"{"minLength":-1}"#, "expected a whole number from 0"),
            (#"{"minLength":1.5}"#, "expected a whole number from 0"),
            (#"{"multipleOf":0}"#, "expected a number above 0"),
            (#"{"required":["a","a"]}"#, "expected a list of different keys"),
            (#"{"anyOf":[]}"#, "expected a list of schemas, at least one"),
            (#"{"items":[{}]}"#, "expected a schema, found an array"),
            (#"{"$schema":"http://json-schema.org/draft-07/schema#"}"#, "is not supported"),
            (##"{"$ref":"#/$defs/x"}"##, "`#/$defs/x` leads to no schema"),
            (##"{"$ref":"#/default","default":{}}"##, "leads to no schema"),
            (
                #"{"$ref":"other.json"}"#,
                "`other.json` refers to another document; only `#…` and an `$id` of this schema are supported"
            ),
            (##"{"$ref":"#name"}"##, "`#name` does not end with a JSON Pointer or an `$anchor`"),
            (#"{"minimum":1,"minimum":2}"#, "duplicate key `minimum`"),
            ("[]", "expected a schema, found an array"),
        ]
    )
    func refuses(schema: String, reason: String) throws {
        #expect {
            try Schema(JSON(schema))
        } throws: {
            guard let error = $0 as? SchemaError else { return false }
            let text = "\(error.pointer) : \(error.position.text): \(error.reason.text)"
            if !text.contains(reason.drop { $0 == " " || $0 == ":" }) { Issue.record("\(text)") }
            return true
        }
    }

    @Test(
        "only a reference that consumes nothing is an error",
        arguments: [
            (##"{"$ref":"#"}"##, true), (##"{"allOf":[{"$ref":"#"}]}"##, true),
            (##"{"not":{"$ref":"#"}}"##, true),
            (##"{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}"##, true),
            (##"{"if":{"$ref":"#/$defs/a"},"$defs":{"a":{"else":{"$ref":"#"}}}}"##, true),
            (##"{"items":{"$ref":"#"}}"##, false), (##"{"properties":{"a":{"$ref":"#"}}}"##, false),
            (##"{"additionalProperties":{"allOf":[{"$ref":"#"}]}}"##, false),
            (
                ##"{"oneOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"items":{"$ref":"#"}}}}"##,
                false
            ),
        ]
    )
    func endlessReferences(schema: String, isRefused: Bool) throws {
        if isRefused {
            #expect { try Schema(JSON(schema)) } throws: {
                guard case .endless = ($0 as? SchemaError)?.reason else { return false }
                return true
            }
        } else {
            #expect(throws: Never.self) { try Schema(JSON(schema)) }
        }
    }

    @Test("nested alternatives are not checked repeatedly, at any depth")
    func nestedAlternatives() throws {
        let schema = try Schema(
            JSON(
                ##"{"anyOf":[{"items":{"$ref":"#"},"minItems":1,"type":"array"},"##
                    + ##"{"items":{"$ref":"#"},"type":"array"},{"const":1}]}"##
            )
        )
        let levels = 20_000
        let limits = JSONLimits(maxDepth: levels)
        let text = String(repeating: "[", count: levels) + "2" + String(repeating: "]", count: levels)
        #expect(try !schema.violations(of: JSON(text, limits: limits)).isEmpty)
        #expect(try schema.violations(of: JSON(text.replacing("2", with: "1"), limits: limits)).isEmpty)
    }
}

@Suite("Regular expressions")
struct PatternTests {
    @Test(
        "a pattern matches anywhere, over code points",
        arguments: [
            ("b", ["abc"], ["ac"]),
            ("^a.c$", ["abc", "a🌸c", "a\u{e9}c"], ["ac", "abcd", "a\nc", "e\u{301}abc"]),
            ("^(?:a|bc)*$", ["", "abca", "bcbc"], ["b", "abb"]), ("^[^a-c]$", ["d", "🌸"], ["a", "de"]),
            ("^a{2,3}$", ["aa", "aaa"], ["a", "aaaa"]), ("^a{2}$", ["aa"], ["aaa"]),
            ("^a{2,}?$", ["aa", "aaaaa"], ["a"]),
            ("^\\d+$", ["0123"], ["১", "12a"]), ("^\\w$", ["_", "Z"], ["é", "-"]),
            ("^\\s$", [" ", "\u{a0}", "\u{feff}"], ["x"]),
            ("^[\\d.]+$", ["1.2"], ["a"]), ("^[\\D]$", ["a"], ["1"]), ("^[a\\-z]+$", ["a-z"], ["b"]),
            ("^[-a]+$", ["-a"], ["b"]),
            ("\\bcat\\b", ["a cat."], ["concat", "cats"]), ("^\\u00e9\\u{1F338}\\x41$", ["é🌸A"], ["éA"]),
            ("^\\ud83c\\udf38$", ["🌸"], ["x"]), ("^(?<year>\\d{4})-(\\d\\d)$", ["2026-01"], ["26-01"]),
            ("^#[0-9A-Fa-f]{6}$", ["#FF5733"], ["FF5733", "#FF573"]),
            ("^(a+)+$", ["aaaaaaaa"], ["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"]),
            ("^(|a|ab)(c|bcd)$", ["abcd", "c", "ac"], ["abc d"]), ("[]", [], ["a", ""]),
            ("^[^]$", ["a", "\n"], [""]),
            ("^\\^\\$\\.\\/$", ["^$./"], ["x"]), ("", ["", "x"], []), ("^\\cJ\\t$", ["\n\t"], ["J"]),
            ("a|", ["b"], []),
        ] as [(String, [String], [String])]
    )
    func fits(pattern: String, valid: [String], invalid: [String]) throws {
        func quoted(_ text: String) -> String {
            var result = ""
            for scalar in text.unicodeScalars {
                switch scalar {
                case "\"", "\\": result += "\\\(scalar)"
                case "\n": result += "\\n"
                case "\t": result += "\\t"
                default: result.unicodeScalars.append(scalar)
                }
            }
            return "\"\(result)\""
        }
        let schema = try Schema(JSON("{\"pattern\":\(quoted(pattern))}"))
        for text in valid {
            #expect(try schema.violations(of: JSON(quoted(text))).isEmpty, "\(pattern): \(text)")
        }
        for text in invalid {
            #expect(try !schema.violations(of: JSON(quoted(text))).isEmpty, "\(pattern): \(text)")
        }
    }
}
