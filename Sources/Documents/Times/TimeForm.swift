/// How a document represents a point in time.
package enum TimeForm: String, CaseIterable, Sendable {
    /// RFC 3339, written in UTC.
    case iso8601
    /// RFC 3339 without a zone: local time in the profile's zone.
    case local
    /// A number of seconds since 2001, as Swift encodes a `Date`.
    case seconds2001
    /// A number of seconds since 1970, as in Unix time.
    case seconds1970
    /// Seconds since 1970 as a string.
    case seconds1970Text
    /// A number of milliseconds since 1970.
    case milliseconds
    /// Milliseconds since 1970 as a string.
    case millisecondsText
    /// A date: its first instant in the profile's zone.
    case date

    /// The form that a value has; `nil` if it has none of `forms`.
    static func form(of text: [UInt8], isString: Bool, among forms: [TimeForm]) -> TimeForm? {
        forms.first { form in
            switch form {
            case .seconds2001, .seconds1970, .milliseconds: !isString
            case .seconds1970Text, .millisecondsText: isString && PlainDecimal(text) != nil
            case .iso8601: isString && TimeText(text).map { $0.zone != .missing } ?? false
            case .local: isString && TimeText(text).map { $0.zone == .missing } ?? false
            case .date: isString && CivilDate(text) != nil
            }
        }
    }

    var isString: Bool {
        switch self {
        case .iso8601, .local, .seconds1970Text, .millisecondsText, .date: true
        case .seconds2001, .seconds1970, .milliseconds: false
        }
    }

    var needsZone: Bool { self == .local || self == .date }

    var words: String {
        switch self {
        case .iso8601: "a time such as `2026-01-18T14:30:00Z`"
        case .local: "a local time such as `2026-01-18T14:30:00`"
        case .seconds2001: "a number of seconds since 2001"
        case .seconds1970: "a number of seconds since 1970"
        case .seconds1970Text: "seconds since 1970 as a string"
        case .milliseconds: "a number of milliseconds since 1970"
        case .millisecondsText: "milliseconds since 1970 as a string"
        case .date: "a date such as `2026-01-18`"
        }
    }

    /// A time, and what of it may be lost on the way back.
    struct Reading {
        var instant: Instant
        var loss: TimeLoss?
    }

    /// `nil` if it cannot be read, or a zone is needed and unknown.
    func read(_ text: [UInt8], zone: TimeZoneRules?) -> Reading? {
        switch self {
        case .seconds2001: return Instant(secondsSince2001: text).map { Reading(instant: $0) }
        case .seconds1970, .seconds1970Text:
            return Instant(decimal: text, shiftedBy: 0).map { Reading(instant: $0) }
        case .milliseconds, .millisecondsText: return Instant(milliseconds: text).map { Reading(instant: $0) }
        case .iso8601:
            guard let time = TimeText(text) else { return nil }
            var offset = 0
            if case .offset(let seconds) = time.zone { offset = seconds }
            let instant = Instant(seconds: time.clockSeconds - offset, fraction: time.fraction)
            return Reading(instant: instant, loss: time.second == 60 ? .leapSecond : nil)
        case .local:
            guard let time = TimeText(text), let zone else { return nil }
            let times = zone.times(showing: time.clockSeconds)
            let seconds = times.first ?? zone.time(behindGap: time.clockSeconds)
            let loss: TimeLoss? =
                switch times.count {
                case 0: .skippedHour
                case 1: nil
                default: .repeatedHour
                }
            return Reading(instant: Instant(seconds: seconds, fraction: time.fraction), loss: loss)
        case .date:
            guard let date = CivilDate(text), let zone else { return nil }
            let midnight = date.daysSince1970 * 86_400
            let seconds = zone.times(showing: midnight).first ?? zone.time(behindGap: midnight)
            return Reading(instant: Instant(seconds: seconds, fraction: nil))
        }
    }

    struct Writing {
        var text: [UInt8]
        var loss: TimeLoss?
    }

    /// `nil` if a zone is needed and unknown.
    func write(_ instant: Instant, zone: TimeZoneRules?) -> Writing? {
        switch self {
        case .seconds2001: return Writing(text: instant.seconds(since: Instant.epoch2001))
        case .seconds1970, .seconds1970Text: return Writing(text: instant.seconds(since: 0))
        case .milliseconds, .millisecondsText:
            return Writing(
                text: instant.milliseconds,
                loss: instant.isFinerThanMilliseconds ? .digits : nil
            )
        case .iso8601:
            let time = TimeText(secondsSince1970: instant.seconds, fraction: instant.fraction)
            return Writing(text: time.text)
        case .local:
            guard let zone else { return nil }
            let local = instant.seconds + zone.offset(at: instant.seconds)
            let time = TimeText(secondsSince1970: local, fraction: instant.fraction, zone: .missing)
            let isSecond = zone.times(showing: local).first != instant.seconds
            return Writing(text: time.text, loss: isSecond ? .secondOfRepeatedHour : nil)
        case .date:
            guard let zone else { return nil }
            let local = instant.seconds + zone.offset(at: instant.seconds)
            let time = TimeText(secondsSince1970: local, fraction: nil, zone: .missing)
            let text = Array(time.text.prefix { $0 != UInt8(ascii: "T") })
            let isFirst = instant.isSame(as: read(text, zone: zone)?.instant)
            return Writing(text: text, loss: isFirst ? nil : .timeOfDay)
        }
    }
}
