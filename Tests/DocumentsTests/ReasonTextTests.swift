import Documents
import Foundation
import Testing

@Suite struct ReasonTextTests {
    @Test(
        arguments: [
            ("false", "1", "is not allowed"), (#"{"type":"string"}"#, "1", "is a number, expected `string`"),
            (#"{"type":["string","null"]}"#, "{}", "is an object, expected one of `null`, `string`"),
            (#"{"const":{"a":1}}"#, "1", #"is not `{"a":1}`"#),
            (#"{"enum":["a",2]}"#, "1", #"is not one of `"a"`, `2`"#),
            (#"{"minimum":2}"#, "1.0", "is 1.0, below 2"), (#"{"maximum":2}"#, "3", "is 3, above 2"),
            (#"{"exclusiveMinimum":2}"#, "2", "is 2, not above 2"),
            (#"{"exclusiveMaximum":2}"#, "2", "is 2, not below 2"),
            (#"{"multipleOf":2}"#, "3", "is 3, not a multiple of 2"),
            (#"{"minLength":2}"#, #""a""#, "has 1 characters, not 2"),
            (#"{"maxLength":2}"#, #""abc""#, "has 3 characters, more than 2"),
            (#"{"minItems":2}"#, "[1]", "has 1 elements, not 2"),
            (#"{"maxItems":1}"#, "[1,2]", "has 2 elements, more than 1"),
            (#"{"minProperties":1}"#, "{}", "has 0 members, not 1"),
            (#"{"maxProperties":0}"#, #"{"a":1}"#, "has 1 members, more than 0"),
            (#"{"contains":{"const":1}}"#, "[2]", "has 0 elements that match `contains`, not 1"),
            (
                #"{"contains":{"const":1},"maxContains":1}"#, "[1,1]",
                "has 2 elements that match `contains`, more than 1"
            ),
            (#"{"pattern":"^a$"}"#, #""b""#, "does not match the pattern `^a$`"),
            (#"{"format":"date"}"#, #""b""#, "is not a valid date"),
            (#"{"required":["a"]}"#, "{}", "has no `a`"),
            (#"{"dependentRequired":{"a":["b"]}}"#, #"{"a":1}"#, "has `a` but no `b`"),
            (#"{"uniqueItems":true}"#, "[1,1]", "has duplicate elements"),
            (#"{"anyOf":[{"const":1},{"const":2}]}"#, "3", "matches none of the alternatives"),
            (
                #"{"oneOf":[{"minimum":1},{"minimum":2}]}"#, "3",
                "matches 2 of the alternatives, not exactly one"
            ),
            (#"{"not":{}}"#, "3", "matches the schema of `not`"),
        ]
    )
    func `Each schema violation has its text`(
        schema: String,
        document: String,
        words: String
    ) throws {
        let violation = try #require(try Schema(JSON(schema)).violations(of: JSON(document)).first)
        #expect(violation.reason.text == words)
        #expect(violation.text == "1:1: the document \(words) (\(violation.rule))")
    }

    @Test func `A pattern that takes too long is named`() {
        let reason = SchemaViolation.Reason.undecided(pattern: "a*")
        #expect(reason.text == "takes too long to match against the pattern `a*`")
    }

    static let losses: [(Loss.Reason, String)] = [
        (.noRow(table: "t"), "refers to no row of `t`"),
        (.time(.leapSecond), "a leap second becomes the second after it"),
        (
            .time(.skippedHour),
            "a clock change skips this local time; it is read as if the clock had not changed"
        ),
        (.time(.repeatedHour), "a clock change repeats this local time; the first one is taken"),
        (.time(.secondOfRepeatedHour), "a clock change repeats this local time, and it is the second one"),
        (.time(.digits), "milliseconds cannot represent all digits"),
        (.time(.timeOfDay), "a date cannot represent the time of day"),
        (.merged(into: "1"), "becomes 1, like other values"),
        (.unlisted(becomes: "1"), "is not listed in the profile, and becomes 1"),
        (.rounded(digits: 2), "is rounded to 2 decimal places"),
        (.gone, "cannot be represented in the other version"), (.added, "would be added on the way back"),
        (.changed, "comes back as another value"),
        (
            .noWayBack(.unknownVersion(7)),
            "the result cannot be migrated back: the profile has no version 7 of it"
        ), (.reported("of another release"), "of another release"),
    ]

    @Test(arguments: losses)
    func `Each loss has its text, which an agent sends`(
        reason: Loss.Reason,
        words: String
    ) throws {
        let loss = Loss(pointer: "/a", reason: reason)
        #expect(reason.text == words)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json = try encoder.encode(loss)
        #expect(String(decoding: json, as: UTF8.self) == #"{"pointer":"/a","reason":"\#(words)"}"#)
        #expect(
            try JSONDecoder().decode(Loss.self, from: json) == Loss(pointer: "/a", reason: .reported(words))
        )
    }
}
