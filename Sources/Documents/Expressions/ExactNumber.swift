/// A number of any size, exact. Most numbers are short, so that they need no array of digits.
enum ExactNumber: Sendable {
    /// A whole number below `smallLimit` in magnitude, times ten to a power within `smallPowers`.
    case small(Int, power: Int)
    indirect case large(ExactDecimal)

    private static let smallDigits = 18
    private static let smallLimit = 1_000_000_000_000_000_000
    private static let smallPowers = -18...18

    init(_ value: Int) {
        self =
            value.magnitude < Self.smallLimit
            ? .small(value, power: 0) : .large(ExactDecimal(Array(String(value).utf8)))
    }

    /// Reads the text of a JSON number.
    init(_ bytes: [UInt8], _ range: Range<Int>) {
        var (value, count, power) = (0, 0, 0)
        var isFraction = false
        for index in range {
            switch bytes[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                value = value &* 10 &+ Int(bytes[index] &- UInt8(ascii: "0"))
                count &+= 1
                if isFraction { power &-= 1 }
            case UInt8(ascii: "."): isFraction = true
            case UInt8(ascii: "-"): continue
            // An exponent.
            default: count = Self.smallDigits + 1
            }
            if count > Self.smallDigits {
                self.init(ExactDecimal(bytes, range))
                return
            }
        }
        self = .small(bytes[range.lowerBound] == UInt8(ascii: "-") ? -value : value, power: power)
    }

    init(_ text: [UInt8]) { self.init(text, 0..<text.count) }

    init(_ decimal: ExactDecimal) {
        guard decimal.digits.count <= Self.smallDigits, case .small(let power) = decimal.exponent,
            Self.smallPowers.contains(power)
        else {
            self = .large(decimal)
            return
        }
        let magnitude = decimal.digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        self = .small(decimal.isNegative ? -magnitude : magnitude, power: power)
    }

    /// `nil` if it is not small.
    static func small(_ value: Int, _ power: Int) -> ExactNumber? {
        value.magnitude < smallLimit && smallPowers.contains(power) ? .small(value, power: power) : nil
    }

    var decimal: ExactDecimal {
        switch self {
        case .large(let decimal): decimal
        case .small(let value, let power):
            ExactDecimal(value < 0, Self.digits(value.magnitude), power)
        }
    }

    private static func digits(_ value: UInt) -> [UInt8] { value == 0 ? [] : Array(String(value).utf8) }

    static let zero = ExactNumber(0)

    /// How many digits take part in a calculation.
    var digitCount: Int {
        switch self {
        case .small: 1
        case .large(let decimal): decimal.digits.count
        }
    }

    /// As an `Int`; `nil` if it is not a whole number, or has more than 18 digits.
    var integer: Int? {
        if case .small(let value, power: 0) = self { return value }
        return decimal.integer
    }

    var isNegative: Bool {
        switch self {
        case .small(let value, _): value < 0
        case .large(let decimal): decimal.isNegative
        }
    }

    var isZero: Bool {
        switch self {
        case .small(let value, _): value == 0
        case .large(let decimal): decimal.isZero
        }
    }
}

extension ExactNumber: Comparable {
    static func < (a: ExactNumber, b: ExactNumber) -> Bool {
        if let (mine, its, _) = aligned(a, b) { return mine < its }
        return a.decimal < b.decimal
    }

    static func == (a: ExactNumber, b: ExactNumber) -> Bool {
        if let (mine, its, _) = aligned(a, b) { return mine == its }
        return a.decimal == b.decimal
    }

    /// Both as multiples of one power of ten; `nil` if that does not fit.
    static func aligned(_ a: ExactNumber, _ b: ExactNumber) -> (Int, Int, power: Int)? {
        guard case .small(let mine, let power) = a, case .small(let its, let other) = b else { return nil }
        if power == other { return (mine, its, power) }
        if power > other { return scaled(mine, power - other).map { ($0, its, other) } }
        return scaled(its, other - power).map { (mine, $0, power) }
    }

    private static func scaled(_ value: Int, _ places: Int) -> Int? {
        var value = value
        for _ in 0..<places {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            value = product
        }
        return value
    }
}

extension ExactNumber {
    /// Its JSON text: written out, unless that takes more than 20 zeros or so.
    var text: [UInt8] {
        if case .small(let value, power: 0) = self { return Array(String(value).utf8) }
        let decimal = decimal
        if decimal.isZero { return [UInt8(ascii: "0")] }
        let sign = decimal.isNegative ? [UInt8(ascii: "-")] : []
        let (zero, point) = (UInt8(ascii: "0"), UInt8(ascii: "."))
        let digits = decimal.digits
        if case .small(let power) = decimal.exponent, (-40...20).contains(power) {
            if power >= 0 { return sign + digits + [UInt8](repeating: zero, count: power) }
            let whole = digits.dropLast(-power)
            let zeros = [UInt8](repeating: zero, count: max(0, -power - digits.count))
            return sign + (whole.isEmpty ? [zero] : Array(whole)) + [point] + zeros + digits.suffix(-power)
        }
        let fraction = digits.count > 1 ? [point] + digits.dropFirst() : []
        let power = decimal.exponent.adding(digits.count - 1)
        return sign + [digits[0]] + fraction + Array("e\(power.text)".utf8)
    }
}

extension DecimalExponent {
    fileprivate var text: String {
        switch self {
        case .small(let value): "\(value)"
        case .huge(let isNegative, let digits):
            (isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self)
        }
    }
}
