/// Increasing delays between retries.
package enum Backoff {
    package static let first = Duration.milliseconds(500)
    package static let longest = Duration.seconds(30)

    package static func delay(after attempts: Int) -> Duration {
        min(first * (1 << min(attempts, 6)), longest)
    }
}
