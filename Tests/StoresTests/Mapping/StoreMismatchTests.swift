import Documents
import Stores
import Testing

@Suite struct StoreMismatchTests {
    private static let pointer = JSONPointer.root.appending(Array("x".utf8))

    static let reasons: [(StoreMismatch.Reason, String)] = [
        (.type(found: .string, expected: .data), "is of the type string, expected data"),
        (
            .encoding(.unrepresentable(.sharedPreferences, key: "k", .integer)),
            "cannot be written as shared-preferences, which cannot represent this integer"
        ),
        (
            .encoding(.malformedValue(.sharedPreferences, key: "k", nil, .notA(.real))),
            "cannot be read: it is not encoded as the plugin encodes values"
        ), (.undocumented(.real), "is of the type real, with a value that the document cannot have"),
        (
            .ambiguous(pointer),
            "cannot be written, because the document has a duplicate key on the way to `/x`"
        ),
        (
            .kind(pointer, found: .string, expected: .real),
            "cannot be written, because `/x` is a string, expected real"
        ),
        (
            .number(pointer, text: "0.5", expected: .integer),
            "cannot be written, because `/x` is 0.5, which integer cannot represent"
        ),
        (
            .time(pointer, forms: [.iso8601, .local], expected: .milliseconds),
            "cannot be written, because `/x` is no time in iso8601, local that milliseconds can represent"
        ),
        (
            .notText(pointer),
            "cannot be written, because `/x` has half a surrogate pair, which is not text"
        ),
        (
            .null(pointer),
            "cannot be written, because `/x` has a null in an array, which the store cannot hold"
        ), (.noPlace(pointer), "cannot be read, because the document has no place for `/x`"),
    ]

    @Test(arguments: reasons)
    func `Each reason why a document and its store do not match has its text`(
        reason: StoreMismatch.Reason,
        words: String
    ) {
        #expect(StoreMismatch(file: "f", key: "k", reason: reason).text == "`k` \(words)")
    }
}
