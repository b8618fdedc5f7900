import Documents
import Foundation

/// Writes moments and civil dates.
struct DateWriter {
    private let locale: Locale
    private let zone: TimeZoneRules

    init(_ locale: Locale, _ zone: TimeZoneRules) { (self.locale, self.zone) = (locale, zone) }

    /// `nil` if the value is no time.
    func text(_ value: JSONValue, _ style: DateStyle) -> String? {
        guard let local = zone.clockSeconds(of: value) else { return nil }
        // The local time as if it were that of Greenwich, since the rules of the zone are ours.
        let date = Date(timeIntervalSince1970: Double(local))
        switch style {
        case .date(let length): return date.formatted(format(date: length.date, time: .omitted))
        case .time(let length): return date.formatted(format(date: .omitted, time: length.time))
        case .pattern(let fields): return fields.map { text($0, local) }.joined()
        }
    }

    private func format(date: Date.FormatStyle.DateStyle, time: Date.FormatStyle.TimeStyle)
        -> Date.FormatStyle
    {
        Date.FormatStyle(date: date, time: time, locale: locale, calendar: calendar, timeZone: .gmt)
    }

    private var calendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        (calendar.locale, calendar.timeZone) = (locale, .gmt)
        return calendar
    }

    private func text(_ field: DateStyle.Field, _ local: Int) -> String {
        let days = local / 86_400 - (local % 86_400 < 0 ? 1 : 0)
        let (day, seconds) = (CivilDate(daysSince1970: days), local - days * 86_400)
        let hour = seconds / 3600
        switch field {
        case .text(let text): return text
        case .year: return "\(day.year)"
        case .shortYear: return padded(day.year % 100, 2)
        case .month(let digits): return padded(day.month, digits)
        case .shortMonth: return calendar.shortMonthSymbols[day.month - 1]
        case .longMonth: return calendar.monthSymbols[day.month - 1]
        case .day(let digits): return padded(day.day, digits)
        case .hour(let digits): return padded(hour, digits)
        case .hourOf12(let digits): return padded((hour + 11) % 12 + 1, digits)
        case .minute(let digits): return padded(seconds / 60 % 60, digits)
        case .second(let digits): return padded(seconds % 60, digits)
        case .shortWeekday: return calendar.shortWeekdaySymbols[day.weekday]
        case .longWeekday: return calendar.weekdaySymbols[day.weekday]
        case .dayPeriod: return hour < 12 ? calendar.amSymbol : calendar.pmSymbol
        }
    }

    private func padded(_ number: Int, _ digits: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}

extension DateStyle.Length {
    fileprivate var date: Date.FormatStyle.DateStyle {
        switch self {
        case .short: .numeric
        case .medium: .abbreviated
        case .long: .long
        case .full: .complete
        }
    }

    fileprivate var time: Date.FormatStyle.TimeStyle {
        switch self {
        case .short: .shortened
        // Longer ones name the zone, which is not that of Foundation here.
        case .medium, .long, .full: .standard
        }
    }
}
