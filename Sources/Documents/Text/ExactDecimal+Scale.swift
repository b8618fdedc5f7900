/// A ratio of two whole numbers above 0, in lowest terms.
package struct Fraction: Hashable, Sendable, CustomStringConvertible {
    package let numerator: Int
    package let denominator: Int

    /// A digit times a larger number would not fit an Int.
    private static let most = 1_000_000_000_000_000

    /// `nil` if a number is not above 0, or too large.
    package init?(_ numerator: Int, over denominator: Int) {
        guard (1...Self.most).contains(numerator), (1...Self.most).contains(denominator) else { return nil }
        var (a, b) = (numerator, denominator)
        while b != 0 { (a, b) = (b, a % b) }
        self.numerator = numerator / a
        self.denominator = denominator / a
    }

    /// From a decimal number, or from two whole numbers separated by `/`.
    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2 {
            guard let numerator = Int(parts[0]), let denominator = Int(parts[1]) else { return nil }
            self.init(numerator, over: denominator)
            return
        }
        guard let plain = PlainDecimal(Array(text.utf8)), !plain.isNegative else { return nil }
        let digits = (plain.fraction ?? []).reversed().drop { $0 == UInt8(ascii: "0") }.reversed()
        guard digits.count <= 15 else { return nil }
        var (whole, unit) = (plain.whole, 1)
        for digit in digits {
            let (next, overflow) = whole.multipliedReportingOverflow(by: 10)
            guard !overflow, next < Self.most * 10 else { return nil }
            whole = next + Int(digit - UInt8(ascii: "0"))
            unit *= 10
        }
        self.init(whole, over: unit)
    }

    package static let one = Fraction(numerator: 1, denominator: 1)

    var inverse: Fraction { Fraction(numerator: denominator, denominator: numerator) }

    private init(numerator: Int, denominator: Int) {
        self.numerator = numerator
        self.denominator = denominator
    }

    package var description: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }
}

extension ExactDecimal {
    struct Scaled {
        var value: ExactDecimal
        var isExact: Bool
    }

    /// The most digits that a division writes out.
    private static let mostDigits = 4000

    /// The product: exact, or rounded to `digits` decimal places, half to even. `nil` if an exact product
    /// has more decimal places, no finite representation, or too many digits.
    func times(_ factor: Fraction, digits limit: Int?, isRounded: Bool) -> Scaled? {
        if isZero { return Scaled(value: .zero, isExact: true) }
        guard case .small(let exponent) = exponent, abs(exponent) < Self.mostDigits,
            digits.count < Self.mostDigits
        else { return nil }
        let product = Self.product(digits, factor.numerator)
        let places = Self.places(of: factor.denominator)
        let zero = UInt8(ascii: "0")
        let whole = product + [UInt8](repeating: zero, count: places)
        let exact = Self.quotient(whole, factor.denominator)
        if exact.rest == 0 {
            let value = ExactDecimal(isNegative, exact.digits, exponent - places)
            guard let limit, value.exponent < .small(-limit) else {
                return Scaled(value: value, isExact: true)
            }
        }
        guard let limit, isRounded else { return nil }
        // At least one digit is cut off.
        let more = max(places, exponent + limit + 1)
        let long = Self.quotient(product + [UInt8](repeating: zero, count: more), factor.denominator)
        let cut = more - exponent - limit
        let padded = [UInt8](repeating: zero, count: max(0, cut - long.digits.count)) + long.digits
        let kept = Self.rounded(Array(padded.dropLast(cut)), padded.suffix(cut), hasRest: long.rest != 0)
        return Scaled(value: ExactDecimal(isNegative, kept, -limit), isExact: false)
    }

    static func rounded(_ kept: [UInt8], _ cut: ArraySlice<UInt8>, hasRest: Bool) -> [UInt8] {
        let five = UInt8(ascii: "5")
        let first = cut.first ?? 0
        let isHalf = first == five && !hasRest && cut.dropFirst().allSatisfy { $0 == UInt8(ascii: "0") }
        // The ASCII digits of even numbers are even.
        let isUp = isHalf ? (kept.last ?? 0) % 2 == 1 : first >= five
        return isUp ? sum(kept, [UInt8(ascii: "1")]) : Array(kept.drop { $0 == UInt8(ascii: "0") })
    }

    /// The number of zeros after a whole number with which a division by `divisor` terminates, if it does.
    private static func places(of divisor: Int) -> Int {
        var rest = divisor
        func count(_ factor: Int) -> Int {
            var count = 0
            while rest % factor == 0 {
                rest /= factor
                count += 1
            }
            return count
        }
        return max(count(2), count(5))
    }

    static func product(_ digits: [UInt8], _ factor: Int) -> [UInt8] {
        var result: [UInt8] = []
        var carry = 0
        for digit in digits.reversed() {
            carry += Int(digit - UInt8(ascii: "0")) * factor
            result.append(UInt8(ascii: "0") + UInt8(carry % 10))
            carry /= 10
        }
        while carry > 0 {
            result.append(UInt8(ascii: "0") + UInt8(carry % 10))
            carry /= 10
        }
        return result.reversed()
    }

    private static func quotient(_ digits: [UInt8], _ divisor: Int) -> (digits: [UInt8], rest: Int) {
        var result: [UInt8] = []
        var rest = 0
        for digit in digits {
            rest = rest * 10 + Int(digit - UInt8(ascii: "0"))
            if !result.isEmpty || rest >= divisor { result.append(UInt8(ascii: "0") + UInt8(rest / divisor)) }
            rest %= divisor
        }
        return (result, rest)
    }
}
