extension TimeZoneRules {
    /// The first moment after another at which the clocks show one of the times of day, in seconds since
    /// 1970; `nil` if there are no times.
    ///
    /// A time that a change of the clocks skips comes as much later as they are put forward, and one that it
    /// repeats comes once, the first time.
    package func next(_ timesOfDay: [Int], after seconds: Int) -> Int? {
        let local = seconds + offset(at: seconds)
        let today = local / dayLength - (local % dayLength < 0 ? 1 : 0)
        // A time skipped before midnight comes the day after.
        for day in today - 1...today + 2 {
            let moments = timesOfDay.map { moment(showing: day * dayLength + $0) }
            if let next = moments.filter({ $0 > seconds }).min() { return next }
        }
        return nil
    }

    /// The last local midnight at or before a moment, in seconds since 1970.
    package func midnight(before seconds: Int) -> Int {
        let local = seconds + offset(at: seconds)
        let today = local / dayLength - (local % dayLength < 0 ? 1 : 0)
        return moment(showing: today * dayLength)
    }
}

private let dayLength = 86_400
