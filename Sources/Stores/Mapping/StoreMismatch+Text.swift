import Documents

extension StoreMismatch {
    /// One line without the file.
    package var text: String { "`\(key)` \(reason.text)" }
}

extension StoreMismatch.Reason {
    /// What follows the key in a sentence.
    package var text: String {
        switch self {
        case .type(let found, let expected):
            "is of the type \(found.rawValue), expected \(expected.rawValue)"
        case .encoding(.unrepresentable(let format, _, let type)):
            "cannot be written as \(format.rawValue), which cannot represent this \(type.rawValue)"
        case .encoding: "cannot be read: it is not encoded as the plugin encodes values"
        case .undocumented(let type):
            "is of the type \(type.rawValue), with a value that the document cannot have"
        case .notJSON(let error): "cannot be written, because the document is not JSON: \(error.reason)"
        case .ambiguous(let pointer):
            "cannot be written, because the document has a duplicate key on the way to `\(pointer)`"
        case .kind(let pointer, let found, let expected):
            "cannot be written, because `\(pointer)` is \(found.words), expected \(expected.rawValue)"
        case .number(let pointer, let text, let expected):
            "cannot be written, because `\(pointer)` is \(text), which \(expected.rawValue) cannot represent"
        case .time(let pointer, let forms, let expected):
            "cannot be written, because `\(pointer)` is no time in "
                + forms.map(\.rawValue).joined(separator: ", ") + " that \(expected.rawValue) can represent"
        case .notText(let pointer):
            "cannot be written, because `\(pointer)` has half a surrogate pair, which is not text"
        case .null(let pointer):
            "cannot be written, because `\(pointer)` has a null in an array, which the store cannot hold"
        case .noPlace(let pointer): "cannot be read, because the document has no place for `\(pointer)`"
        }
    }
}

extension JSONValue.Kind {
    fileprivate var words: String {
        switch self {
        case .null: "null"
        case .boolean: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
