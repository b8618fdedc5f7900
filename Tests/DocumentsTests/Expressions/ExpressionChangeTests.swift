import Documents
import Testing

/// Expressions of chance over rows with times, at moments of chance.
struct TimedExpression {
    var random: Seeded

    init(seed: UInt64) { random = Seeded(seed) }

    /// Near the changes of the clocks in Berlin and the midnights around them.
    mutating func moment() -> Int {
        let change = random.pick([1_774_746_000, 1_792_890_000, 1_767_222_000])
        return change + random.below(400_000) - 200_000
    }

    mutating func document() -> String {
        let rows = (0..<random.below(4)).map { row in
            let (seconds, date) = (moment(), CivilDate(daysSince1970: moment() / 86_400))
            let fraction = random.chance(30) ? ".\(random.below(9) + 1)" : ""
            return #"{"n":\#(row),"at":\#(seconds)\#(fraction),"day":"\#(text(date))"}"#
        }
        return #"{"rows":[\#(rows.joined(separator: ","))],"at":\#(moment())}"#
    }

    private func text(_ date: CivilDate) -> String {
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "\(date.year)-\(two(date.month))-\(two(date.day))"
    }

    mutating func expression() -> String {
        switch random.below(7) {
        case 0: "rows[?\(condition())].n"
        case 1: "sort_by(rows, &\(number("at")))[0].n"
        case 2: "max_by(rows, &\(number("at"))).n"
        case 3: "let $t = \(random.pick(["$now", "$now - `3600`", "at - $now"])) in rows[?at < $t].n"
        case 4: "[\(condition("at")), \(number("at"))]"
        case 5: "\(condition("at")) ? \(number("at")) : rows[*].\(number("day", isStep: true))"
        default: condition("at")
        }
    }

    private mutating func condition(_ field: String = "at") -> String {
        let sign = random.pick(["<", "<=", ">", ">=", "==", "!="])
        let simple = "\(number(field)) \(sign) \(number(field))"
        switch random.below(5) {
        case 0: return "(\(simple) && \(number(field)) \(sign) \(number(field)))"
        case 1: return "(\(simple) || \(number(field)) \(sign) \(number(field)))"
        case 2: return "local_date(\(field)) == $today"
        default: return "(\(simple))"
        }
    }

    private mutating func number(_ field: String, isStep: Bool = false) -> String {
        let calls = [
            "days_until(\(field))", "days_since(\(field))", "hours_until(\(field))", "hours_since(\(field))",
            "minutes_until(\(field))", "minutes_since(\(field))", "weekday($now)", "start_of_day($now)",
            "days_between($now, \(field))", "add_days($today, `\(random.below(3))`)",
        ]
        if isStep { return "{a: \(random.pick(calls))}" }
        let plain = [
            field, "$now", "-$now", "`0`", "$now - \(field)", "\(field) - $now",
            "$now + `\(random.below(9999))`",
            "`0.5` - $now", "percent(`1`, hours_until(\(field)))", "`1` / minutes_since(\(field))",
            "start_of_day(\(field))", "date($today)", "days_until($today)",
            "days_until($now + `\(random.below(99_999)).5`)",
        ]
        return field == "day" ? random.pick(calls) : random.pick(calls + plain + plain)
    }
}

@Suite struct ExpressionChangeTests {
    private static func outcome(
        _ expression: JSONExpression,
        _ document: JSON,
        _ zone: JSONExpression.Zone,
        at now: Int
    ) -> Result<JSONExpression.Evaluation, ExpressionError> {
        var surroundings = JSONExpression.Surroundings()
        (surroundings.now, surroundings.zone) = (now, zone)
        return Result { () throws(ExpressionError) in try expression.evaluate(document, in: surroundings) }
    }

    /// At moments of chance up to the change, and at those just before it.
    @Test(arguments: 0..<8)
    func `A value or an error stays the same until the second in which it may change`(part: UInt64) throws {
        var timed = TimedExpression(seed: part)
        var changes = 0
        for _ in 0..<400 {
            let text = timed.expression()
            let expression = try JSONExpression(parsing: text)
            let document = try JSON(timed.document())
            let zone = timed.random.pick([JSONExpression.Zone.berlin, .lisbonWas])
            let now = timed.moment()
            let found = Self.outcome(expression, document, zone, at: now)
            let end = found.changesAt ?? now + 40_000_000
            #expect(end > now, "\(text)")
            var moments = [end - 1, end - 2, now + 1].filter { $0 > now && $0 < end }
            moments += (0..<12).map { _ in now + timed.random.below(end - now) }
            for moment in moments {
                let later = Self.outcome(expression, document, zone, at: moment)
                #expect(
                    later.isSame(as: found),
                    "\(text) of \(document.string) from \(now) to \(moment) in \(zone.name)"
                )
            }
            if found.changesAt != nil { changes += 1 }
        }
        #expect(changes > 100)
    }
}

extension Result<JSONExpression.Evaluation, ExpressionError> {
    fileprivate var changesAt: Int? {
        switch self {
        case .success(let found): found.changesAt
        case .failure(let error): error.changesAt
        }
    }

    fileprivate func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (.success(let one), .success(let other)): one.value == other.value
        case (.failure(let one), .failure(let other)):
            one.column == other.column && one.reason == other.reason
        default: false
        }
    }
}
