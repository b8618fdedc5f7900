import Documents
import Testing

@Suite struct DocumentErrorTests {
    static let place = JSONPointer(tokens: [Array("a".utf8)])

    static let expectations: [(DocumentError.Expected, String)] = [
        (.string, "a string"), (.number, "a number"), (.object, "an object"), (.array, "an array"),
        (.table, "a table"), (.objectOrArray, "an object or an array"),
        (.objectWith(key: "a"), "an object with `a`"), (.objectAt(place), "an object at `/a`"),
        (.objectToMoveTo(place), "an object at `/a` to move to"),
        (.nothing, "no field (the migration adds it)"), (.flag, "`true`, `false`, 0 or 1"),
        (.id, "a string or number as the id of a row"), (.uniqueID, "an id that no other element has"),
        (.decimal, "a decimal number as a string"), (.integer, "a whole number"),
        (.integerText, "a whole number as a string, such as `\"7\"`"),
        (
            .scalable(by: Fraction(1, over: 3) ?? .one, digits: nil),
            "a number whose product with 1/3 can be written out in decimal"
        ),
        (.scalable(by: .one, digits: 2), "a number with at most 2 decimal places after multiplication by 1"),
        (.times([.iso8601]), "a time such as `2026-01-18T14:30:00Z`"),
        (
            .times([.iso8601, .milliseconds]),
            "a time such as `2026-01-18T14:30:00Z` or a number of milliseconds since 1970"
        ), (.writableTime(.iso8601), "a time such as `2026-01-18T14:30:00Z`, in the years 0 to 9999"),
    ]

    @Test(arguments: expectations)
    func `Each error of a migration step has its text`(
        expected: DocumentError.Expected,
        words: String
    ) {
        for (found, given) in [(DocumentError.Found.kind(.array), "an array"), (.scalar("7"), "`7`")] {
            let error = DocumentError.mismatch(pointer: "/x", position: nil, expected: expected, found: found)
            #expect(error.reason == "expected \(words) at `/x`, found \(given)")
        }
    }
}
