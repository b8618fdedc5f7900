/// Days of local time, as numbers since 1970-01-01; moments are in seconds since 1970.
extension TimeZoneRules {
    /// The day that the calendars show at a moment.
    func localDay(at seconds: Int) -> Int {
        let local = seconds + offset(at: seconds)
        return local / 86_400 - (local % 86_400 < 0 ? 1 : 0)
    }

    /// The first moment after another at which the calendars show another day: the next one, unless the
    /// clocks are put back over midnight.
    func nextDay(after seconds: Int) -> Int {
        let today = localDay(at: seconds)
        // The day ends when the clocks reach midnight, by either of their offsets, or when they are changed.
        let midnights = [today - 1, today, today + 1, today + 2].flatMap { day in
            offsets.map { day * 86_400 - $0 }
        }
        let moments = (midnights + changes(around: seconds)).filter {
            $0 > seconds && localDay(at: $0) != today
        }
        // There is one, because no day lasts as long as two.
        return moments.min() ?? seconds + 1
    }

    /// The first moment of a day. Midnight that the clocks skip is that of the change.
    func start(ofDay day: Int) -> Int { moment(showing: day * 86_400) }

    /// The moment at which the clocks show a local time, given in seconds as if it were UTC: the first of
    /// two, and as much later as the clocks are put forward if they skip it.
    func moment(showing local: Int) -> Int { times(showing: local).first ?? time(behindGap: local) }
}
