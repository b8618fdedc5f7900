import ArgumentParser
import BridgeRuntime
import Documents
import Glibc

/// The start of a period: an RFC 3339 time, or a duration before now, such as `90m` or `7d`.
struct TimeBound: Hashable, Sendable {
    /// Milliseconds since 1970.
    let milliseconds: Int64

    /// - Parameter now: milliseconds since 1970.
    init?(argument: String, now: Int64) {
        if let time = UTCTime.milliseconds(rfc3339: argument) {
            milliseconds = time
            return
        }
        let days = argument.last == "d" ? Int64(argument.dropLast()) : nil
        let span = days.flatMap { (0...36_500).contains($0) ? $0 * 86_400_000 : nil }
        let duration = Duration(words: argument).map { Int64($0 / .milliseconds(1)) }
        guard let before = span ?? duration else { return nil }
        milliseconds = now - before
    }

    @Sendable static func parsed(_ text: String) throws -> TimeBound {
        let now = Int64(time(nil)) * 1000
        guard let bound = TimeBound(argument: text, now: now) else {
            throw ValidationError(
                "expected a time such as `2026-01-18T14:30:00Z`, or how long ago, such as `90m` or `7d`"
            )
        }
        return bound
    }
}
