import Documents
import Foundation
import Testing

@Suite struct ReasonTextTests {
    @Test(
        arguments: [
            ("false", "1", "is not allowed"), (#"{"type":"string"}"#, "1", "is a number, expected `string`"),
            (#"{"type":["string","null"]}"#, "{}", "is an object, expected one of `null`, `string`"),
            (#"{"const":{"a":1}}"#, "1", #"is not `{"a":1}`"#),
            (#"{"enum":["a",2]}"#, "1", #"is none of `"a"`, `2`"#),
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
            (#"{"contains":{"const":1}}"#, "[2]", "has 0 elements that fit `contains`, not 1"),
            (
                #"{"contains":{"const":1},"maxContains":1}"#, "[1,1]",
                "has 2 elements that fit `contains`, more than 1"
            ),
            (#"{"pattern":"^a$"}"#, #""b""#, "does not fit the pattern `^a$`"),
            (#"{"format":"date"}"#, #""b""#, "is no date"), (#"{"required":["a"]}"#, "{}", "has no `a`"),
            (#"{"dependentRequired":{"a":["b"]}}"#, #"{"a":1}"#, "has `a` and no `b`"),
            (#"{"uniqueItems":true}"#, "[1,1]", "has the same element twice"),
            (#"{"anyOf":[{"const":1},{"const":2}]}"#, "3", "fits none of the alternatives"),
            (#"{"oneOf":[{"minimum":1},{"minimum":2}]}"#, "3", "fits 2 of the alternatives, not one"),
            (#"{"not":{}}"#, "3", "fits what it must not"),
        ]
    )
    func `Why a value does not fit its schema is said in these words`(
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
        #expect(reason.text == "takes too long to compare with the pattern `a*`")
    }

    static let losses: [(Loss.Reason, String)] = [
        (.noRow(table: "t"), "refers to no row of `t`"),
        (.time(.leapSecond), "a leap second is the second after it"),
        (.time(.skippedHour), "this hour was skipped; taken as the clocks went on before it"),
        (.time(.repeatedHour), "this hour exists twice; taken as the first one"),
        (.time(.secondOfRepeatedHour), "this hour exists twice, and it is in the second one"),
        (.time(.digits), "milliseconds do not hold all digits"),
        (.time(.timeOfDay), "a date does not hold the time of the day"),
        (.merged(into: "1"), "becomes 1, as other values do"),
        (.unlisted(becomes: "1"), "is not listed, and becomes 1"),
        (.rounded(digits: 2), "is rounded to 2 digits behind the point"),
        (.gone, "has no place in the other version"), (.added, "would be added on the way back"),
        (.changed, "comes back as another value"), (.told("of another release"), "of another release"),
    ]

    @Test(arguments: losses)
    func `What a version cannot say is said in these words, and an agent tells only them`(
        reason: Loss.Reason,
        words: String
    ) throws {
        let loss = Loss(pointer: "/a", reason: reason)
        #expect(reason.text == words)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json = try encoder.encode(loss)
        #expect(String(decoding: json, as: UTF8.self) == #"{"pointer":"/a","reason":"\#(words)"}"#)
        #expect(try JSONDecoder().decode(Loss.self, from: json) == Loss(pointer: "/a", reason: .told(words)))
    }
}
