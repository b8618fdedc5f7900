import CLinux
import SyncEngine

/// The one place that asks the time.
enum Clock {
    /// Since the machine started; never goes back.
    static var uptime: Duration { .nanoseconds(linux_uptime()) }

    static var now: Moment { Moment(uptime: uptime, unixNanoseconds: linux_wall_time()) }
}
