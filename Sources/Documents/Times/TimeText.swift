/// A date and time by RFC 3339, or without a zone, with every digit that was written.
struct TimeText: Hashable, Sendable {
    var date: CivilDate
    var hour: Int
    var minute: Int
    /// 60 in a leap second.
    var second: Int
    /// The decimal places as written; `nil` if there is no point.
    var fraction: [UInt8]?
    var zone: Zone

    enum Zone: Hashable, Sendable {
        case utc
        /// Seconds east of Greenwich.
        case offset(Int)
        case missing
    }

    /// The seconds since 1970 if the local time were UTC.
    var clockSeconds: Int { date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second }

    /// `nil` if it is not a time, or does not exist.
    init?(_ text: [UInt8]) {
        var scanner = DigitScanner(text)
        guard let date = scanner.date(), scanner.skip("Tt "), let hour = scanner.number(2), hour < 24,
            scanner.skip(":"), let minute = scanner.number(2), minute < 60,
            scanner.skip(":"), let second = scanner.number(2), second <= 60
        else { return nil }
        self.date = date
        self.hour = hour
        self.minute = minute
        self.second = second
        if scanner.skip(".") {
            fraction = scanner.digits()
            if fraction?.isEmpty == true { return nil }
        }
        guard let zone = scanner.zone(), scanner.isAtEnd else { return nil }
        self.zone = zone
        guard second < 60 || isLeapSecond else { return nil }
    }

    /// A leap second is the last second of a day in UTC.
    private var isLeapSecond: Bool {
        var shift = 0
        if case .offset(let seconds) = zone { shift = seconds }
        let minutes = (hour * 60 + minute - shift / 60) % 1440
        return (minutes + 1440) % 1440 == 1439
    }

    /// From seconds since 1970, in UTC.
    init(secondsSince1970 seconds: Int, fraction: [UInt8]?, zone: Zone = .utc) {
        let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        let rest = seconds - days * 86_400
        date = CivilDate(daysSince1970: days)
        hour = rest / 3600
        minute = rest / 60 % 60
        second = rest % 60
        self.fraction = fraction
        self.zone = zone
    }

    var text: [UInt8] {
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let year = String(date.year)
        var text = String(repeating: "0", count: max(0, 4 - year.count)) + year
        text += "-\(two(date.month))-\(two(date.day))T\(two(hour)):\(two(minute)):\(two(second))"
        var bytes = Array(text.utf8)
        if let fraction { bytes += [UInt8(ascii: ".")] + fraction }
        switch zone {
        case .utc: bytes.append(UInt8(ascii: "Z"))
        case .missing: break
        case .offset(let seconds):
            let minutes = abs(seconds) / 60
            let sign = seconds < 0 ? "-" : "+"
            bytes += Array("\(sign)\(two(minutes / 60)):\(two(minutes % 60))".utf8)
        }
        return bytes
    }
}

/// Reads numbers with a fixed count of digits.
struct DigitScanner {
    private let text: [UInt8]
    private var index = 0

    init(_ text: [UInt8]) { self.text = text }

    var isAtEnd: Bool { index == text.count }

    mutating func skip(_ any: StaticString) -> Bool {
        guard index < text.count else { return false }
        for place in 0..<any.utf8CodeUnitCount where unsafe any.utf8Start[place] == text[index] {
            index += 1
            return true
        }
        return false
    }

    mutating func number(_ count: Int) -> Int? {
        var value = 0
        for _ in 0..<count {
            guard index < text.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[index]) else {
                return nil
            }
            value = value * 10 + Int(text[index] - UInt8(ascii: "0"))
            index += 1
        }
        return value
    }

    mutating func digits() -> [UInt8] {
        let digits = text[index...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        index += digits.count
        return Array(digits)
    }

    mutating func date() -> CivilDate? {
        guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2) else {
            return nil
        }
        return CivilDate(year: year, month: month, day: day)
    }

    mutating func zone() -> TimeText.Zone? {
        if isAtEnd { return .missing }
        if skip("Zz") { return .utc }
        let isWest = index < text.count && text[index] == UInt8(ascii: "-")
        guard skip("+-"), let hours = number(2), hours < 24, skip(":"), let minutes = number(2), minutes < 60
        else { return nil }
        return .offset((hours * 3600 + minutes * 60) * (isWest ? -1 : 1))
    }
}
