import Glibc

/// A moment as people here read it: by the clock on the wall, with its offset from UTC.
struct LocalTime: CustomStringConvertible {
    private let date: String
    /// `15:30:00`
    let timeOfDay: String
    private let milliseconds: Int64
    private let offset: String

    /// - Parameter nanoseconds: since 1970.
    init(nanoseconds: Int64) {
        milliseconds = nanoseconds / 1_000_000 % 1000
        var (time, parts) = unsafe (time_t(nanoseconds / 1_000_000_000), tm())
        unsafe localtime_r(&time, &parts)
        date = unsafe "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
        timeOfDay = unsafe "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
        let minutes = unsafe Int32(parts.tm_gmtoff / 60)
        offset = "\(minutes < 0 ? "-" : "+")\(two(abs(minutes) / 60)):\(two(abs(minutes) % 60))"
    }

    static var now: LocalTime {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return LocalTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// `2026-01-18T15:30:00.123+01:00`
    var description: String {
        "\(date)T\(timeOfDay).\(String(1000 + milliseconds).dropFirst())\(offset)"
    }
}

private func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
