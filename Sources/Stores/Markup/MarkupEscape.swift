/// How characters are written in XML, where they may not stand as themselves.
package enum MarkupEscape: Sendable, Hashable {
    case text
    /// Between double quotes.
    case attribute
    /// Text or attribute, as Android writes both.
    case android

    /// UTF-8. Throws for a character that XML does not allow. Android's own serializer writes every
    /// character as a reference, which other parsers refuse, and with it the whole file.
    package func escaped(_ text: String) throws(ForbiddenCharacter) -> [UInt8] {
        if let scalar = text.unicodeScalars.first(where: { !$0.isXML }) { throw ForbiddenCharacter(scalar) }
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
            case 0..<0x20: result += Array("&#\(byte);".utf8)
            default: result.append(byte)
            }
        }
        return result
    }
}

package struct ForbiddenCharacter: Error, Sendable, Hashable {
    package var scalar: Unicode.Scalar

    init(_ scalar: Unicode.Scalar) { self.scalar = scalar }
}
