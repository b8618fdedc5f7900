/// Why a document cannot be made into what was asked, as facts.
package enum DocumentError: Error, Sendable, Hashable {
    /// It may not be edited, or would become larger or deeper than it may be.
    case json(JSONError)
    /// The profile knows no such version of it.
    case unknownVersion(Int)
    /// A time without a zone stands at this pointer, and the profile says no zone.
    case noTimeZone(String)
    /// Something else stands there than a step of a migration takes.
    case mismatch(pointer: String, position: JSONPosition?, expected: String, found: String)

    /// In one line, the place first.
    package var reason: String { located.text }

    package var located: LocatedText {
        switch self {
        case .json(let error): error.located
        case .unknownVersion(let version): "the profile has no version \(version) of it"
        case .noTimeZone(let pointer):
            "`\(pointer)` is a time without a zone, and the profile has no `timeZone`"
        case .mismatch(let pointer, let position, let expected, let found):
            LocatedText("expected \(expected) at `\(pointer)`, found \(found)", at: position)
        }
    }

    package var position: JSONPosition? {
        switch self {
        case .json(let error): error.position
        case .unknownVersion, .noTimeZone: nil
        case .mismatch(_, let position, _, _): position
        }
    }
}

extension JSONNode.Kind {
    /// With its article, as in "expected …, found …".
    var words: String {
        switch self {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .number: "a number"
        case .true: "`true`"
        case .false: "`false`"
        case .null: "`null`"
        }
    }
}
