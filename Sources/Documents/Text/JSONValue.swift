/// A value of a document, decoded: for readers outside of this module, and for values made there.
package indirect enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    /// As JSON writes it.
    case number(String)
    /// UTF-8, except that half a surrogate pair is the three bytes of its code point.
    case string([UInt8])
    case array([JSONValue])
    /// In the order of the text.
    case object([Member])

    package struct Member: Sendable, Hashable {
        package var key: [UInt8]
        package var value: JSONValue

        package init(key: [UInt8], value: JSONValue) { (self.key, self.value) = (key, value) }
    }

    /// The kinds of values that JSON distinguishes.
    package enum Kind: String, Sendable, Hashable {
        case null, boolean, number, string, array, object
    }

    package var kind: Kind {
        switch self {
        case .null: .null
        case .bool: .boolean
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }

    /// All of a document.
    package init(_ json: JSON) { self.init(json, JSON.root) }

    init(_ json: JSON, _ node: Int) { self.init(json.text, node) }

    init(_ text: NodeText, _ node: Int) {
        switch text.kind(node) {
        case .null: self = .null
        case .true: self = .bool(true)
        case .false: self = .bool(false)
        case .number: self = .number(String(decoding: text.bytes[text.range(of: node)], as: UTF8.self))
        case .string: self = .string(text.string(node))
        case .array: self = .array(text.elements(of: node).map { JSONValue(text, $0) })
        case .object:
            self = .object(
                text.members(of: node).map {
                    Member(key: text.string($0.key), value: JSONValue(text, $0.value))
                }
            )
        }
    }

    /// Compact JSON.
    package var bytes: [UInt8] {
        switch self {
        case .null: Array("null".utf8)
        case .bool(let flag): Array((flag ? "true" : "false").utf8)
        case .number(let text): Array(text.utf8)
        case .string(let text): escaped(text)
        case .array(let elements): Self.joined(elements.map(\.bytes), in: "[]")
        case .object(let members):
            Self.joined(members.map { escaped($0.key) + [UInt8(ascii: ":")] + $0.value.bytes }, in: "{}")
        }
    }

    private static func joined(_ parts: [[UInt8]], in brackets: String) -> [UInt8] {
        let ends = Array(brackets.utf8)
        return [ends[0]] + parts.joined(separator: [UInt8(ascii: ",")]) + [ends[1]]
    }

    /// A number as an integer; `nil` if it is not a whole number, or does not fit. 1.0 and 1e2 are integers.
    package func integer<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
        guard case .number(let text) = self else { return nil }
        let value = ExactDecimal(Array(text.utf8))
        if value.isZero { return 0 }
        guard case .small(let zeros) = value.exponent, zeros >= 0, value.digits.count + zeros <= 20 else {
            return nil
        }
        let digits = value.digits + [UInt8](repeating: UInt8(ascii: "0"), count: zeros)
        return Number((value.isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self))
    }
}
