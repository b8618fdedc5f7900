/// How characters are written in XML, where they may not stand as themselves.
package enum MarkupEscape: Sendable, Hashable {
    case text
    /// Between double quotes.
    case attribute
    /// Text or attribute, as Android writes both.
    case android

    /// UTF-8; `nil` if the text has a character that cannot be written.
    package func escaped(_ text: String) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count + 16)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): result += Array("&amp;".utf8)
            case UInt8(ascii: "<"): result += Array("&lt;".utf8)
            // Not only after `]]`, where it must be.
            case UInt8(ascii: ">"): result += Array("&gt;".utf8)
            case UInt8(ascii: "\"") where self != .text: result += Array("&quot;".utf8)
            case 0x09 where self == .text, 0x0A where self == .text: result.append(byte)
            case 0..<0x20:
                guard self == .android || byte == 0x09 || byte == 0x0A || byte == 0x0D else { return nil }
                result += Array("&#\(byte);".utf8)
            default: result.append(byte)
            }
        }
        let isXML = self == .android || text.unicodeScalars.allSatisfy(\.isXML)
        return isXML ? result : nil
    }
}
