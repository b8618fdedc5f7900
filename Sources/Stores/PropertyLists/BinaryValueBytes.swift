/// The bytes of values that contain no others, in a binary property list.
enum BinaryValueBytes {
    /// `nil` for a container, and for a type that a property list does not have.
    static func bytes(of value: StoreValue) -> [UInt8]? {
        var bytes: [UInt8] = []
        switch value {
        case .string(let text): appendString(text, to: &bytes)
        case .bool(let isTrue): bytes.append(isTrue ? 0x09 : 0x08)
        case .integer(let number): appendInteger(UInt64(bitPattern: number), to: &bytes)
        case .unsigned(let number):
            guard number > Int64.max else {
                appendInteger(number, to: &bytes)
                break
            }
            // With a sign, so that it takes 16 bytes.
            bytes.append(0x14)
            bytes.append(bigEndian: 0, size: 8)
            bytes.append(bigEndian: number, size: 8)
        case .real(let number):
            bytes.append(0x23)
            bytes.append(bigEndian: number.bitPattern, size: 8)
        case .date(let seconds):
            bytes.append(0x33)
            bytes.append(bigEndian: seconds.bitPattern, size: 8)
        case .data(let content):
            appendMarker(0x40, count: content.count, to: &bytes)
            bytes += content
        case .uid(let number):
            let size = sizeExponent(of: number)
            bytes.append(0x80 | UInt8((1 << size) - 1))
            bytes.append(bigEndian: number, size: 1 << size)
        case .int32, .float, .strings, .array, .dictionary: return nil
        }
        return bytes
    }

    /// A marker with a count, which follows as an integer if it is 15 or more.
    static func appendMarker(_ type: UInt8, count: Int, to bytes: inout [UInt8]) {
        bytes.append(type | UInt8(min(count, 15)))
        if count >= 15 { appendInteger(UInt64(count), to: &bytes) }
    }

    /// A negative number takes 8 bytes, because shorter ones have no sign.
    private static func appendInteger(_ number: UInt64, to bytes: inout [UInt8]) {
        let size = sizeExponent(of: number)
        bytes.append(0x10 | UInt8(size))
        bytes.append(bigEndian: number, size: 1 << size)
    }

    private static func sizeExponent(of number: UInt64) -> Int {
        switch number {
        case ...0xFF: 0
        case ...0xFFFF: 1
        case ...0xFFFF_FFFF: 2
        default: 3
        }
    }

    private static func appendString(_ text: String, to bytes: inout [UInt8]) {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            appendMarker(0x50, count: text.utf8.count, to: &bytes)
            bytes += text.utf8
        } else {
            appendMarker(0x60, count: text.utf16.count, to: &bytes)
            for unit in text.utf16 { bytes.append(bigEndian: UInt64(unit), size: 2) }
        }
    }
}
