extension Evaluator {
    mutating func calculate(
        _ a: Value,
        _ operation: ExpressionTree.Arithmetic,
        _ b: Value,
        at link: Link
    ) throws(ExpressionError) -> Value {
        if let moved = try calculateMoving(a, operation, b, at: link) { return moved }
        let mine = try operand(a, operation.rawValue, at: link)
        let its = try operand(b, operation.rawValue, at: link)
        try charge(mine.digitCount * its.digitCount / 64, at: link)
        let result: ExactNumber?
        switch operation {
        case .plus: result = mine.plus(its)
        case .minus: result = mine.minus(its)
        case .times: result = mine.times(its)
        case .divide, .divideWhole, .modulo:
            guard !its.isZero else { throw fail(link, .divisionByZero) }
            // A quotient may have as many digits as a number may have.
            try charge(its.digitCount * (mine.digitCount + its.digitCount) / 64, at: link)
            switch operation {
            case .divide: result = mine.divided(by: its)
            case .divideWhole: result = mine.dividedWhole(by: its)?.quotient
            default: result = mine.dividedWhole(by: its)?.rest
            }
        }
        return .number(try bounded(result, at: link))
    }

    private mutating func operand(
        _ value: Value,
        _ sign: String,
        at link: Link
    ) throws(ExpressionError) -> ExactNumber {
        if let number = try number(value, at: link) { return number }
        throw fail(link, .type(.operand(sign), expected: [.number], found: kind(of: value)))
    }

    mutating func signed(_ value: Value, isNegative: Bool, at link: Link) throws(ExpressionError) -> Value {
        if case .moment(let moving) = value { return .moment(isNegative ? moving.negated : moving) }
        let number = try operand(value, isNegative ? "-" : "+", at: link)
        return isNegative ? .number(number.negated) : value
    }

    /// A sum or difference with a number that moves with the moment; `nil` for anything else.
    private mutating func calculateMoving(
        _ a: Value,
        _ operation: ExpressionTree.Arithmetic,
        _ b: Value,
        at link: Link
    ) throws(ExpressionError) -> Value? {
        guard operation == .plus || operation == .minus else { return nil }
        let isMinus = operation == .minus
        switch (a, b) {
        case (.moment(let mine), .moment(let its)):
            guard mine.isFalling == (isMinus ? its : its.negated).isFalling else { return nil }
            let difference = isMinus ? mine.shift.minus(its.shift) : mine.shift.plus(its.shift)
            return .number(try bounded(difference, at: link))
        case (.moment(let moving), _):
            guard let number = try number(b, at: link) else { return nil }
            return .moment(try moved(moving, isMinus ? number.negated : number, at: link))
        case (_, .moment(let moving)):
            guard let number = try number(a, at: link) else { return nil }
            return .moment(try moved(isMinus ? moving.negated : moving, number, at: link))
        default: return nil
        }
    }

    private func moved(
        _ moving: MovingNumber,
        _ number: ExactNumber,
        at link: Link
    ) throws(ExpressionError) -> MovingNumber {
        guard let moved = moving.plus(number) else {
            throw fail(link, .tooManyDigits(limit: ExactNumber.mostDigits))
        }
        return moved
    }
}
