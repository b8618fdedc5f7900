/// The exact value of a JSON number: an integer without zeros at either end, times a power of ten of any
/// size. The power is never written out.
struct ExactDecimal: Hashable, Sendable {
    var isNegative: Bool
    /// ASCII digits, neither beginning nor ending with `0`; empty for zero.
    var digits: [UInt8]
    /// The power of ten by which the digits are multiplied.
    var exponent: DecimalExponent

    static let zero = ExactDecimal(isNegative: false, digits: [], exponent: .small(0))

    var isZero: Bool { digits.isEmpty }

    /// Reads the text of a JSON number.
    init(_ bytes: [UInt8], _ range: Range<Int>) {
        var digits: [UInt8] = []
        var fraction = 0
        var isFraction = false
        var exponent: Range<Int> = range.upperBound..<range.upperBound
        for index in range {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if isFraction { fraction += 1 }
                if byte != UInt8(ascii: "0") || !digits.isEmpty { digits.append(byte) }
            case UInt8(ascii: "."): isFraction = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"): exponent = index + 1..<range.upperBound
            default: break
            }
            if exponent.lowerBound < range.upperBound { break }
        }
        guard !digits.isEmpty else {
            self = .zero
            return
        }
        let zeros = digits.reversed().prefix { $0 == UInt8(ascii: "0") }.count
        digits.removeLast(zeros)
        isNegative = bytes[range.lowerBound] == UInt8(ascii: "-")
        self.digits = digits
        self.exponent = DecimalExponent(bytes[exponent], plus: zeros - fraction)
    }

    init(_ text: [UInt8]) { self.init(text, 0..<text.count) }

    init(isNegative: Bool, digits: [UInt8], exponent: DecimalExponent) {
        self.isNegative = isNegative
        self.digits = digits
        self.exponent = exponent
    }

    /// 1.0 and 1e2 are integers as well.
    var isInteger: Bool { isZero || !exponent.isNegative }
}

/// A power of ten of any size.
enum DecimalExponent: Hashable, Sendable {
    /// Below `limit` in magnitude.
    case small(Int)
    /// ASCII digits without leading zeros.
    case huge(isNegative: Bool, [UInt8])

    private static let limit = 1_000_000_000_000_000_000

    var isNegative: Bool {
        switch self {
        case .small(let value): value < 0
        case .huge(let isNegative, _): isNegative
        }
    }

    /// From the text after the `e` of a number, plus a shift far below `limit`.
    init(_ text: ArraySlice<UInt8>, plus shift: Int) {
        let isNegative = text.first == UInt8(ascii: "-")
        let isSigned = isNegative || text.first == UInt8(ascii: "+")
        let digits = text.dropFirst(isSigned ? 1 : 0).drop { $0 == UInt8(ascii: "0") }
        if digits.count <= 18 {
            let magnitude = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
            self.init((isNegative ? -magnitude : magnitude) + shift)
        } else {
            // It has at least nineteen digits, so the shift cannot change the sign.
            let grows = (shift < 0) == isNegative
            let sum = Self.add(grows ? shift.magnitude : 0, to: Array(digits))
            let result = grows ? sum : Self.subtract(shift.magnitude, from: sum)
            self = Self.canonical(isNegative: isNegative, result)
        }
    }

    init(_ value: Int) {
        if value.magnitude < Self.limit {
            self = .small(value)
        } else {
            self = .huge(isNegative: value < 0, Array(String(value.magnitude).utf8))
        }
    }

    /// Gives each value exactly one form.
    private static func canonical(isNegative: Bool, _ digits: [UInt8]) -> Self {
        let digits = digits.drop { $0 == UInt8(ascii: "0") }
        guard digits.count > 18 else {
            let magnitude = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
            return .small(isNegative ? -magnitude : magnitude)
        }
        return .huge(isNegative: isNegative, Array(digits))
    }

    private static func add(_ value: UInt, to digits: [UInt8]) -> [UInt8] {
        var result = digits
        var carry = value
        var index = digits.count
        while carry > 0 {
            if index == 0 {
                result.insert(UInt8(ascii: "0"), at: 0)
                index = 1
            }
            index -= 1
            carry += UInt(result[index] - UInt8(ascii: "0"))
            result[index] = UInt8(ascii: "0") + UInt8(carry % 10)
            carry /= 10
        }
        return result
    }

    /// `value` is below the number of `digits`.
    private static func subtract(_ value: UInt, from digits: [UInt8]) -> [UInt8] {
        var result = digits
        var borrow = value
        var index = digits.count
        while borrow > 0, index > 0 {
            index -= 1
            let digit = UInt(result[index] - UInt8(ascii: "0"))
            let minus = borrow % 10
            borrow /= 10
            if digit < minus { borrow += 1 }
            result[index] = UInt8(ascii: "0") + UInt8((digit + 10 - minus) % 10)
        }
        return result
    }
}
