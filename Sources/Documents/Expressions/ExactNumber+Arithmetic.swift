extension ExactNumber {
    /// The most digits of a number in a calculation, when it is written out.
    static let mostDigits = 1000
    /// To how many significant digits a division is rounded.
    private static let quotientDigits = 20

    var negated: ExactNumber {
        switch self {
        case .small(let value, let power): return .small(-value, power: power)
        case .large(var decimal):
            if !decimal.isZero { decimal.isNegative.toggle() }
            return .large(decimal)
        }
    }

    /// `nil` if a number has too many digits.
    func plus(_ other: ExactNumber) -> ExactNumber? {
        if let (mine, its, power) = Self.aligned(self, other) {
            let (sum, overflow) = mine.addingReportingOverflow(its)
            if !overflow, let sum = Self.small(sum, power) { return sum }
        }
        return decimal.adding(other.decimal, most: Self.mostDigits).map { ExactNumber($0) }
    }

    func minus(_ other: ExactNumber) -> ExactNumber? { plus(other.negated) }

    /// `nil` if a number has too many digits.
    func times(_ other: ExactNumber) -> ExactNumber? {
        if case .small(let mine, let power) = self, case .small(let its, let otherPower) = other {
            let (product, overflow) = mine.multipliedReportingOverflow(by: its)
            if !overflow, let product = Self.small(product, power + otherPower) { return product }
        }
        guard let (a, b, power, otherPower) = Self.bounded(decimal, other.decimal) else { return nil }
        let product = Self.product(a.digits, b.digits)
        return Self.bounded(ExactDecimal(a.isNegative != b.isNegative, product, power + otherPower))
    }

    /// To 20 significant digits, half to even. `nil` if a number has too many digits; `other` is not zero.
    func divided(by other: ExactNumber) -> ExactNumber? {
        guard let (a, b, power, otherPower) = Self.bounded(decimal, other.decimal) else { return nil }
        let zeros = max(0, b.digits.count - a.digits.count + Self.quotientDigits + 2)
        let dividend = a.digits + [UInt8](repeating: UInt8(ascii: "0"), count: zeros)
        let (quotient, rest) = ExactDecimal.quotient(dividend, b.digits)
        let cut = max(0, quotient.count - Self.quotientDigits)
        let digits = ExactDecimal.rounded(
            Array(quotient.dropLast(cut)),
            quotient.suffix(cut),
            hasRest: !rest.isEmpty
        )
        let isNegative = a.isNegative != b.isNegative
        return Self.bounded(ExactDecimal(isNegative, digits, power - otherPower - zeros + cut))
    }

    /// The quotient, rounded down, and the rest, which has the sign of the divisor. `nil` if a number has too
    /// many digits; `other` is not zero.
    func dividedWhole(by other: ExactNumber) -> (quotient: ExactNumber, rest: ExactNumber)? {
        guard let (a, b, power, otherPower) = Self.bounded(decimal, other.decimal) else { return nil }
        let low = min(power, otherPower)
        func whole(_ decimal: ExactDecimal, _ power: Int) -> [UInt8] {
            decimal.digits + [UInt8](repeating: UInt8(ascii: "0"), count: decimal.isZero ? 0 : power - low)
        }
        let (digits, left) = ExactDecimal.quotient(whole(a, power), whole(b, otherPower))
        let isNegative = a.isNegative != b.isNegative
        var quotient = ExactNumber(ExactDecimal(isNegative, digits, 0))
        var rest = ExactNumber(ExactDecimal(a.isNegative, left, low))
        if isNegative, !rest.isZero {
            guard let lower = quotient.minus(ExactNumber(1)), let moved = rest.plus(other) else { return nil }
            (quotient, rest) = (lower, moved)
        }
        return (quotient, rest)
    }

    /// `nil` if one has too many digits.
    private static func bounded(
        _ a: ExactDecimal,
        _ b: ExactDecimal
    ) -> (ExactDecimal, ExactDecimal, Int, Int)? {
        guard case .small(let power) = a.exponent, case .small(let other) = b.exponent,
            abs(power) < mostDigits, abs(other) < mostDigits, a.digits.count < mostDigits,
            b.digits.count < mostDigits
        else { return nil }
        return (a, b, power, other)
    }

    /// `nil` if it has too many digits.
    private static func bounded(_ result: ExactDecimal) -> ExactNumber? {
        guard case .small(let power) = result.exponent, abs(power) < mostDigits,
            result.digits.count < mostDigits
        else { return nil }
        return ExactNumber(result)
    }

    private static func product(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] {
        guard !a.isEmpty, !b.isEmpty else { return [] }
        var result = [Int](repeating: 0, count: a.count + b.count)
        for i in a.indices.reversed() {
            var carry = 0
            for j in b.indices.reversed() {
                carry += result[i + j + 1] + Int(a[i] - UInt8(ascii: "0")) * Int(b[j] - UInt8(ascii: "0"))
                result[i + j + 1] = carry % 10
                carry /= 10
            }
            result[i] += carry
        }
        return result.drop { $0 == 0 }.map { UInt8(ascii: "0") + UInt8($0) }
    }
}

extension ExactNumber {
    enum Rounding {
        case down, up, halfToEven
    }

    /// To a number of decimal places, which may be below zero. `places` is below 100 in magnitude.
    func rounded(_ rounding: Rounding, places: Int = 0) -> ExactNumber {
        if isZero { return self }
        if case .small(_, let power) = self, power >= -places { return self }
        let decimal = decimal
        guard decimal.exponent < .small(-places) else { return self }
        // What is far below the last place is cut off as if it were a little below it.
        let far = decimal.digits.count + 2
        var cut = far
        if case .small(let power) = decimal.exponent { cut = min(far, -places - power) }
        let padded = [UInt8](repeating: UInt8(ascii: "0"), count: max(0, cut - decimal.digits.count))
        let digits = padded + decimal.digits
        let kept = Array(digits.dropLast(cut))
        let isAway =
            switch rounding {
            case .down: decimal.isNegative
            case .up: !decimal.isNegative
            case .halfToEven: false
            }
        let rounded =
            isAway
            ? ExactDecimal.sum(kept, [UInt8(ascii: "1")])
            : rounding == .halfToEven
                ? ExactDecimal.rounded(kept, digits.suffix(cut), hasRest: false)
                : Array(kept.drop { $0 == UInt8(ascii: "0") })
        return ExactNumber(ExactDecimal(decimal.isNegative, rounded, -places))
    }
}
