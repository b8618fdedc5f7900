/// The rules of a time zone as a value, from POSIX text such as `CET-1CEST,M3.5.0,M10.5.0/3`, so that a
/// migration depends on no time zone files.
package struct TimeZoneRules: Sendable, Hashable {
    /// Seconds east of Greenwich.
    private let standard: Int
    private let summer: Summer?

    private struct Summer: Hashable {
        var offset: Int
        var start: Change
        var end: Change
    }

    /// When the clocks change, in local time before the change.
    private struct Change: Hashable {
        var day: Day
        var seconds: Int
    }

    private enum Day: Hashable {
        /// The n-th weekday of this kind in a month; the fifth is the last.
        case weekday(month: Int, week: Int, day: Int)
        /// From 1, without February 29.
        case julian(Int)
        /// From 0, with February 29.
        case ofYear(Int)
    }

    package static let utc = TimeZoneRules(fixed: 0)

    private init(fixed offset: Int) { (standard, summer) = (offset, nil) }

    /// `nil` if the text is invalid.
    package init?(posix text: String) {
        var scanner = RuleScanner(text)
        guard scanner.name(), let west = scanner.offset() else { return nil }
        standard = -west
        guard !scanner.isAtEnd else {
            summer = nil
            return
        }
        guard scanner.name() else { return nil }
        var offset = standard + 3600
        if !scanner.isAtEnd, !scanner.isAt(","), let west = scanner.offset() { offset = -west }
        guard scanner.skip(","), let start = Self.change(&scanner), scanner.skip(","),
            let end = Self.change(&scanner), scanner.isAtEnd
        else { return nil }
        summer = Summer(offset: offset, start: start, end: end)
    }

    private static func change(_ scanner: inout RuleScanner) -> Change? {
        let day: Day
        if scanner.skip("M") {
            guard let month = scanner.number(1...12), scanner.skip("."), let week = scanner.number(1...5),
                scanner.skip("."), let weekday = scanner.number(0...6)
            else { return nil }
            day = .weekday(month: month, week: week, day: weekday)
        } else if scanner.skip("J") {
            guard let number = scanner.number(1...365) else { return nil }
            day = .julian(number)
        } else {
            guard let number = scanner.number(0...365) else { return nil }
            day = .ofYear(number)
        }
        guard scanner.skip("/") else { return Change(day: day, seconds: 7200) }
        return scanner.offset(hours: 0...167).map { Change(day: day, seconds: $0) }
    }

    /// Seconds east of Greenwich at a time, in seconds since 1970.
    package func offset(at seconds: Int) -> Int {
        guard let summer else { return standard }
        let days = (seconds + standard) / 86_400 - ((seconds + standard) % 86_400 < 0 ? 1 : 0)
        let year = CivilDate(daysSince1970: days).year
        let start = Self.seconds(of: summer.start, in: year) - standard
        let end = Self.seconds(of: summer.end, in: year) - summer.offset
        let isSummer = start < end ? seconds >= start && seconds < end : seconds >= start || seconds < end
        return isSummer ? summer.offset : standard
    }

    /// Each offset that the zone has at a time of the year.
    var offsets: [Int] { [standard] + (summer.map { [$0.offset] } ?? []) }

    /// The moments at which the clocks are changed, of the year of a moment and those beside it.
    func changes(around seconds: Int) -> [Int] {
        guard let summer else { return [] }
        let year = CivilDate(daysSince1970: seconds / 86_400).year
        return (year - 1...year + 1).flatMap { year in
            [
                Self.seconds(of: summer.start, in: year) - standard,
                Self.seconds(of: summer.end, in: year) - summer.offset,
            ]
        }
    }

    /// The times at which the local time is `local`, given in seconds as if it were UTC: two in a repeated
    /// hour, none in a skipped one, else one. The earliest comes first.
    func times(showing local: Int) -> [Int] {
        let offsets = [summer?.offset, standard].compactMap { $0 }.sorted(by: >)
        return offsets.map { local - $0 }.filter { $0 + offset(at: $0) == local }
    }

    /// The time for a local time in a skipped hour: as if the clocks had not changed yet.
    func time(behindGap local: Int) -> Int {
        local - min(standard, summer?.offset ?? standard)
    }

    /// Since 1970, as if the local time were UTC.
    private static func seconds(of change: Change, in year: Int) -> Int {
        let newYear = CivilDate(year: year, month: 1, day: 1)?.daysSince1970 ?? 0
        let day: Int
        switch change.day {
        case .ofYear(let number): day = newYear + number
        case .julian(let number):
            day = newYear + number - 1 + (CivilDate.isLeap(year) && number >= 60 ? 1 : 0)
        case .weekday(let month, let week, let weekday):
            let first = CivilDate(year: year, month: month, day: 1)
            let firstWeekday = first?.weekday ?? 0
            let shift = (weekday - firstWeekday + 7) % 7
            let length = CivilDate.days(in: month, of: year)
            var inMonth = shift + (week - 1) * 7
            while inMonth >= length { inMonth -= 7 }
            day = (first?.daysSince1970 ?? 0) + inMonth
        }
        return day * 86_400 + change.seconds
    }
}

private struct RuleScanner {
    private let text: [UInt8]
    private var index = 0

    init(_ text: String) { self.text = Array(text.utf8) }

    var isAtEnd: Bool { index == text.count }

    func isAt(_ character: Unicode.Scalar) -> Bool {
        index < text.count && UInt32(text[index]) == character.value
    }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard isAt(character) else { return false }
        index += 1
        return true
    }

    /// Three letters or more, or anything in angle brackets.
    mutating func name() -> Bool {
        let start = index
        if skip("<") {
            while index < text.count, text[index] != UInt8(ascii: ">") { index += 1 }
            return skip(">")
        }
        while index < text.count, text[index].isLetter { index += 1 }
        return index - start >= 3
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int? {
        let digits = text[index...].prefix { $0.isDigit }
        guard (1...3).contains(digits.count) else { return nil }
        index += digits.count
        let value = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return range.contains(value) ? value : nil
    }

    /// Hours, minutes and seconds; returns seconds.
    mutating func offset(hours range: ClosedRange<Int> = 0...24) -> Int? {
        let isNegative = skip("-")
        if !isNegative { _ = skip("+") }
        guard let hours = number(range) else { return nil }
        var seconds = hours * 3600
        if skip(":") {
            guard let minutes = number(0...59) else { return nil }
            seconds += minutes * 60
            if skip(":") {
                guard let rest = number(0...59) else { return nil }
                seconds += rest
            }
        }
        return isNegative ? -seconds : seconds
    }
}
