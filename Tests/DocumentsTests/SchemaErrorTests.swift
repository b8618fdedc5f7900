import Documents
import Testing

@Suite struct SchemaErrorTests {
    static let faults: [(SchemaError.Reason, String)] = [
        (.notASchema(.array), "expected a schema, found an array"),
        (.expected(.string), "expected a string"), (.expected(.boolean), "expected `true` or `false`"),
        (.expected(.number), "expected a number"), (.expected(.numberAboveZero), "expected a number above 0"),
        (.expected(.wholeNumber), "expected a whole number from 0"),
        (.expected(.list), "expected a list of values"), (.expected(.keys), "expected a list of keys"),
        (.expected(.distinctKeys), "expected a list of different keys"),
        (.expected(.listsOfKeys), "expected an object of lists of keys"),
        (.expected(.type), "expected a type"),
        (.expected(.types), "expected a type, or a list of different types"),
        (.expected(.schemas), "expected a list of schemas, at least one"),
        (.expected(.objectOfSchemas), "expected an object of schemas"),
        (.expected(.anchor), "expected a name of letters, digits, `-`, `.` and `_`"),
        (.expected(.id), "expected a name without `#`"), (.expected(.reference), "`$ref` is a string"),
        (.unreadable(.byteOrderMark), "1:1: begins with a byte order mark; it can be copied but not edited"),
        (.unsupported(.keyword, "x"), "the keyword `x` is not supported"),
        (
            .unsupported(.format, "ipv4"),
            "the format `ipv4` is not supported; supported: date-time, date, uuid, uri"
        ),
        (
            .unsupported(.dialect, "x"),
            "`x` is not supported; https://json-schema.org/draft/2020-12/schema is"
        ),
        (
            .pattern("a)", PatternError(offset: 1, reason: .nothingToClose)),
            "the pattern `a)` has a `)` without a `(`, at 2"
        ),
        (.repeatedAnchor, "another schema has this `$anchor`"),
        (
            .reference("x", .otherDocument),
            "`x` refers to another document; only `#…` and an `$id` of this schema are supported"
        ),
        (.reference("x", .noPointer), "`x` does not end with a JSON Pointer or an `$anchor`"),
        (.reference("x", .noSchema), "`x` leads to no schema"),
        (.endless(.root), "the schema at `` refers to itself for the same value"),
    ]

    @Test(arguments: faults)
    func `Each error of a schema has its text`(reason: SchemaError.Reason, words: String) {
        #expect(reason.text == words)
    }
}
