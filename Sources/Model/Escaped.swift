/// A name as printable text: bytes that are not UTF-8 or not printable become `\xHH`.
package func escaped(_ name: [UInt8]) -> String {
    var text = ""
    for byte in name {
        if (0x20..<0x7f).contains(byte), byte != UInt8(ascii: "\\") {
            text.unicodeScalars.append(Unicode.Scalar(byte))
        } else {
            text += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
    }
    return text
}
