/// A decimal number without an exponent.
struct PlainDecimal {
    var isNegative = false
    /// Without leading zeros.
    private var digits: [UInt8] = []
    private(set) var fraction: [UInt8]?

    /// The most digits before the point for a time.
    private static let most = 15
    /// The largest exponent that is written out.
    private static let mostExponent = 30

    /// `nil` if it is not a JSON number, or too large.
    init?(_ text: [UInt8]) {
        guard let json = try? JSON(parsing: text), json.kind(JSON.root) == .number,
            json.range(of: JSON.root) == 0..<text.count
        else { return nil }
        isNegative = text.first == UInt8(ascii: "-")
        let mantissa = text.drop { $0 == UInt8(ascii: "-") }.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        let parts = mantissa.split(separator: UInt8(ascii: "."), maxSplits: 1)
        digits = Array((parts.first ?? []).drop { $0 == UInt8(ascii: "0") })
        fraction = parts.count > 1 ? Array(parts[1]) : nil
        if mantissa.endIndex < text.endIndex {
            guard case .small(let exponent) = DecimalExponent(text[(mantissa.endIndex + 1)...], plus: 0),
                abs(exponent) <= Self.mostExponent
            else { return nil }
            movePoint(-exponent)
            if fraction?.isEmpty == true { fraction = nil }
        }
        guard digits.count <= Self.most else { return nil }
    }

    var whole: Int { digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } }

    /// Moves the point to the left, or to the right if `places` is below 0.
    mutating func movePoint(_ places: Int) {
        let zero = UInt8(ascii: "0")
        if places > 0 {
            let padded = [UInt8](repeating: zero, count: max(0, places - digits.count)) + digits
            fraction = Array(padded.suffix(places)) + (fraction ?? [])
            digits = Array(padded.dropLast(places).drop { $0 == zero })
        } else if places < 0 {
            let behind = fraction ?? []
            let moved = behind.prefix(-places)
            let zeros = [UInt8](repeating: zero, count: -places - moved.count)
            digits = Array((digits + moved + zeros).drop { $0 == zero })
            fraction = Array(behind.dropFirst(-places))
        }
    }

    var text: [UInt8] {
        (isNegative ? [UInt8(ascii: "-")] : []) + (digits.isEmpty ? [UInt8(ascii: "0")] : digits)
            + (fraction.map { [UInt8(ascii: ".")] + $0 } ?? [])
    }
}
