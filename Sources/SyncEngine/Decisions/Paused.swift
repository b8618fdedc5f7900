package import StateStore

/// A paused engine takes hints, but writes to neither container.
extension Engine {
    /// Milliseconds since 1970; `nil` if the bridge is not paused.
    package var pausedSince: Int64? { pause.since }

    package mutating func pause(at now: Moment) throws(JournalError) {
        try pause.begin(at: now, in: &journal)
    }

    /// The next turn reads everything: what was saved meanwhile without a hint is synced as well.
    package mutating func resume() throws(JournalError) {
        try pause.end(in: &journal)
        scanner.want()
    }
}
