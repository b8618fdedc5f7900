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
        switch input[place] {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try parseNumber()
        case UInt8(ascii: "t"): try parseWord("true", .true)
        case UInt8(ascii: "f"): try parseWord("false", .false)
        case UInt8(ascii: "n"): try parseWord("null", .null)
        default: throw expected("a value")
        }
    }

    private mutating func parseWord(_ word: StaticString, _ kind: JSONNode.Kind) throws(JSONFault) {
        let start = place
        let text = word.description
        for byte in text.utf8 {
            guard input[place] == byte else { throw expected("`\(text)`") }
            place &+= 1
        }
        append(kind, from: start, to: place)
    }

    private mutating func parseNumber() throws(JSONFault) {
        let start = place
        if input[place] == UInt8(ascii: "-") { place &+= 1 }
        if input[place] == UInt8(ascii: "0") {
            place &+= 1
        } else {
            try parseDigits()
        }
        if input[place] == UInt8(ascii: ".") {
            place &+= 1
            try parseDigits()
        }
        if input[place] | 0x20 == UInt8(ascii: "e") {
            place &+= 1
            if input[place] == UInt8(ascii: "+") || input[place] == UInt8(ascii: "-") { place &+= 1 }
            try parseDigits()
        }
        append(.number, from: start, to: place)
    }

    @inline(__always)
    private mutating func parseDigits() throws(JSONFault) {
        guard input[place] &- UInt8(ascii: "0") < 10 else { throw expected("a digit") }
        repeat { place &+= 1 } while input[place] &- UInt8(ascii: "0") < 10
    }

    mutating func parseString() throws(JSONFault) {
        let start = place
        var traits: JSONNode.Traits = []
        place &+= 1
        while true {
            skipPlain()
            let byte = input[place]
            if byte == UInt8(ascii: "\"") {
                place &+= 1
                return append(.string, from: start, to: place, traits: traits)
            } else if byte == UInt8(ascii: "\\") {
                traits.insert(.escaped)
                if try parseEscape() { traits.insert(.loneSurrogate) }
            } else if byte >= 0x80 {
                try parseCodePoint()
            } else if place < input.count {
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
        while let word = input.word(at: place) {
            // Subtracting n from a byte below n borrows into the byte's highest bit.
            let quotes = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
            let slashes = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
            let special =
                ((quotes &- ones) & ~quotes) | ((slashes &- ones) & ~slashes)
                | ((word &- ones &* 0x20) & ~word) | word
            let found = special & highs
            guard found == 0 else {
                place &+= found.trailingZeroBitCount / 8
                return
            }
            place &+= 8
        }
        while true {
            let byte = input[place]
            guard byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else {
                return
            }
            place &+= 1
        }
    }

    /// Parses one escape, or two that form one code point; `true` for half a surrogate pair.
    private mutating func parseEscape() throws(JSONFault) -> Bool {
        let start = place
        place &+= 1
        switch input[place] {
        case UInt8(ascii: "u"):
            place &+= 1
            let first = try parseHex()
            guard first & 0xF800 == 0xD800 else { return false }
            if first < 0xDC00, input[place] == UInt8(ascii: "\\"), input[place + 1] == UInt8(ascii: "u") {
                let between = place
                place &+= 2
                if try parseHex() & 0xFC00 == 0xDC00 { return false }
                place = between
            }
            noteOddity(at: start, .loneSurrogate)
            return true
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            place &+= 1
            return false
        default:
            throw expected("one of `\"\\/bfnrtu` after `\\`")
        }
    }

    private mutating func parseHex() throws(JSONFault) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = hexValue(input[place]) else { throw expected("a hexadecimal digit") }
            value = value << 4 | digit
            place &+= 1
        }
        return value
    }

    /// Parses a code point beyond ASCII, by the table of RFC 3629.
    private mutating func parseCodePoint() throws(JSONFault) {
        let first = input[place]
        let second = input[place + 1]
        let fault = JSONFault(place, .notUTF8(first))
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
        for follower in 1..<length where input[place + follower] & 0xC0 != 0x80 { throw fault }
        place &+= length
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
