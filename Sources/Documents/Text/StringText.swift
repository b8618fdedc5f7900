/// The content of a JSON string, given the range of its text without quotes. It is UTF-8, except that half
/// a surrogate pair becomes the three bytes of its code point, so that different strings stay different.
func unescaped(_ bytes: [UInt8], _ range: Range<Int>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    var index = range.lowerBound
    while index < range.upperBound {
        let byte = bytes[index]
        index += 1
        guard byte == UInt8(ascii: "\\"), index < range.upperBound else {
            result.append(byte)
            continue
        }
        let escape = bytes[index]
        index += 1
        if escape == UInt8(ascii: "u") {
            appendCodePoint(bytes, &index, range.upperBound, to: &result)
        } else {
            result.append(controlCharacter(escape))
        }
    }
    return result
}

/// The JSON string with the content `text`, with quotes. Only what must be escaped is escaped.
func escaped(_ text: some Sequence<UInt8>) -> [UInt8] {
    var result = [UInt8(ascii: "\"")]
    var rest = text.makeIterator()
    while let byte = rest.next() {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): result += [UInt8(ascii: "\\"), byte]
        case 0x08: result += Array("\\b".utf8)
        case 0x09: result += Array("\\t".utf8)
        case 0x0A: result += Array("\\n".utf8)
        case 0x0C: result += Array("\\f".utf8)
        case 0x0D: result += Array("\\r".utf8)
        case 0..<0x20: result += hexEscape(UInt32(byte))
        case 0xED:
            let second = rest.next() ?? 0
            let third = rest.next() ?? 0
            // Half a surrogate pair has no UTF-8 encoding, so it is escaped.
            if second >= 0xA0 {
                result += hexEscape(0xD000 | UInt32(second & 0x3F) << 6 | UInt32(third & 0x3F))
            } else {
                result += [byte, second, third]
            }
        default: result.append(byte)
        }
    }
    result.append(UInt8(ascii: "\""))
    return result
}

private func hexEscape(_ code: UInt32) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    return Array("\\u".utf8) + [12, 8, 4, 0].map { digits[Int(code >> UInt32($0) & 15)] }
}

private func controlCharacter(_ escape: UInt8) -> UInt8 {
    switch escape {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "r"): 0x0D
    default: escape
    }
}

private func appendCodePoint(_ bytes: [UInt8], _ index: inout Int, _ end: Int, to result: inout [UInt8]) {
    var code = codeUnit(bytes, index, end)
    index += 4
    if code & 0xFC00 == 0xD800, index + 6 <= end, bytes[index] == UInt8(ascii: "\\"),
        bytes[index + 1] == UInt8(ascii: "u")
    {
        let second = codeUnit(bytes, index + 2, end)
        if second & 0xFC00 == 0xDC00 {
            code = 0x1_0000 + (code & 0x3FF) << 10 + second & 0x3FF
            index += 6
        }
    }
    func follower(_ shift: UInt32) -> UInt8 { UInt8(0x80 | code >> shift & 0x3F) }
    switch code {
    case 0..<0x80: result.append(UInt8(code))
    case 0..<0x800: result += [UInt8(0xC0 | code >> 6), follower(0)]
    case 0..<0x1_0000: result += [UInt8(0xE0 | code >> 12), follower(6), follower(0)]
    default: result += [UInt8(0xF0 | code >> 18), follower(12), follower(6), follower(0)]
    }
}

/// The value of four hexadecimal digits, which the parser has checked.
private func codeUnit(_ bytes: [UInt8], _ index: Int, _ end: Int) -> UInt32 {
    var value: UInt32 = 0
    for digit in index..<min(index + 4, end) { value = value << 4 | (hexValue(bytes[digit]) ?? 0) }
    return value
}
