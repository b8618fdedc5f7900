/// How many of the documents that waited to be looked at are done.
package struct ScanProgress: Sendable, Hashable {
    package private(set) var done = 0
    package private(set) var total = 0

    package init() {}

    /// - Parameter waiting: how many still wait.
    mutating func count(waiting: Int) {
        total = max(total, waiting)
        done = total - waiting
    }

    /// Called often, with the progress of the scan.
    package typealias Watcher = @Sendable (ScanProgress) -> Void
}

/// Decides when an agent logs how far a scan is: once it has taken a second, then from time to time, and at
/// its end.
struct LongScan: Sendable {
    enum News: Hashable {
        case goesOn(ScanProgress)
        case ended(ScanProgress, after: Duration)
    }

    private static let first = Duration.seconds(1)
    private static let interval = Duration.seconds(10)

    /// How many scans had begun at the last look.
    private var scans = 0
    private var progress: ScanProgress?
    private var start = Duration.zero
    private var next = Duration.zero
    private var isLogged = false

    /// - Parameters:
    ///   - scans: how many have begun so far.
    ///   - waiting: how many documents still wait.
    ///   - isDue: whether one of them is due now.
    mutating func news(scans: Int, waiting: Int, isDue: Bool, at now: Duration) -> News? {
        if scans != self.scans {
            self.scans = scans
            if progress == nil { (progress, start, next, isLogged) = (.init(), now, now + Self.first, false) }
        }
        guard var progress else { return nil }
        progress.count(waiting: waiting)
        guard isDue else {
            self.progress = nil
            return isLogged ? .ended(progress, after: now - start) : nil
        }
        self.progress = progress
        guard now >= next else { return nil }
        (next, isLogged) = (now + Self.interval, true)
        return .goesOn(progress)
    }
}
