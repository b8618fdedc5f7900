import Documents
import Testing

@Suite struct ShapeFaultTests {
    static let place = JSONPointer(tokens: [Array("a".utf8)])

    static let faults: [(ShapeFault, String)] = [
        (.noField("a"), "names the field `a`, which does not exist"),
        (.fieldRemoved("a"), "names the field `a`, which a previous lens removed"),
        (.fieldExists("a"), "adds the field `a`, which already exists"),
        (.noMembers(.array, named: "a"), "names the field `a`, but its parent is an array"),
        (.mismatch(.object, found: .any), "expects an object, but finds anything"),
        (.mismatch(.array, at: place, found: .object), "expects an array at `/a`, but finds an object"),
        (.mismatch(.table, at: place, found: .array), "expects a table at `/a`, but finds an array"),
        (.unfit(.comparison, place, .object), "compares times and numbers, but `/a` is an object"),
        (.unfit(.sum, place, .object), "adds numbers, but `/a` is an object"),
        (.unfit(.union, place, .object), "merges lists, but `/a` is an object"),
        (.unfit(.number, place, .object), "computes a number, but `/a` is an object"),
        (.notScalars(place, hold: .array), "merges lists of scalars, but `/a` contains an array"),
    ]

    @Test(arguments: faults)
    func `Each reason why a lens or merge rule does not match has its text`(fault: ShapeFault, words: String)
    {
        #expect(fault.text == words)
    }

    static let differences: [(ShapeDifference, String)] = [
        (.type(place, .object, expected: .array), "`/a` would be an object, not an array"),
        (.missing(place), "no lens adds `/a`, which is required"),
        (.extra(place), "`/a` is not a field of the newer version"),
    ]

    @Test(arguments: differences)
    func `Each difference between two versions has its text`(difference: ShapeDifference, words: String) {
        #expect(difference.text == words)
    }
}
