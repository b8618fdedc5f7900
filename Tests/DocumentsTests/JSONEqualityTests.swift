import Documents
import Testing

@Suite("Equality by value")
struct JSONEqualityTests {
    @Test(
        "numbers are equal if their decimal values are, whatever the exponent",
        arguments: [
            ("450.5", "450.50"), ("1E2", "100"), ("1.10", "1.1"), ("-0", "0"), ("-0.0e5", "0"),
            ("0e999", "0"),
            ("1e999999999", "10e999999998"), ("0.1e1000000000000000000000", "1e999999999999999999999"),
            ("1e-999999999999999999999", "0.1e-999999999999999999998"),
            ("10e999999999999999999", "1e1000000000000000000"),
            ("1000000000000000000", "1e18"), ("12300e-2", "123"), ("1e0000000000000000000000002", "100"),
            ("1e+2", "1e2"), ("0.001e-1000000000000000000", "1e-1000000000000000003"),
        ]
    )
    func equalNumbers(a: String, b: String) throws {
        #expect(try JSON(a).isEqual(to: JSON(b)))
        #expect(try JSON(b).isEqual(to: JSON(a)))
    }

    @Test(
        "numbers differ even if their Double values are equal",
        arguments: [
            ("9007199254740993", "9007199254740992"), ("0.1", "0.10000000000000000001"), ("1e400", "1e401"),
            ("1e-400", "0"), ("1", "-1"), ("1", "\"1\""), ("0", "false"), ("null", "{}"), ("[]", "{}"),
            ("12345678901234567890", "12345678901234567891"),
            ("1e999999999999999999999", "1e999999999999999999998"),
            ("{}", #"{"a":null}"#), ("[1]", "[1,1]"), ("[1,2]", "[2,1]"), (#"{"a":1}"#, #"{"b":1}"#),
            ("\"\u{e9}\"", "\"e\u{301}\""), (#""\ud800""#, #""\udc00""#),
            (#"{"a":1,"a":2}"#, #"{"a":2,"a":1}"#),
        ]
    )
    func differentValues(a: String, b: String) throws {
        #expect(try !JSON(a).isEqual(to: JSON(b)))
        #expect(try !JSON(b).isEqual(to: JSON(a)))
    }

    @Test(
        "white space, key order and escapes do not matter",
        arguments: [
            (#"{"a":1,"b":[1,{"c":2}]}"#, "{ \"b\" : [1.0,\n{\"c\":2e0}], \"a\":1 }"),
            (#"{"\u0061\/":"\n\u20ac"}"#, "{\"a/\":\"\\u000A€\"}"), (#""\ud83c\udf38""#, "\"🌸\""),
            (#"{"a":1,"a":2,"b":3}"#, #"{"b":3,"a":1,"a":2}"#), (#""\ud800""#, #""\uD800""#),
        ]
    )
    func equalValues(a: String, b: String) throws {
        #expect(try JSON(a).isEqual(to: JSON(b)))
        #expect(try JSON(b).isEqual(to: JSON(a)))
    }

    @Test("an object with many members equals itself shuffled", arguments: 0..<5 as Range<UInt64>)
    func manyMembers(seed: UInt64) throws {
        var random = Seeded(seed)
        let members = (0..<500).map { "\"k\($0)\":\(random.below(9))" }
        let one = try JSON("{\(members.joined(separator: ","))}")
        let other = try JSON("{\(members.shuffled(using: &random).joined(separator: ","))}")
        #expect(one.isEqual(to: other))
        let less = try JSON("{\(members.dropLast().joined(separator: ","))}")
        #expect(!one.isEqual(to: less))
    }
}
