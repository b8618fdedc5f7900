/// Why a text is not a JSON document, or why a document may not be edited.
package enum JSONError: Error, Sendable, Hashable {
    /// It was not parsed.
    case tooLarge(bytes: Int, limit: Int)
    case tooDeep(JSONPosition, limit: Int)
    case unexpected(JSONPosition, expected: String, found: JSONFound)
    case notUTF8(JSONPosition, byte: UInt8)
    case utf16(JSONPosition)
    /// It was parsed and may be copied, but an edit would change this object, which parsers may read
    /// differently.
    case duplicateKey(JSONPosition, key: String)
    case loneSurrogate(JSONPosition)
    case byteOrderMark

    /// One line, with the position first.
    package var reason: String { located.text }

    package var located: LocatedText { LocatedText(words, at: position) }

    private var words: String {
        switch self {
        case .tooLarge(let bytes, let limit): "\(bytes) bytes are more than the limit of \(limit)"
        case .utf16: "the text is UTF-16, not UTF-8"
        case .tooDeep(_, let limit): "nested deeper than the limit of \(limit)"
        case .unexpected(_, let expected, let found): "expected \(expected), found \(found.text)"
        case .notUTF8(_, let byte): "\(JSONFound.byte(byte).text) is not UTF-8 here"
        case .duplicateKey(_, let key):
            "duplicate key `\(key)`; this object can be copied but not edited"
        case .loneSurrogate: "unpaired surrogate in a key; this object can be copied but not edited"
        case .byteOrderMark: "begins with a byte order mark; it can be copied but not edited"
        }
    }

    /// `nil` if it concerns the whole document.
    package var position: JSONPosition? {
        switch self {
        case .tooLarge: nil
        case .tooDeep(let position, _), .unexpected(let position, _, _), .notUTF8(let position, _),
            .utf16(let position),
            .duplicateKey(let position, _), .loneSurrogate(let position):
            position
        case .byteOrderMark: JSONPosition(line: 1, column: 1, offset: 0)
        }
    }
}

/// What the text has instead of what was expected.
package enum JSONFound: Sendable, Hashable {
    case end
    case character(String)
    /// A number that JSON does not have, such as `NaN`.
    case notFinite(String)
    /// A byte that does not begin a character.
    case byte(UInt8)

    package var text: String {
        switch self {
        case .end: "the end of the text"
        case .character(let character): "`\(character)`"
        case .notFinite(let word): "`\(word)`, which is no number in JSON"
        case .byte(let byte):
            "byte 0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
    }
}

/// Something that other parsers may read differently or refuse. It is kept as it is.
package struct JSONWarning: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case duplicateKey(String)
        case loneSurrogate
        case byteOrderMark
        /// The number, as it is written, and the double nearest to it.
        case inexactDouble(String, Double)
    }
    package let kind: Kind
    package let position: JSONPosition

    private static let mostDigits = 40

    private static func shortened(_ number: String) -> String {
        number.count > mostDigits ? "\(number.prefix(mostDigits))…" : number
    }

    /// One line, with the position first.
    package var reason: String {
        switch kind {
        case .duplicateKey(let key): "\(position.text): duplicate key `\(key)`"
        case .loneSurrogate: "\(position.text): unpaired surrogate"
        case .byteOrderMark: "\(position.text): begins with a byte order mark"
        case .inexactDouble(let text, let double):
            "\(position.text): `\(Self.shortened(text))` becomes \(double) in programs that read numbers as "
                + "doubles"
        }
    }
}
