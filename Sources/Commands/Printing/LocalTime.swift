import Documents
import Glibc

/// Formats a time in the local time zone (`TZ`, else `/etc/localtime`), with its UTC offset.
enum LocalTime {
    /// - Parameter milliseconds: since 1970.
    static func text(_ milliseconds: Int64) -> String {
        var seconds = time_t(milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0))
        var clock = unsafe tm()
        // If the time zone's rules cannot be read, the time is in UTC.
        guard unsafe localtime_r(&seconds, &clock) != nil else { return UTCTime.text(milliseconds) }
        return unsafe UTCTime.text(milliseconds, offset: clock.tm_gmtoff)
    }

    /// For example `15:30:00`.
    static func timeOfDay(_ milliseconds: Int64) -> String {
        String(text(milliseconds).drop { $0 != " " }.dropFirst().prefix(8))
    }

    /// Milliseconds since 1970.
    static var now: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
