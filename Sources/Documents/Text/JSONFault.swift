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
        let position = finder.position(of: offset)
        switch kind {
        case .unexpected(let expected):
            return .unexpected(position, expected: expected, found: found(in: bytes))
        case .notUTF8(let byte): return .notUTF8(position, byte: byte)
        case .tooDeep(let limit): return .tooDeep(position, limit: limit)
        }
    }

    private func found(in bytes: [UInt8]) -> JSONFound {
        guard offset < bytes.count else { return .end }
        var decoder = UTF8()
        var rest = bytes[offset...].makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&rest), scalar.value >= 0x20 else {
            return .byte(bytes[offset])
        }
        return .character(String(Character(scalar)))
    }
}
