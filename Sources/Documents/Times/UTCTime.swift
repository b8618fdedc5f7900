/// Milliseconds since 1970 in the form that programs read: `2026-01-18T14:30:00.123Z`.
package enum UTCTime {
    private static let dayLength: Int64 = 86_400_000

    package static func text(_ milliseconds: Int64) -> String { text(milliseconds, "T") + "Z" }

    /// Local time `offset` seconds east of Greenwich: `2026-01-18 15:30:00.123+01:00`.
    package static func text(_ milliseconds: Int64, offset: Int) -> String {
        let minutes = offset.magnitude / 60
        let zone = "\(digits(Int(minutes / 60), 2)):\(digits(Int(minutes % 60), 2))"
        let local = text(milliseconds + Int64(offset) * 1000, " ")
        return local + (offset < 0 ? "-" : "+") + zone
    }

    /// From a time by RFC 3339, in any zone; `nil` for anything else.
    package static func milliseconds(rfc3339 text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard TimeForm.form(of: bytes, isString: true, among: [.iso8601]) != nil,
            let instant = TimeForm.iso8601.read(bytes, zone: nil)?.instant
        else { return nil }
        return Int64(String(decoding: instant.milliseconds, as: UTF8.self))
    }

    private static func text(_ milliseconds: Int64, _ separator: String) -> String {
        var (days, rest) = milliseconds.quotientAndRemainder(dividingBy: dayLength)
        if rest < 0 { (days, rest) = (days - 1, rest + dayLength) }
        let day = CivilDate(daysSince1970: Int(days))
        let date = [digits(day.year, 4), digits(day.month, 2), digits(day.day, 2)].joined(separator: "-")
        let time = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60].map { digits(Int($0), 2) }
        return "\(date)\(separator)\(time.joined(separator: ":")).\(digits(Int(rest % 1000), 3))"
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
        func number(_ range: Range<Int>) -> Int {
            bytes[range].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        }
        let day = CivilDate(year: number(0..<4), month: number(5..<7), day: number(8..<10))
        guard let day else { return nil }
        let seconds = number(11..<13) * 3600 + number(14..<16) * 60 + number(17..<19)
        return Int64(day.daysSince1970) * dayLength + Int64(seconds * 1000 + number(20..<23))
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
