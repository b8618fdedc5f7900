extension ExactDecimal: Comparable {
    static func < (a: ExactDecimal, b: ExactDecimal) -> Bool {
        if a.isZero || b.isZero { return a.isZero ? !b.isZero && !b.isNegative : a.isNegative }
        if a.isNegative != b.isNegative { return a.isNegative }
        return a.isNegative ? b.isBelowInMagnitude(a) : a.isBelowInMagnitude(b)
    }

    /// Neither number is zero.
    private func isBelowInMagnitude(_ other: ExactDecimal) -> Bool {
        let mine = exponent.adding(digits.count)
        let its = other.exponent.adding(other.digits.count)
        if mine != its { return mine < its }
        return digits.lexicographicallyPrecedes(other.digits)
    }

    /// Whether it is an integer multiple of `unit`, which is above zero.
    func isMultiple(of unit: ExactDecimal) -> Bool {
        if isZero { return true }
        // Neither number ends with a zero, so a number with a smaller exponent than the unit's is no
        // multiple of it.
        if exponent < unit.exponent { return false }
        // More zeros than the unit has bits add no divisor that it could need.
        let mostZeros = unit.digits.count * 4
        var zeros = 0
        while zeros < mostZeros, unit.exponent.adding(zeros) < exponent { zeros += 1 }
        let whole = digits + [UInt8](repeating: UInt8(ascii: "0"), count: zeros)
        return Self.quotient(whole, unit.digits).rest.isEmpty
    }

    static func isAtLeast(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        a.count == b.count ? !a.lexicographicallyPrecedes(b) : a.count > b.count
    }

    /// The difference of two whole numbers without leading zeros; `a` is at least `b`.
    static func difference(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] {
        var result = a
        var borrow: UInt8 = 0
        for index in 1..<a.count + 1 {
            let minus = (index <= b.count ? b[b.count - index] - UInt8(ascii: "0") : 0) + borrow
            let digit = a[a.count - index] - UInt8(ascii: "0")
            borrow = digit < minus ? 1 : 0
            result[a.count - index] = UInt8(ascii: "0") + digit + borrow * 10 - minus
        }
        return Array(result.drop { $0 == UInt8(ascii: "0") })
    }

    /// The quotient of two whole numbers, rounded down, and the rest, without leading zeros; `b` is not zero.
    static func quotient(_ a: [UInt8], _ b: [UInt8]) -> (digits: [UInt8], rest: [UInt8]) {
        let zero = UInt8(ascii: "0")
        var (digits, rest): ([UInt8], [UInt8]) = ([], [])
        for next in a {
            if !rest.isEmpty || next != zero { rest.append(next) }
            var digit = zero
            while isAtLeast(rest, b) {
                rest = difference(rest, b)
                digit += 1
            }
            if !digits.isEmpty || digit != zero { digits.append(digit) }
        }
        return (digits, rest)
    }

    /// The sum; `nil` if one of the numbers has more than `most` digits when written out.
    func adding(_ other: ExactDecimal, most: Int) -> ExactDecimal? {
        guard case .small(let mine) = exponent, case .small(let its) = other.exponent,
            abs(mine) < most, abs(its) < most, digits.count < most, other.digits.count < most
        else { return nil }
        let low = min(mine, its)
        func whole(_ digits: [UInt8], _ exponent: Int) -> [UInt8] {
            digits.isEmpty ? [] : digits + [UInt8](repeating: UInt8(ascii: "0"), count: exponent - low)
        }
        let a = whole(digits, mine)
        let b = whole(other.digits, its)
        if isNegative == other.isNegative { return ExactDecimal(isNegative, Self.sum(a, b), low) }
        return Self.isAtLeast(a, b)
            ? ExactDecimal(isNegative, Self.difference(a, b), low)
            : ExactDecimal(other.isNegative, Self.difference(b, a), low)
    }

    /// The digits may end with zeros.
    init(_ isNegative: Bool, _ digits: [UInt8], _ exponent: Int) {
        let zeros = digits.reversed().prefix { $0 == UInt8(ascii: "0") }.count
        self =
            digits.isEmpty
            ? .zero
            : ExactDecimal(
                isNegative: isNegative,
                digits: Array(digits.dropLast(zeros)),
                exponent: DecimalExponent(exponent + zeros)
            )
    }

    static func sum(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] {
        let zero = UInt8(ascii: "0")
        let count = max(a.count, b.count)
        var result = [UInt8](repeating: zero, count: count)
        var carry: UInt8 = 0
        for index in 0..<count {
            let digit =
                (index < a.count ? a[a.count - 1 - index] - zero : 0)
                + (index < b.count ? b[b.count - 1 - index] - zero : 0) + carry
            result[count - 1 - index] = zero + digit % 10
            carry = digit / 10
        }
        return carry > 0 ? [zero + carry] + result : result
    }

    /// As an Int; `nil` if it is not a whole number, or does not fit.
    var integer: Int? {
        guard isInteger, case .small(let zeros) = exponent, digits.count + zeros <= 18 else { return nil }
        var value = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        for _ in 0..<zeros { value *= 10 }
        return isNegative ? -value : value
    }
}

extension DecimalExponent: Comparable {
    static func < (a: DecimalExponent, b: DecimalExponent) -> Bool {
        if a.isNegative != b.isNegative { return a.isNegative }
        switch (a, b) {
        case (.small(let mine), .small(let its)): return mine < its
        case (.small, .huge(let isNegative, _)): return !isNegative
        case (.huge(let isNegative, _), .small): return isNegative
        case (.huge(let isNegative, let mine), .huge(_, let its)):
            if mine == its { return false }
            let isBelow =
                mine.count == its.count ? mine.lexicographicallyPrecedes(its) : mine.count < its.count
            return isBelow != isNegative
        }
    }

    /// `shift` is far below `limit`.
    func adding(_ shift: Int) -> DecimalExponent {
        switch self {
        case .small(let value): DecimalExponent(value + shift)
        case .huge(let isNegative, let digits):
            DecimalExponent((isNegative ? [UInt8(ascii: "-")] : [])[...] + digits, plus: shift)
        }
    }
}
