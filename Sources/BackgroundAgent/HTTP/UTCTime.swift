/// Milliseconds since 1970 as people and programs are shown them: `2026-01-18T14:30:00.123Z`.
package enum UTCTime {
    private static let dayLength: Int64 = 86_400_000

    package static func text(_ milliseconds: Int64) -> String {
        var (days, rest) = milliseconds.quotientAndRemainder(dividingBy: dayLength)
        if rest < 0 { (days, rest) = (days - 1, rest + dayLength) }
        let (year, month, day) = date(ofDay: days)
        let date = "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
        let time = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60].map { digits($0, 2) }
        return "\(date)T\(time.joined(separator: ":")).\(digits(rest % 1000, 3))Z"
    }

    /// `nil` for anything but the form that `text` prints.
    package static func milliseconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        let pattern = Array("0000-00-00T00:00:00.000Z".utf8)
        guard bytes.count == pattern.count else { return nil }
        for (byte, wanted) in zip(bytes, pattern) {
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            guard wanted == UInt8(ascii: "0") ? isDigit : byte == wanted else { return nil }
        }
        func number(_ range: Range<Int>) -> Int64 {
            bytes[range].reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        }
        let day = day(ofYear: number(0..<4), month: number(5..<7), day: number(8..<10))
        let seconds = number(11..<13) * 3600 + number(14..<16) * 60 + number(17..<19)
        return day * dayLength + seconds * 1000 + number(20..<23)
    }

    private static func digits(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }

    // Both count years from March, so that the leap day is the last of its year; 719,468 days lie between
    // 0000-03-01 and 1970-01-01, 146,097 in 400 years.

    private static func date(ofDay days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let fromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * fromMarch + 2) / 5 + 1
        let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static func day(ofYear year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
