/// Decides when to restart a watching program that ended, and when to poll instead. Pure: time is an
/// argument.
struct Restarts {
    /// Counted since the last run that lasted a while.
    private(set) var failures = 0
    /// When to start the next one; `nil` while one is running.
    private(set) var startAt: Duration?
    /// Why the bridge polls; `nil` while the watching program works, or is being restarted.
    private(set) var reason: PollingReason?
    var isPolling: Bool { reason != nil }
    /// How many of these failures were hangs. A hang costs seconds, so fewer of them are tolerated.
    private var hangs = 0
    private var readyAt: Duration?

    static let firstDelay = Duration.milliseconds(100)
    static let longestDelay = Duration.seconds(10)
    static let mostFailures = 5
    static let mostHangs = 2
    static let retry = Duration.seconds(60)
    /// A run that was ready for this long had no trouble starting.
    static let lasting = Duration.seconds(10)

    init(at now: Duration) { startAt = now }

    func isDue(at now: Duration) -> Bool { startAt.map { now >= $0 } ?? false }

    /// The running one has reported that it watches.
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
