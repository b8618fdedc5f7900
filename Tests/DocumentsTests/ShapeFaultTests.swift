import Documents
import Testing

@Suite struct ShapeFaultTests {
    static let place = JSONPointer(tokens: [Array("a".utf8)])

    static let faults: [(ShapeFault, String)] = [
        (.noField("a"), "names the field `a`, which is not there"),
        (.fieldRemoved("a"), "names the field `a`, which a lens before it took away"),
        (.fieldExists("a"), "makes the field `a`, which is there already"),
        (.noMembers(.array, named: "a"), "names `a` in an array"),
        (.mismatch(.object, found: .any), "expects an object, but there is anything"),
        (.mismatch(.array, at: place, found: .object), "expects an array at `/a`, but there is an object"),
        (.mismatch(.table, at: place, found: .array), "expects a table at `/a`, but there is an array"),
        (.unfit(.comparison, place, .object), "compares times and numbers, but `/a` is an object"),
        (.unfit(.sum, place, .object), "adds numbers, but `/a` is an object"),
        (.unfit(.union, place, .object), "unites lists, but `/a` is an object"),
        (.unfit(.number, place, .object), "makes a number, but `/a` is an object"),
        (.notScalars(place, hold: .array), "unites lists of scalars, but `/a` has an array in it"),
    ]

    @Test(arguments: faults)
    func `Why a lens or a merge rule does not fit is said in these words`(fault: ShapeFault, words: String) {
        #expect(fault.text == words)
    }

    static let differences: [(ShapeDifference, String)] = [
        (.type(place, .object, expected: .array), "`/a` would be an object, not an array"),
        (.missing(place), "nothing leads to `/a`, which is required"),
        (.extra(place), "`/a` leads to no field"),
    ]

    @Test(arguments: differences)
    func `Why lenses lead to no version is said in these words`(difference: ShapeDifference, words: String) {
        #expect(difference.text == words)
    }
}
