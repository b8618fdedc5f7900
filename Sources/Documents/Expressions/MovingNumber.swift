/// The present second, or its negative, and a number: what becomes of `$now` when it is moved.
///
/// It is kept apart from other numbers so that a comparison tells when its outcome changes.
struct MovingNumber: Sendable {
    var isFalling = false
    var shift = ExactNumber.zero

    var negated: MovingNumber { MovingNumber(isFalling: !isFalling, shift: shift.negated) }

    /// `nil` if it has too many digits.
    func plus(_ number: ExactNumber) -> MovingNumber? {
        shift.plus(number).map { MovingNumber(isFalling: isFalling, shift: $0) }
    }

    func value(at now: Int) -> ExactNumber? {
        ExactNumber(isFalling ? -now : now).plus(shift)
    }
}

extension ExpressionTree.Comparison {
    /// The comparison of the same operands in the other order.
    var mirrored: Self {
        switch self {
        case .equal, .unequal: self
        case .below: .above
        case .atMost: .atLeast
        case .above: .below
        case .atLeast: .atMost
        }
    }

    func holds<Value: Comparable>(_ a: Value, _ b: Value) -> Bool {
        switch self {
        case .equal: a == b
        case .unequal: a != b
        case .below: a < b
        case .atMost: a <= b
        case .above: a > b
        case .atLeast: a >= b
        }
    }

    /// The first second after `now` in which the comparison of the present second with `limit` has another
    /// outcome; `nil` if there is none.
    func change(after now: Int, limit: ExactNumber) -> Int? {
        let second = ExactNumber(now)
        switch self {
        case .below, .atLeast: return second < limit ? limit.rounded(.up).integer : nil
        case .atMost, .above: return second <= limit ? limit.rounded(.down).integer.map { $0 + 1 } : nil
        case .equal, .unequal:
            if second == limit { return now + 1 }
            return second < limit && limit.rounded(.down) == limit ? limit.integer : nil
        }
    }
}
