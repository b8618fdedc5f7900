/// How a moment is written, in the local time.
package enum DateStyle: Sendable, Hashable {
    package enum Length: String, Sendable, Hashable {
        case short, medium, long, full
    }

    case date(Length)
    case time(Length)
    case pattern([Field])

    /// A part of a pattern (https://unicode.org/reports/tr35/tr35-dates.html#Date_Field_Symbol_Table).
    package enum Field: Sendable, Hashable {
        case text(String)
        case year, shortYear
        case month(digits: Int), shortMonth, longMonth
        case day(digits: Int)
        case hour(digits: Int), hourOf12(digits: Int)
        case minute(digits: Int), second(digits: Int)
        case shortWeekday, longWeekday
        case dayPeriod
    }

    init?(date text: String) { self.init(text) { .date($0) } }
    init?(time text: String) { self.init(text) { .time($0) } }

    /// Of the style of an argument: nothing, a length, or a pattern such as `dd/MM HH:mm`.
    private init?(_ text: String, _ styled: (Length) -> DateStyle) {
        if text.isEmpty {
            self = styled(.medium)
        } else if let length = Length(rawValue: text) {
            self = styled(length)
        } else if let fields = Self.fields(text) {
            self = .pattern(fields)
        } else {
            return nil
        }
    }

    /// `nil` if a letter is no field.
    private static func fields(_ pattern: String) -> [Field]? {
        var fields: [Field] = []
        var rest = pattern[...]
        while let first = rest.first {
            let run = rest.prefix { $0 == first }
            rest = rest.dropFirst(run.count)
            if first.isASCII, first.isLetter {
                guard let field = field(first, run.count) else { return nil }
                fields.append(field)
            } else {
                fields.append(.text(String(run)))
            }
        }
        return fields
    }

    private static func field(_ letter: Character, _ count: Int) -> Field? {
        switch (letter, count) {
        case ("y", 1), ("y", 4): .year
        case ("y", 2): .shortYear
        case ("M", 1...2): .month(digits: count)
        case ("M", 3): .shortMonth
        case ("M", 4): .longMonth
        case ("d", 1...2): .day(digits: count)
        case ("H", 1...2): .hour(digits: count)
        case ("h", 1...2): .hourOf12(digits: count)
        case ("m", 1...2): .minute(digits: count)
        case ("s", 1...2): .second(digits: count)
        case ("E", 1...3): .shortWeekday
        case ("E", 4): .longWeekday
        case ("a", 1): .dayPeriod
        default: nil
        }
    }
}
