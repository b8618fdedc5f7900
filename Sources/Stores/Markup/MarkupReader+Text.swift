extension MarkupReader {
    /// Text up to the next `<`.
    mutating func text() throws(StoreFault) -> String {
        var text: [UInt8] = []
        var start = offset
        while let byte = byte(offset), byte != UInt8(ascii: "<") {
            switch byte {
            case UInt8(ascii: "&"):
                text += bytes[start..<offset]
                try appendReference(to: &text)
                start = offset
            case 0x0D where characters != .propertyList:
                text += bytes[start..<offset]
                appendLineEnd(0x0A, to: &text)
                start = offset
            case UInt8(ascii: "]") where has("]]>", at: offset): throw fault(.expected("`]]&gt;`"))
            default: offset += 1
            }
        }
        if text.isEmpty { return self.text(in: start..<offset) }
        text += bytes[start..<offset]
        return String(decoding: text, as: UTF8.self)
    }

    /// The text of a CDATA section.
    mutating func section() throws(StoreFault) -> String {
        guard let end = find("]]>", from: offset + 9) else { throw fault(.endOfFile, at: bytes.count) }
        offset += 9
        var text: [UInt8] = []
        text.reserveCapacity(end - offset)
        while offset < end {
            if bytes[offset] == 0x0D, characters != .propertyList {
                appendLineEnd(0x0A, to: &text)
            } else {
                text.append(bytes[offset])
                offset += 1
            }
        }
        offset = end + 3
        return String(decoding: text, as: UTF8.self)
    }

    /// An attribute's value with its quotes.
    mutating func attributeValue() throws(StoreFault) -> String {
        guard let quote = byte(offset), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw unexpected("a quote")
        }
        offset += 1
        var text: [UInt8] = []
        var start = offset
        while let byte = byte(offset), byte != quote {
            switch byte {
            case UInt8(ascii: "<"): throw fault(.expected("`&lt;`"))
            case UInt8(ascii: "&"):
                text += bytes[start..<offset]
                try appendReference(to: &text)
                start = offset
            case 0x09, 0x0A, 0x0D:
                text += bytes[start..<offset]
                appendLineEnd(0x20, to: &text)
                start = offset
            default: offset += 1
            }
        }
        guard offset < bytes.count else { throw fault(.endOfFile) }
        defer { offset += 1 }
        if text.isEmpty { return self.text(in: start..<offset) }
        text += bytes[start..<offset]
        return String(decoding: text, as: UTF8.self)
    }

    /// `byte` for a line end or tab; one for CR LF.
    private mutating func appendLineEnd(_ byte: UInt8, to text: inout [UInt8]) {
        text.append(byte)
        offset += has("\r\n", at: offset) ? 2 : 1
    }

    /// The character of a reference, which begins at `offset`.
    private mutating func appendReference(to text: inout [UInt8]) throws(StoreFault) {
        let start = offset
        offset += 1
        if has("#", at: offset) {
            let scalar = try scalar(from: start)
            text += Array(String(Character(scalar)).utf8)
            return
        }
        let name = self.text(in: try name())
        try expect(";")
        switch name {
        case "lt": text.append(UInt8(ascii: "<"))
        case "gt": text.append(UInt8(ascii: ">"))
        case "amp": text.append(UInt8(ascii: "&"))
        case "apos": text.append(UInt8(ascii: "'"))
        case "quot": text.append(UInt8(ascii: "\""))
        default: throw fault(.entity(name), at: start)
        }
    }

    /// Android writes a character beyond 16 bits as the references of its two surrogates.
    private mutating func scalar(from start: Int) throws(StoreFault) -> Unicode.Scalar {
        let code = try numericReference()
        if characters == .android, (0xD800...0xDBFF).contains(code), has("&#", at: offset) {
            offset += 1
            let low = try numericReference()
            if (0xDC00...0xDFFF).contains(low),
                let scalar = Unicode.Scalar(UInt32(0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)))
            {
                return scalar
            }
        }
        guard let scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init),
            characters == .android || scalar.isXML
        else { throw fault(.character(code), at: start) }
        return scalar
    }

    private mutating func numericReference() throws(StoreFault) -> UInt64 {
        offset += 1
        let isHexadecimal = has("x", at: offset)
        if isHexadecimal { offset += 1 }
        let digits = bytes[offset...].prefix { $0 != UInt8(ascii: ";") && $0 > 0x20 && $0 < 0x7F }
        // XML allows any number of leading zeros; no program writes that many.
        guard !digits.isEmpty, digits.count <= 32, digits.first != UInt8(ascii: "+"),
            digits.first != UInt8(ascii: "-")
        else { throw unexpected("a number") }
        let text = String(decoding: digits, as: UTF8.self)
        guard let code = UInt64(text, radix: isHexadecimal ? 16 : 10) else {
            throw fault(.expected("a number"))
        }
        offset = digits.endIndex
        try expect(";")
        return code
    }
}

extension Unicode.Scalar {
    /// Whether XML 1.0 allows it.
    var isXML: Bool {
        switch value {
        case 0x09, 0x0A, 0x0D, 0x20...0xFFFD, 0x1_0000...: true
        default: false
        }
    }
}
