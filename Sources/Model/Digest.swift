/// The SHA-256 of a content, by which contents are compared. `Digest+Bytes` computes it.
package struct Digest: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    /// Big-endian, so that comparing words gives the order of the bytes.
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// From 32 bytes; `nil` for any other count.
    ///
    /// Not generic: across modules that would be slower than computing the hash.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        func word(_ start: Int) -> UInt64 {
            (start..<start + 8).reduce(0) { $0 << 8 | UInt64(bytes[$1]) }
        }
        words = (word(0), word(8), word(16), word(24))
    }

    /// From the printed form, `sha256:` and 64 hex digits in lower case.
    package init?(_ text: String) {
        guard text.hasPrefix(Self.scheme) else { return nil }
        let digits = text.utf8.dropFirst(Self.scheme.utf8.count)
        guard digits.count == 64 else { return nil }
        var bytes: [UInt8] = []
        var high: UInt8?
        for digit in digits {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            default: return nil
            }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        self.init(bytes: bytes)
    }

    private static let scheme = "sha256:"

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        for word in [words.0, words.1, words.2, words.3] {
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
            }
        }
        return bytes
    }

    /// The first 64 bits.
    package var start: UInt64 { words.0 }

    /// 64 hex digits.
    package var hex: String { Self.hex([words.0, words.1, words.2, words.3]) }

    /// The first 16 hex digits.
    package var shortHex: String { Self.hex([words.0]) }

    private static func hex(_ words: [UInt64]) -> String {
        var digits: [UInt8] = []
        digits.reserveCapacity(16 * words.count)
        for word in words {
            for shift in stride(from: 60, through: 0, by: -4) {
                let value = UInt8(truncatingIfNeeded: word >> UInt64(shift) & 15)
                digits.append(value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10)
            }
        }
        return String(decoding: digits, as: UTF8.self)
    }

    package var description: String { Self.scheme + hex }

    package static func == (a: Self, b: Self) -> Bool { a.words == b.words }
    package static func < (a: Self, b: Self) -> Bool { a.words < b.words }

    package func hash(into hasher: inout Hasher) { hasher.combine(words.0) }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let digest = Digest(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no hash")
        }
        self = digest
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
