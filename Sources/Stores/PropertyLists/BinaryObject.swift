/// An object of a binary property list, without the objects that it refers to.
struct BinaryObject {
    enum Kind {
        /// A value of a fixed size.
        case plain(StoreValue)
        case data
        case asciiString
        case utf16String
        case array
        /// The references to its keys, then to its values.
        case dictionary
    }

    let kind: Kind
    /// All its bytes.
    let range: Range<Int>
    /// Its bytes without the marker and the count.
    let content: Range<Int>

    /// What an object is called whose marker is not known in a property list of this version.
    static func name(of marker: UInt8) -> String {
        switch (marker >> 4, marker) {
        case (_, 0x00): "null"
        case (_, 0x0C), (_, 0x0D): "URL"
        case (_, 0x0E): "UUID"
        case (0x7, _): "UTF-8 string"
        case (0xB, _): "ordered set"
        case (0xC, _): "set"
        default: "0x" + (marker < 16 ? "0" : "") + String(marker, radix: 16, uppercase: true)
        }
    }
}

extension BinaryObjectTable {
    /// The kind and the extent of an object. Whether a string is valid is for `string` to tell.
    func object(_ reference: Int) throws(StoreFault) -> BinaryObject {
        let start = offset(of: reference)
        guard start >= BinaryTrailer.start, start < trailer.tableOffset else {
            throw fault(.reference(reference), at: start)
        }
        let marker = bytes[start]
        let low = Int(marker & 0xF)
        switch marker >> 4 {
        case 0x0 where marker == 0x08 || marker == 0x09:
            return try plain(start, size: 0) { _ in .bool(marker == 0x09) }
        case 0x1 where low <= 4: return try plain(start, size: 1 << low) { integer($0) }
        case 0x2 where low == 2:
            return try plain(start, size: 4) { content in
                let bits = UInt32(truncatingIfNeeded: number(content))
                return .real(Double(Float(bitPattern: bits)))
            }
        case 0x2 where low == 3:
            return try plain(start, size: 8) { .real(Double(bitPattern: number($0))) }
        case 0x3 where low == 3:
            return try plain(start, size: 8) { .date(Double(bitPattern: number($0))) }
        case 0x4: return try counted(start, .data, unit: 1)
        case 0x5: return try counted(start, .asciiString, unit: 1)
        case 0x6: return try counted(start, .utf16String, unit: 2)
        case 0x8 where low < 8: return try plain(start, size: low + 1) { .uid(number($0)) }
        case 0xA: return try counted(start, .array, unit: trailer.referenceSize)
        case 0xD: return try counted(start, .dictionary, unit: 2 * trailer.referenceSize)
        default: throw fault(.unknownElement(BinaryObject.name(of: marker)), at: start)
        }
    }

    private func number(_ range: Range<Int>) -> UInt64 {
        bytes.bigEndian(at: range.lowerBound, size: range.count)
    }

    /// Those of 8 bytes or more have a sign, others have none. `nil` beyond 64 bits.
    private func integer(_ content: Range<Int>) -> StoreValue? {
        if content.count <= 8 { return .integer(Int64(bitPattern: number(content))) }
        let high = bytes.bigEndian(at: content.lowerBound, size: 8)
        let low = bytes.bigEndian(at: content.lowerBound + 8, size: 8)
        let signed = Int64(bitPattern: low)
        switch high {
        case 0: return signed < 0 ? .unsigned(low) : .integer(signed)
        case .max where signed < 0: return .integer(signed)
        default: return nil
        }
    }

    private func plain(
        _ start: Int,
        size: Int,
        _ value: (Range<Int>) -> StoreValue?
    ) throws(StoreFault) -> BinaryObject {
        let content = try content(start + 1, count: size, unit: 1)
        guard let value = value(content) else { throw fault(.notA(.integer), at: start) }
        return BinaryObject(kind: .plain(value), range: start..<content.upperBound, content: content)
    }

    /// With the count in its marker, or as an integer behind it.
    private func counted(
        _ start: Int,
        _ kind: BinaryObject.Kind,
        unit: Int
    ) throws(StoreFault) -> BinaryObject {
        var count = UInt64(bytes[start] & 0xF)
        var offset = start + 1
        if count == 0xF {
            let number = try content(offset, count: 1, unit: 1).lowerBound
            guard bytes[number] & 0xF0 == 0x10, bytes[number] & 0xF <= 3 else {
                throw fault(.expected("a count"), at: number)
            }
            let size = 1 << Int(bytes[number] & 0xF)
            count = self.number(try content(number + 1, count: UInt64(size), unit: 1))
            offset = number + 1 + size
        }
        let content = try content(offset, count: count, unit: unit)
        return BinaryObject(kind: kind, range: start..<content.upperBound, content: content)
    }

    private func content(_ start: Int, count: some BinaryInteger, unit: Int) throws(StoreFault) -> Range<Int>
    {
        let most = (trailer.tableOffset - start) / unit
        guard count <= most else { throw fault(.endOfFile, at: trailer.tableOffset) }
        return start..<start + Int(count) * unit
    }
}
