package import Model

/// The documents deleted recently because they were missing on one side, and not back since. The next missing
/// ones belong to the same deletion, which may take seconds: with thousands of files, or on a busy machine.
package struct RecentDeletions: Sendable {
    /// Deleting more than half of ten documents within this time needs a person's permission: the agent
    /// cannot distinguish a slow `rm -r` from a person who deletes one by one.
    package static let span = Duration.seconds(10)

    private var names = RecentNames(for: span)
    /// The number that an earlier run stored, and when this run first saw it.
    private var restored: Int
    private var restoredAt: Duration?

    package init(restored: Int = 0) { self.restored = restored }

    /// The number of documents: one that was deleted several times counts once.
    package var count: Int { names.count + restored }

    package mutating func add(_ path: RelativePath, at now: Duration) { names.add(path, at: now) }

    /// It exists again. `true` if it was counted.
    package mutating func remove(_ path: RelativePath) -> Bool { names.remove(path) }

    /// Drops older deletions.
    package mutating func pass(to now: Duration) {
        names.pass(to: now)
        let since = restoredAt ?? now
        restoredAt = since
        if since + Self.span <= now { restored = 0 }
    }
}
