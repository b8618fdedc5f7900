/// The bridge of a scenario: widgetbridge's engine, or that engine with one mistake that bridges are known to
/// make.
package enum EngineKind: String, CaseIterable, Sendable {
    case widgetbridge
    /// Not an engine: copies each changed file to the other side, the app's first.
    case copier
    /// Ignores who reads, and treats every save as based on its last publication.
    case deaf
    /// Checks with `stat` before it renames over a document, and never examines what it displaced.
    case statRecheck = "stat-recheck"
    /// Runs without a lock, and shares its journal with other bridges.
    case sharedState = "shared-state"
    /// Swaps a displaced file back if its content is not the expected one.
    case swapBack = "swap-back"
    /// Removes the old file before it renames the new one.
    case unlinkThenRename = "unlink-then-rename"
    /// Notifies subscribers before it writes.
    case notifyBeforeRename = "notify-before-rename"
    /// Waits a thousandth of the debounce time.
    case shortDebounce = "debounce-too-short"
    /// Treats a file as unchanged if its size and time are equal, however coarse the time is.
    case trustsCoarseTimes = "same-size-same-second"
    /// Treats a file as unchanged if its inode number and size are equal.
    case trustsInodes = "inode-reuse"
    /// Never checks whether a program has a document open for writing.
    case readsOpenFiles = "reads-open-files"
    /// Records the base before it writes the files.
    case baseBeforeFiles = "base-before-files"
    /// If both sides must be written, records the base after the first.
    case baseBetweenSides = "base-between-sides"
    /// Drops the fields that the older version cannot represent.
    case forgetsNewest = "forgets-newest"
    /// Reloads a widget with each visible change, however soon after the last one.
    case reloadsAtOnce = "reloads-at-once"
    /// Reloads a widget for changes that it does not show, too.
    case reloadsForNothing = "reloads-for-nothing"
    /// Checks only with the next change whether what a widget shows has become stale.
    case staleOnWrite = "stale-on-write"
    /// Waits for the wall clock, wherever it is put.
    case trustsClock = "trusts-clock"
    /// Keeps the events of widgets in memory.
    case tapsInMemory = "taps-in-memory"
}
