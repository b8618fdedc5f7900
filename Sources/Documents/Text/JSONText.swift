/// A JSON text on one line, with its keys in the given order.
///
/// It is used for output that other programs read: Foundation's encoder sorts or shuffles keys and omits
/// `nil`, and the output format specifies both.
package struct JSONText: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    package static let null = JSONText(verbatim: "null")

    private init(verbatim: String) { description = verbatim }

    package init(_ text: String?) {
        self.init(verbatim: text.map(Self.quoted) ?? "null")
    }

    package init(_ number: (some BinaryInteger)?) {
        self.init(verbatim: number.map { String($0) } ?? "null")
    }

    /// A number with three decimal places, for times in milliseconds.
    package init(thousandths: Int) {
        let digits = String(thousandths.magnitude % 1_000)
        let sign = thousandths < 0 ? "-" : ""
        let zeros = String(repeating: "0", count: 3 - digits.count)
        self.init(verbatim: "\(sign)\(thousandths.magnitude / 1_000).\(zeros)\(digits)")
    }

    package init(_ flag: Bool) {
        self.init(verbatim: flag ? "true" : "false")
    }

    package init(_ elements: [JSONText]) {
        self.init(verbatim: "[" + elements.map(\.description).joined(separator: ",") + "]")
    }

    package init(object members: [(String, JSONText)]) {
        let texts = members.map { "\(Self.quoted($0.0)):\($0.1)" }
        self.init(verbatim: "{" + texts.joined(separator: ",") + "}")
    }

    /// A document on one line. Its line ends are white space, because a string cannot contain one.
    package init(_ json: JSON) {
        let bytes = json.bytes.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
        self.init(verbatim: String(decoding: bytes, as: UTF8.self).trimmingSpaces)
    }

    /// JSON text without the white space between its values.
    package init(compacting text: String) {
        var bytes: [UInt8] = []
        var isString = false
        var isEscaped = false
        for byte in text.utf8 where isString || ![0x20, 0x0A, 0x0D, 0x09].contains(byte) {
            bytes.append(byte)
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\"") {
                isString.toggle()
            } else {
                isEscaped = isString && byte == UInt8(ascii: "\\")
            }
        }
        self.init(verbatim: String(decoding: bytes, as: UTF8.self))
    }

    /// The object with its bridge as the first member; unchanged if `bridge` is `nil`.
    package func with(bridge: String?) -> JSONText {
        guard let bridge else { return self }
        return JSONText(verbatim: "{\"bridge\":\(Self.quoted(bridge)),\(description.dropFirst())")
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\u{0}"..<" ":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        let end = lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex
        return String(self[(firstIndex { $0 != " " } ?? startIndex)..<end])
    }
}

extension JSONText: ExpressibleByDictionaryLiteral, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
    package init(dictionaryLiteral members: (String, JSONText)...) { self.init(object: members) }
    package init(stringLiteral text: String) { self.init(text) }
    package init(booleanLiteral flag: Bool) { self.init(flag) }
}
