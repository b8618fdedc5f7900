extension Evaluator {
    /// Only numbers have an order; that of anything else is null.
    mutating func compare(
        _ a: Value,
        _ comparison: ExpressionTree.Comparison,
        _ b: Value,
        at link: Link
    ) throws(ExpressionError) -> Value {
        if let outcome = try compareMoving(a, comparison, b, at: link) { return .bool(outcome) }
        if let mine = try number(a, at: link), let its = try number(b, at: link) {
            return .bool(comparison.holds(mine, its))
        }
        switch comparison {
        case .equal: return .bool(try a.isEqual(to: b, in: &self, at: link))
        case .unequal: return .bool(!(try a.isEqual(to: b, in: &self, at: link)))
        default: return .null
        }
    }

    /// With a number that moves with the moment, and when the outcome changes; `nil` for other values.
    private mutating func compareMoving(
        _ a: Value,
        _ comparison: ExpressionTree.Comparison,
        _ b: Value,
        at link: Link
    ) throws(ExpressionError) -> Bool? {
        switch (a, b) {
        case (.moment(let mine), .moment(let its)):
            guard mine.isFalling == its.isFalling else { return nil }
            return comparison.holds(mine.shift, its.shift)
        case (.moment(let moving), _):
            guard let limit = try number(b, at: link) else { return nil }
            let now = try now(at: link)
            let other = moving.isFalling ? moving.shift.minus(limit) : limit.minus(moving.shift)
            let bound = try bounded(other, at: link)
            let turned = moving.isFalling ? comparison.mirrored : comparison
            note(change: turned.change(after: now, limit: bound))
            return turned.holds(ExactNumber(now), bound)
        case (_, .moment): return try compareMoving(b, comparison.mirrored, a, at: link)
        default: return nil
        }
    }
}
