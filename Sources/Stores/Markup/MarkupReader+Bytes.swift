extension MarkupReader {
    /// `nil` behind the end.
    @inline(__always)
    func byte(_ index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

    func has(_ text: StaticString, at index: Int) -> Bool {
        let count = text.utf8CodeUnitCount
        guard index + count <= bytes.count else { return false }
        for place in 0..<count where unsafe text.utf8Start[place] != bytes[index + place] { return false }
        return true
    }

    /// The offset of the first occurrence.
    func find(_ text: StaticString, from index: Int) -> Int? {
        var index = index
        while index < bytes.count {
            if has(text, at: index) { return index }
            index += 1
        }
        return nil
    }

    func text(in range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    @inline(__always)
    func isSpace(_ index: Int) -> Bool {
        guard let byte = byte(index) else { return false }
        return byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    mutating func skipSpace() { while isSpace(offset) { offset += 1 } }

    mutating func expect(_ text: StaticString) throws(StoreFault) {
        guard has(text, at: offset) else { throw unexpected("`\(text)`") }
        offset += text.utf8CodeUnitCount
    }

    /// A fault at the next byte.
    func unexpected(_ expected: String) -> StoreFault {
        fault(offset < bytes.count ? .expected(expected) : .endOfFile)
    }

    /// The range of a name.
    mutating func name() throws(StoreFault) -> Range<Int> {
        let start = offset
        while let byte = byte(offset) {
            if byte < 0x80 {
                guard Unicode.Scalar(byte).isInName(first: offset == start) else { break }
                offset += 1
            } else {
                guard let scalar = scalar(at: offset), scalar.isInName(first: offset == start) else { break }
                offset += UTF8.width(scalar)
            }
        }
        guard offset > start else { throw unexpected("a name") }
        return start..<offset
    }

    private func scalar(at index: Int) -> Unicode.Scalar? {
        var decoder = UTF8()
        var rest = bytes[index...].makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&rest) else { return nil }
        return scalar
    }

    /// Throws unless all is UTF-8, of characters that may stand in the document.
    func checkCharacters() throws(StoreFault) {
        do {
            _ = try UTF8Span(validating: bytes.span)
        } catch {
            throw fault(.notUTF8, at: error.byteOffsets.lowerBound)
        }
        for (index, byte) in bytes.enumerated() {
            if byte < 0x20 {
                guard byte == 0x0A || byte == 0x0D || byte == 0x09 else {
                    throw fault(.character(UInt64(byte)), at: index)
                }
            } else if byte == 0xEF, characters != .android {
                guard let scalar = scalar(at: index), scalar.isXML else {
                    throw fault(.character(UInt64(scalar(at: index)?.value ?? 0)), at: index)
                }
            }
        }
    }
}

extension Unicode.Scalar {
    /// Whether it may stand in a name, or begin one.
    func isInName(first: Bool) -> Bool {
        switch value {
        case 0x3A, 0x41...0x5A, 0x5F, 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D,
            0x37F...0x1FFF, 0x200C...0x200D, 0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF,
            0xF900...0xFDCF, 0xFDF0...0xFFFD, 0x1_0000...0xE_FFFF:
            true
        case 0x2D, 0x2E, 0x30...0x39, 0xB7, 0x300...0x36F, 0x203F...0x2040: !first
        default: false
        }
    }
}

extension StorePlace {
    /// The line and column of an offset. It counts from the start, so it is for faults alone.
    package static func line(of offset: Int, in bytes: [UInt8]) -> StorePlace {
        var line = 1
        var column = 1
        var isAfterReturn = false
        for byte in bytes.prefix(offset) {
            switch byte {
            case 0x0A where isAfterReturn: break
            case 0x0A, 0x0D: (line, column) = (line + 1, 1)
            case 0x80..<0xC0: break
            default: column += 1
            }
            isAfterReturn = byte == 0x0D
        }
        return .line(line, column: column)
    }
}
