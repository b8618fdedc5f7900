/// The last bytes of a binary property list, which tell where its objects are.
struct BinaryTrailer: Sendable, Hashable {
    static let size = 32
    /// Where the objects begin.
    static let start = 8

    /// The size of an entry of the offset table, in bytes.
    let offsetSize: Int
    /// The size of a reference from one object to another, in bytes.
    let referenceSize: Int
    /// The number of objects.
    let count: Int
    /// The object that contains all others.
    let top: Int
    /// Where the objects end, and the table of their offsets begins.
    let tableOffset: Int

    /// Of a file without keys.
    static let empty = BinaryTrailer(offsetSize: 1, referenceSize: 1, count: 1, top: 0, tableOffset: 9)

    init(offsetSize: Int, referenceSize: Int, count: Int, top: Int, tableOffset: Int) {
        (self.offsetSize, self.referenceSize) = (offsetSize, referenceSize)
        (self.count, self.top, self.tableOffset) = (count, top, tableOffset)
    }

    /// As strict as the platform's own reader: the table ends where the trailer begins, and the sizes of
    /// offsets and references suffice for the whole file.
    init(of bytes: [UInt8]) throws(StoreFault) {
        guard bytes.count > Self.start + Self.size else {
            throw .malformed(.binaryPropertyList, .offset(bytes.count), .endOfFile)
        }
        let offset = bytes.count - Self.size
        let fault = StoreFault.malformed(
            .binaryPropertyList,
            .offset(offset),
            .expected("a trailer that fits the file")
        )
        (offsetSize, referenceSize) = (Int(bytes[offset + 6]), Int(bytes[offset + 7]))
        guard let count = Int(exactly: bytes.bigEndian(at: offset + 8, size: 8)),
            let top = Int(exactly: bytes.bigEndian(at: offset + 16, size: 8)),
            let tableOffset = Int(exactly: bytes.bigEndian(at: offset + 24, size: 8)),
            (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            Self.reaches(count, in: referenceSize), Self.reaches(tableOffset, in: offsetSize),
            tableOffset > Self.start, tableOffset < offset, count > 0, top < count,
            count <= offset, offset - tableOffset == count * offsetSize
        else { throw fault }
        (self.count, self.top, self.tableOffset) = (count, top, tableOffset)
    }

    private static func reaches(_ number: Int, in size: Int) -> Bool {
        size == 8 || UInt64(number) < 1 << (8 * UInt64(size))
    }

    /// The smallest size that the platform's reader accepts for numbers up to this one.
    static func size(for number: Int) -> Int {
        [1, 2, 4].first { reaches(number, in: $0) } ?? 8
    }
}

extension [UInt8] {
    /// The unsigned number in these bytes, at most 8.
    @inline(__always)
    func bigEndian(at offset: Int, size: Int) -> UInt64 {
        var number: UInt64 = 0
        for index in offset..<offset + size { number = number << 8 | UInt64(self[index]) }
        return number
    }

    /// Appends the last bytes of a number.
    @inline(__always)
    mutating func append(bigEndian number: UInt64, size: Int) {
        for shift in stride(from: 8 * (size - 1), through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
        }
    }
}
