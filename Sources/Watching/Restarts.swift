/// When a helper that ended is started again, and when polling takes its place. Pure: time is an argument.
struct Restarts {
    /// Since the last helper that lived for a while.
    private(set) var failures = 0
    /// When the next one is to be started; `nil` while one runs.
    private(set) var startAt: Duration?
    /// Why there is polling; `nil` while the helper does the work, or is given another try at it.
    private(set) var reason: PollingReason?
    var isPolling: Bool { reason != nil }
    /// How many of these failures were silence. One costs seconds, so that few of them are enough.
    private var hangs = 0
    private var readyAt: Duration?

    static let firstDelay = Duration.milliseconds(100)
    static let longestDelay = Duration.seconds(10)
    static let mostFailures = 5
    static let mostHangs = 2
    static let retry = Duration.seconds(60)
    /// A helper that was ready for so long had no trouble starting.
    static let lasting = Duration.seconds(10)

    init(at now: Duration) { startAt = now }

    func isDue(at now: Duration) -> Bool { startAt.map { now >= $0 } ?? false }

    /// The one that runs has said that it watches.
    var isReady: Bool { readyAt != nil }

    mutating func started() {
        startAt = nil
        readyAt = nil
    }

    mutating func becameReady(at now: Duration) {
        readyAt = now
        reason = nil
    }

    mutating func ended(_ why: PollingReason, at now: Duration) {
        if let readyAt, now >= readyAt + Self.lasting { (failures, hangs) = (0, 0) }
        failures += 1
        if why == .silent { hangs += 1 }
        if failures >= Self.mostFailures || hangs >= Self.mostHangs {
            reason = why
            startAt = now + Self.retry
        } else {
            startAt = now + min(Self.longestDelay, Self.firstDelay * (1 << (failures - 1)))
        }
    }
}
