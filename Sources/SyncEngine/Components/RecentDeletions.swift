/// What was deleted a moment ago for being gone from one side. What disappears from there next belongs to the
/// same deletion, which may take seconds: of thousands, or on a busy machine.
package struct RecentDeletions: Sendable {
    /// Whoever deletes more than half of ten documents within this is asked, one by one or not: the agent
    /// cannot tell a slow `rm -r` from a person who means each of them.
    package static let span = Duration.seconds(10)

    private var times: [(time: Duration, count: Int)] = []
    /// As an earlier run has noted them.
    private var restored = 0
    package private(set) var count = 0

    package init(restored: Int = 0) { (self.restored, count) = (restored, restored) }

    package mutating func add(at now: Duration) {
        count += 1
        if let last = times.indices.last, times[last].time == now {
            times[last].count += 1
        } else {
            times.append((now, 1))
        }
    }

    /// Lets go what was longer ago.
    package mutating func pass(to now: Duration) {
        if restored > 0 {
            times.insert((now, restored), at: 0)
            restored = 0
        }
        let old = times.prefix { $0.time + Self.span <= now }
        guard !old.isEmpty else { return }
        count -= old.reduce(0) { $0 + $1.count }
        times.removeFirst(old.count)
    }
}
