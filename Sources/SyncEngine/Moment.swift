/// A point in time, which the engine always gets as an argument.
package struct Moment: Sendable, Hashable {
    /// Monotonic; never decreases.
    package var uptime: Duration
    /// Since 1970, like the file system's timestamps; may jump.
    package var unixNanoseconds: Int64

    package init(uptime: Duration, unixNanoseconds: Int64) {
        self.uptime = uptime
        self.unixNanoseconds = unixNanoseconds
    }

    package var unixMilliseconds: Int64 { unixNanoseconds / 1_000_000 }
}
