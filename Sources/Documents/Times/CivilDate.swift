/// A date of the proleptic Gregorian calendar.
package struct CivilDate: Hashable, Sendable {
    package var year: Int
    package var month: Int
    package var day: Int

    /// `nil` if the calendar has no such date.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), day >= 1, day <= Self.days(in: month, of: year) else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// From a text such as `2026-01-18`; `nil` for anything else.
    init?(_ text: [UInt8]) {
        var scanner = DigitScanner(text)
        guard let date = scanner.date(), scanner.isAtEnd else { return nil }
        self = date
    }

    /// From the number of days since 1970-01-01.
    package init(daysSince1970 days: Int) {
        // Years begin in March here, so that a leap day is the last day of its year. An era has 400 years.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    package var daysSince1970: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// 0 is Sunday.
    package var weekday: Int {
        let days = (daysSince1970 + 4) % 7
        return days < 0 ? days + 7 : days
    }

    static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
