/// A parse error with its offset. Line and column are computed only when it is reported.
struct JSONFault: Error {
    enum Kind {
        case unexpected(expected: String)
        case notUTF8(UInt8)
        case tooDeep(limit: Int)
    }
    let offset: Int
    let kind: Kind

    init(_ offset: Int, _ kind: Kind) {
        self.offset = offset
        self.kind = kind
    }

    func located(in bytes: [UInt8]) -> JSONError {
        var finder = PositionFinder(bytes)
        if isUTF16(bytes) { return .utf16(finder.position(of: 0)) }
        let position = finder.position(of: offset)
        switch kind {
        case .unexpected(let expected):
            return .unexpected(position, expected: expected, found: found(in: bytes))
        case .notUTF8(let byte): return .notUTF8(position, byte: byte)
        case .tooDeep(let limit): return .tooDeep(position, limit: limit)
        }
    }

    /// It begins with the byte order mark of UTF-16, or with two characters of ASCII in it.
    private func isUTF16(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 4 else { return false }
        if [[0xFF, 0xFE], [0xFE, 0xFF]].contains(Array(bytes.prefix(2))) { return true }
        let isZero = bytes.prefix(4).map { $0 == 0 }
        return isZero == [true, false, true, false] || isZero == [false, true, false, true]
    }

    private func found(in bytes: [UInt8]) -> JSONFound {
        guard offset < bytes.count else { return .end }
        let word = bytes[offset...].prefix { (0x61...0x7A).contains($0 | 0x20) }
        if ["NaN", "Infinity"].contains(where: { $0.utf8.elementsEqual(word) }) {
            return .notFinite(String(decoding: word, as: UTF8.self))
        }
        var decoder = UTF8()
        var rest = bytes[offset...].makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&rest), scalar.value >= 0x20 else {
            return .byte(bytes[offset])
        }
        return .character(String(Character(scalar)))
    }
}
