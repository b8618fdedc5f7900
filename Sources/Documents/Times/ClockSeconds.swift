extension TimeZoneRules {
    /// What the local clocks show at the time of a value, in seconds since 1970 as if they showed UTC; `nil`
    /// if it is no time.
    ///
    /// - Parameter value: seconds since 1970, or a text: a time by RFC 3339, one without a zone, or a date.
    package func clockSeconds(of value: JSONValue) -> Int? {
        switch value {
        case .number(let text):
            return Instant(decimal: Array(text.utf8), shiftedBy: 0).map { shown(at: $0.seconds) }
        case .string(let text):
            if let date = CivilDate(text) { return date.daysSince1970 * 86_400 }
            guard let time = TimeText(text) else { return nil }
            switch time.zone {
            case .missing: return time.clockSeconds
            case .utc: return shown(at: time.clockSeconds)
            case .offset(let seconds): return shown(at: time.clockSeconds - seconds)
            }
        default: return nil
        }
    }

    private func shown(at seconds: Int) -> Int { seconds + offset(at: seconds) }
}
