/// A list of strings as Java's `ObjectOutputStream` writes an `ArrayList`.
///
/// Read only: no plugin writes it any more where it can write JSON.
enum JavaStringList {
    /// The stream's header, an object, and the description of `java.util.ArrayList`: its name, its serial
    /// version, its one field `int size`.
    private static let header: [UInt8] =
        [0xAC, 0xED, 0, 5, 0x73, 0x72, 0, 19] + Array("java.util.ArrayList".utf8)
        + [0x78, 0x81, 0xD2, 0x1D, 0x99, 0xC7, 0x61, 0x9D, 3, 0, 1, 0x49, 0, 4] + Array("size".utf8)
        + [0x78, 0x70]

    /// `nil` for anything but an `ArrayList` of strings.
    static func decoded(_ bytes: [UInt8]) -> [String]? {
        guard bytes.starts(with: header) else { return nil }
        var stream = Stream(rest: bytes[header.count...])
        guard let size = stream.number(4), stream.number(1) == 0x77, stream.number(1) == 4,
            stream.number(4) != nil, size <= bytes.count
        else { return nil }
        var strings: [String] = []
        // The first two numbers are the class and the list.
        var written: [String] = []
        for _ in 0..<size {
            guard let tag = stream.number(1) else { return nil }
            switch tag {
            case 0x74, 0x7C:
                guard let count = stream.number(tag == 0x74 ? 2 : 8), let text = stream.text(count) else {
                    return nil
                }
                strings.append(text)
                written.append(text)
            case 0x71:
                // A string that was written before, by its number.
                guard let handle = stream.number(4), written.indices.contains(handle - 0x7E_0002) else {
                    return nil
                }
                strings.append(written[handle - 0x7E_0002])
            default: return nil
            }
        }
        return stream.number(1) == 0x78 && stream.rest.isEmpty ? strings : nil
    }

    private struct Stream {
        var rest: ArraySlice<UInt8>

        /// Of `size` bytes, at most 8.
        mutating func number(_ size: Int) -> Int? {
            guard rest.count >= size else { return nil }
            defer { rest = rest.dropFirst(size) }
            return Int(exactly: rest.prefix(size).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        }

        /// In Java's modified UTF-8: NUL in two bytes, and surrogates in three bytes each.
        mutating func text(_ count: Int) -> String? {
            guard count <= rest.count else { return nil }
            defer { rest = rest.dropFirst(count) }
            var units: [UInt16] = []
            var bytes = rest.prefix(count)
            func follower() -> UInt16? {
                guard let byte = bytes.popFirst(), byte & 0xC0 == 0x80 else { return nil }
                return UInt16(byte & 0x3F)
            }
            while let byte = bytes.popFirst() {
                switch byte {
                case 1..<0x80: units.append(UInt16(byte))
                case 0xC0..<0xE0:
                    guard let second = follower() else { return nil }
                    units.append(UInt16(byte & 0x1F) << 6 | second)
                case 0xE0..<0xF0:
                    guard let second = follower(), let third = follower() else { return nil }
                    units.append(UInt16(byte & 0x0F) << 12 | second << 6 | third)
                default: return nil
                }
            }
            return String(validating: units, as: UTF16.self)
        }
    }
}
