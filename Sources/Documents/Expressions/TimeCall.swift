/// A call of a function of time. Points in time are numbers of seconds since 1970, or texts in the forms that
/// `TimeForm` reads.
struct TimeCall {
    private let call: ExpressionCall

    typealias Value = ExpressionValue
    typealias Link = ExpressionTree.Link

    init(_ call: ExpressionCall) { self.call = call }

    @inline(never)
    func result(in run: inout Evaluator) throws(ExpressionError) -> Value {
        switch call.function {
        case .date: return .number(try time(0, form: try form(in: run), in: &run))
        case .duration:
            if let seconds = seconds(ofDuration: try call.string(0, in: run)) { return .number(seconds) }
            throw call.wrongValue(.noDuration, in: run)
        case .localDate: return Value(Self.text(ofDay: try day(0, in: &run)))
        case .weekday:
            let sinceMonday = (try day(0, in: &run) + 3) % 7
            return Value(sinceMonday < 0 ? sinceMonday + 8 : sinceMonday + 1)
        case .startOfDay: return Value(try run.zone(at: call.link).start(ofDay: try day(0, in: &run)))
        case .addDays: return try added(in: &run)
        case .daysBetween: return Value(try day(1, in: &run) - (try day(0, in: &run)))
        case .daysUntil: return Value(try day(0, in: &run) - (try today(in: &run)))
        case .daysSince: return Value(try today(in: &run) - (try day(0, in: &run)))
        case .hoursUntil: return try until(unit: 3600, in: &run)
        case .minutesUntil: return try until(unit: 60, in: &run)
        case .hoursSince: return try since(unit: 3600, in: &run)
        case .minutesSince: return try since(unit: 60, in: &run)
        default: return .null
        }
    }

    /// `$today`.
    static func today(at link: Link, in run: inout Evaluator) throws(ExpressionError) -> Value {
        let day = try TimeCall(ExpressionCall(.localDate, at: link)).today(in: &run)
        return Value(text(ofDay: day))
    }

    // MARK: Points in time

    private func form(in run: Evaluator) throws(ExpressionError) -> TimeForm? {
        guard call.values.count > 1 else { return nil }
        let name = String(decoding: try call.string(1, in: run), as: UTF8.self)
        if let form = TimeForm(rawValue: name) { return form }
        throw call.wrongValue(.unknownForm(name), in: run)
    }

    /// Seconds since 1970. Without a form, a number is one of seconds, and a text has the form that it shows.
    private func time(
        _ place: Int,
        form: TimeForm? = nil,
        in run: inout Evaluator
    ) throws(ExpressionError) -> ExactNumber {
        let value = call.values[place]
        let text: [UInt8]
        let isString: Bool
        if let string = run.string(value) {
            (text, isString) = (string, true)
        } else if let number = try run.number(value, at: call.link) {
            guard form != nil else { return try inRange(number, in: &run) }
            (text, isString) = (number.text, false)
        } else {
            throw call.wrongType(place, .number, .string, in: run)
        }
        let known = form ?? TimeForm.form(of: text, isString: true, among: [.iso8601, .local, .date])
        guard let known, known.isString == isString else {
            throw call.wrongValue(.noTime(call.function), in: run)
        }
        let rules = known.needsZone ? try run.zone(at: call.link) : nil
        guard let instant = known.read(text, zone: rules)?.instant else {
            throw call.wrongValue(.noTime(call.function), in: run)
        }
        return try inRange(ExactNumber(instant.seconds(since: 0)), in: &run)
    }

    private func inRange(
        _ seconds: ExactNumber,
        in run: inout Evaluator
    ) throws(ExpressionError) -> ExactNumber {
        let years = Evaluator.years
        guard ExactNumber(years.lowerBound) <= seconds, seconds <= ExactNumber(years.upperBound) else {
            throw call.wrongValue(.timeRange(call.function), in: run)
        }
        return seconds
    }

    // MARK: Days

    /// The day of a point in time in the zone, since 1970; that of a date is its own.
    private func day(_ place: Int, in run: inout Evaluator) throws(ExpressionError) -> Int {
        let value = call.values[place]
        if let text = run.string(value), let date = CivilDate(text) { return date.daysSince1970 }
        if case .moment(let moving) = value, !moving.isFalling { return try day(of: moving, in: &run) }
        let second = try time(place, in: &run).rounded(.down).integer ?? 0
        return try run.zone(at: call.link).localDay(at: second)
    }

    private func today(in run: inout Evaluator) throws(ExpressionError) -> Int {
        if let day = run.presentDay { return day }
        let day = try day(of: MovingNumber(), in: &run)
        run.presentDay = day
        return day
    }

    /// Also notes when the day changes.
    private func day(of moving: MovingNumber, in run: inout Evaluator) throws(ExpressionError) -> Int {
        let link = call.link
        let rules = try run.zone(at: link)
        let moved = try run.bounded(moving.value(at: try run.now(at: link)), at: link)
        let second = try inRange(moved, in: &run).rounded(.down).integer ?? 0
        let next = ExactNumber(rules.nextDay(after: second))
        run.note(change: try run.bounded(next.minus(moving.shift), at: link).rounded(.up).integer)
        return rules.localDay(at: second)
    }

    private static func text(ofDay day: Int) -> String {
        let text = TimeText(secondsSince1970: day * 86_400, fraction: nil).text
        return String(decoding: text.prefix { $0 != UInt8(ascii: "T") }, as: UTF8.self)
    }

    /// The same time of day some days later.
    private func added(in run: inout Evaluator) throws(ExpressionError) -> Value {
        let rules = try run.zone(at: call.link)
        let days = try call.whole(1, in: &run) ?? 0
        if let text = run.string(call.values[0]), let date = CivilDate(text) {
            let start = ExactNumber(rules.start(ofDay: date.daysSince1970 + days))
            return .number(try inRange(start, in: &run))
        }
        let time = try time(0, in: &run)
        let second = time.rounded(.down)
        let local = (second.integer ?? 0) + rules.offset(at: second.integer ?? 0)
        let moved = ExactNumber(rules.moment(showing: local + days * 86_400))
        let fraction = try run.bounded(time.minus(second), at: call.link)
        return .number(try inRange(try run.bounded(moved.plus(fraction), at: call.link), in: &run))
    }

    // MARK: Hours and minutes

    /// The whole units from now to a point in time, rounded down: below 0 when it is over.
    private func until(unit: Int, in run: inout Evaluator) throws(ExpressionError) -> Value {
        let time = try time(0, in: &run)
        let units = try units(time.minus(ExactNumber(try run.now(at: call.link))), unit, in: run)
        // As long as the rest is not below as many units.
        let last = try run.bounded(time.minus(ExactNumber(units * unit)), at: call.link)
        run.note(change: last.rounded(.down).integer.map { $0 + 1 })
        return Value(units)
    }

    /// The whole units from a point in time to now, rounded down: below 0 while it is to come.
    private func since(unit: Int, in run: inout Evaluator) throws(ExpressionError) -> Value {
        let time = try time(0, in: &run)
        let units = try units(ExactNumber(try run.now(at: call.link)).minus(time), unit, in: run)
        let next = try run.bounded(time.plus(ExactNumber((units + 1) * unit)), at: call.link)
        run.note(change: next.rounded(.up).integer)
        return Value(units)
    }

    private func units(_ seconds: ExactNumber?, _ unit: Int, in run: Evaluator) throws(ExpressionError) -> Int
    {
        let units = try run.bounded(seconds?.dividedWhole(by: ExactNumber(unit))?.quotient, at: call.link)
        if let whole = units.integer { return whole }
        throw call.wrongValue(.timeRange(call.function), in: run)
    }
}
