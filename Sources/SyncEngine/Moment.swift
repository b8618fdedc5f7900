/// When something is: the engine is told, and never asks.
package struct Moment: Sendable, Hashable {
    /// Since some fixed point in the past; never goes back.
    package var uptime: Duration
    /// Since 1970, as the file system's stamps are; may jump.
    package var unixNanoseconds: Int64

    package init(uptime: Duration, unixNanoseconds: Int64) {
        self.uptime = uptime
        self.unixNanoseconds = unixNanoseconds
    }

    package var unixMilliseconds: Int64 { unixNanoseconds / 1_000_000 }
}
