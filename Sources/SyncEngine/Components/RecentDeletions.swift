/// The recent deletions because of documents missing on one side. The next missing ones belong to the same
/// deletion, which may take seconds: with thousands of files, or on a busy machine.
package struct RecentDeletions: Sendable {
    /// Deleting more than half of ten documents within this time needs a person's permission: the agent
    /// cannot distinguish a slow `rm -r` from a person who deletes one by one.
    package static let span = Duration.seconds(10)

    private var times: [(time: Duration, count: Int)] = []
    /// As stored by an earlier run.
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

    /// Drops older deletions.
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
