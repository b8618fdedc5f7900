extension JSONParser {
    func beginsValue(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "-"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            true
        default: false
        }
    }

    mutating func parseLiteral() throws(JSONFault) {
        switch input[index] {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try parseNumber()
        case UInt8(ascii: "t"): try parseWord("true", .true)
        case UInt8(ascii: "f"): try parseWord("false", .false)
        case UInt8(ascii: "n"): try parseWord("null", .null)
        default: throw expected("a value")
        }
    }

    private mutating func parseWord(_ word: StaticString, _ kind: JSONNode.Kind) throws(JSONFault) {
        let start = index
        let text = word.description
        for byte in text.utf8 {
            guard input[index] == byte else { throw expected("`\(text)`") }
            index &+= 1
        }
        append(kind, from: start, to: index)
    }

    private mutating func parseNumber() throws(JSONFault) {
        let start = index
        if input[index] == UInt8(ascii: "-") { index &+= 1 }
        if input[index] == UInt8(ascii: "0") {
            index &+= 1
        } else {
            try parseDigits()
        }
        if input[index] == UInt8(ascii: ".") {
            index &+= 1
            try parseDigits()
        }
        if input[index] | 0x20 == UInt8(ascii: "e") {
            index &+= 1
            if input[index] == UInt8(ascii: "+") || input[index] == UInt8(ascii: "-") { index &+= 1 }
            try parseDigits()
        }
        append(.number, from: start, to: index)
    }

    @inline(__always)
    private mutating func parseDigits() throws(JSONFault) {
        guard input[index] &- UInt8(ascii: "0") < 10 else { throw expected("a digit") }
        repeat { index &+= 1 } while input[index] &- UInt8(ascii: "0") < 10
    }

    mutating func parseString() throws(JSONFault) {
        let start = index
        var traits: JSONNode.Traits = []
        index &+= 1
        while true {
            skipPlain()
            let byte = input[index]
            if byte == UInt8(ascii: "\"") {
                index &+= 1
                return append(.string, from: start, to: index, traits: traits)
            } else if byte == UInt8(ascii: "\\") {
                traits.insert(.escaped)
                if try parseEscape() { traits.insert(.loneSurrogate) }
            } else if byte >= 0x80 {
                try parseCodePoint()
            } else if index < input.count {
                throw expected("an escape for this control character")
            } else {
                throw expected("`\"`")
            }
        }
    }

    /// Advances to the next byte that needs a check: a quote, a backslash, a control character, or not
    /// ASCII.
    @inline(__always)
    private mutating func skipPlain() {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        while let word = input.word(at: index) {
            // Subtracting n from a byte below n borrows into the byte's highest bit.
            let quotes = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
            let slashes = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
            let special =
                ((quotes &- ones) & ~quotes) | ((slashes &- ones) & ~slashes)
                | ((word &- ones &* 0x20) & ~word) | word
            let found = special & highs
            guard found == 0 else {
                index &+= found.trailingZeroBitCount / 8
                return
            }
            index &+= 8
        }
        while true {
            let byte = input[index]
            guard byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else {
                return
            }
            index &+= 1
        }
    }

    /// Parses one escape, or two that form one code point; `true` for half a surrogate pair.
    private mutating func parseEscape() throws(JSONFault) -> Bool {
        let start = index
        index &+= 1
        switch input[index] {
        case UInt8(ascii: "u"):
            index &+= 1
            let first = try parseHex()
            guard first & 0xF800 == 0xD800 else { return false }
            if first < 0xDC00, input[index] == UInt8(ascii: "\\"), input[index + 1] == UInt8(ascii: "u") {
                let between = index
                index &+= 2
                if try parseHex() & 0xFC00 == 0xDC00 { return false }
                index = between
            }
            addOddity(at: start, .loneSurrogate)
            return true
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            index &+= 1
            return false
        default:
            throw expected("one of `\"\\/bfnrtu` after `\\`")
        }
    }

    private mutating func parseHex() throws(JSONFault) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = hexValue(input[index]) else { throw expected("a hexadecimal digit") }
            value = value << 4 | digit
            index &+= 1
        }
        return value
    }

    /// Parses a code point beyond ASCII, by the table of RFC 3629.
    private mutating func parseCodePoint() throws(JSONFault) {
        let first = input[index]
        let second = input[index + 1]
        let fault = JSONFault(index, .notUTF8(first))
        let length: Int
        switch first {
        case 0xC2...0xDF: length = 2
        case 0xE0: length = second >= 0xA0 ? 3 : 0
        case 0xED: length = second < 0xA0 ? 3 : 0
        case 0xE1...0xEF: length = 3
        case 0xF0: length = second >= 0x90 ? 4 : 0
        case 0xF1...0xF3: length = 4
        case 0xF4: length = second < 0x90 ? 4 : 0
        default: length = 0
        }
        guard length > 0 else { throw fault }
        for follower in 1..<length where input[index + follower] & 0xC0 != 0x80 { throw fault }
        index &+= length
    }
}

/// The value of a hexadecimal digit.
func hexValue(_ digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(digit - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(digit - UInt8(ascii: "A") + 10)
    default: nil
    }
}
