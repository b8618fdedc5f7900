import CLinux
import SyncEngine

/// The only access to the system's clocks.
enum Clock {
    /// Monotonic time since boot.
    static var uptime: Duration { .nanoseconds(linux_uptime()) }

    static var now: Moment { Moment(uptime: uptime, unixNanoseconds: linux_wall_time()) }
}
