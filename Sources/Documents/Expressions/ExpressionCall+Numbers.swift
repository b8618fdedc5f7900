extension ExpressionCall {
    /// `nil` for a function that is no calculation.
    @inline(never)
    func numberFunction(in run: inout Evaluator) throws(ExpressionError) -> Value? {
        switch function {
        case .abs:
            let number = try number(0, in: &run)
            return number.isNegative ? .number(number.negated) : values[0]
        case .ceil: return .number(try number(0, in: &run).rounded(.up))
        case .floor: return .number(try number(0, in: &run).rounded(.down))
        case .round:
            let number = try number(0, in: &run)
            let places = try whole(1, in: &run) ?? 0
            guard abs(places) <= Self.mostPlaces else { throw wrongValue(.tooManyPlaces, in: run) }
            return .number(number.rounded(.halfToEven, places: places))
        case .clamp: return try clamped(in: &run)
        case .percent: return try percent(in: &run)
        case .sum: return .number(try sum(try numbers(0, in: &run), in: &run))
        case .avg:
            let numbers = try numbers(0, in: &run)
            if numbers.isEmpty { return .null }
            let sum = try sum(numbers, in: &run)
            return .number(try run.bounded(sum.divided(by: ExactNumber(numbers.count)), at: link))
        case .toNumber: return toNumber(values[0], in: run)
        default: return nil
        }
    }

    private static let mostPlaces = 30

    private func sum(
        _ numbers: [ExactNumber],
        in run: inout Evaluator
    ) throws(ExpressionError) -> ExactNumber {
        var sum = ExactNumber.zero
        for number in numbers {
            try run.charge((sum.digitCount + number.digitCount) / 32, at: link)
            sum = try run.bounded(sum.plus(number), at: link)
        }
        return sum
    }

    private func clamped(in run: inout Evaluator) throws(ExpressionError) -> Value {
        let (number, low, high) = (try number(0, in: &run), try number(1, in: &run), try number(2, in: &run))
        guard low <= high else { throw wrongValue(.lowAboveHigh, in: run) }
        return values[number < low ? 1 : number > high ? 2 : 0]
    }

    private func percent(in run: inout Evaluator) throws(ExpressionError) -> Value {
        let (part, whole) = (try number(0, in: &run), try number(1, in: &run))
        guard !whole.isZero else { throw wrongValue(.zeroWhole, in: run) }
        try run.charge(whole.digitCount * (part.digitCount + whole.digitCount) / 64, at: link)
        return .number(try run.bounded(part.times(ExactNumber(100))?.divided(by: whole), at: link))
    }

    /// A number, or the number that a string is in JSON; null for anything else.
    private func toNumber(_ value: Value, in run: Evaluator) -> Value {
        if run.kind(of: value) == .number { return value }
        guard let text = run.string(value), let json = try? JSON(parsing: text),
            json.kind(JSON.root) == .number,
            json.range(of: JSON.root) == 0..<text.count
        else { return .null }
        return .written(text)
    }
}
