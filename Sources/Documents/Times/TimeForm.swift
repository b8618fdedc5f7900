/// How a document writes a point in time.
package enum TimeForm: String, CaseIterable, Sendable {
    /// RFC 3339, written in UTC.
    case iso8601
    /// The same without a zone: what the clocks show in the profile's zone.
    case local
    /// A number of seconds since 2001, as Swift writes a `Date`.
    case seconds2001
    /// A number of milliseconds since 1970.
    case milliseconds
    /// The same as a string.
    case millisecondsText

    /// What a value looks like; `nil` where it is none of `forms`.
    static func form(of text: [UInt8], isString: Bool, among forms: [TimeForm]) -> TimeForm? {
        forms.first { form in
            switch form {
            case .seconds2001, .milliseconds: !isString
            case .millisecondsText: isString && PlainDecimal(text) != nil
            case .iso8601: isString && TimeText(text).map { $0.zone != .missing } ?? false
            case .local: isString && TimeText(text).map { $0.zone == .missing } ?? false
            }
        }
    }

    var isString: Bool { self == .iso8601 || self == .local || self == .millisecondsText }

    var words: String {
        switch self {
        case .iso8601: "a time such as `2026-01-18T14:30:00Z`"
        case .local: "a local time such as `2026-01-18T14:30:00`"
        case .seconds2001: "a number of seconds since 2001"
        case .milliseconds: "a number of milliseconds since 1970"
        case .millisecondsText: "milliseconds since 1970 as a string"
        }
    }

    /// A time, and what of it may be lost on the way back.
    struct Reading {
        var instant: Instant
        var loss: TimeLoss?
    }

    /// `nil` where it cannot be read, or the zone is needed and not known.
    func read(_ text: [UInt8], zone: TimeZoneRules?) -> Reading? {
        switch self {
        case .seconds2001: return Instant(secondsSince2001: text).map { Reading(instant: $0) }
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
        }
    }

    struct Writing {
        var text: [UInt8]
        var loss: TimeLoss?
    }

    /// `nil` where the zone is needed and not known.
    func write(_ instant: Instant, zone: TimeZoneRules?) -> Writing? {
        switch self {
        case .seconds2001: return Writing(text: instant.secondsSince2001)
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
        }
    }
}
