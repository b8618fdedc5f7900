/// What carries documents from side to side: the project's engine, or that engine with one mistake that
/// bridges are known to make.
package enum EngineKind: String, CaseIterable, Sendable {
    case widgetbridge
    /// No engine at all: whatever has changed is copied to the other side, the app's first.
    case copier
    /// Does not listen to who reads, and takes every save for one on top of all that it has brought.
    case deaf
    /// Looks with `stat` before it renames over a document, and never at what that displaced.
    case statRecheck = "stat-recheck"
    /// Shares its journal with every other one that runs, and has no lock on it.
    case sharedState = "shared-state"
    /// Puts back what it displaced, if that is not what it had expected.
    case swapBack = "swap-back"
    /// Takes the old file's name away before the new one gets it.
    case unlinkThenRename = "unlink-then-rename"
    /// Tells subscribers of what it is about to do.
    case notifyBeforeRename = "notify-before-rename"
    /// Waits a thousandth of what it should for the next change.
    case shortDebounce = "debounce-too-short"
    /// Takes a file for unchanged if its size and time are the same, however coarse that time is.
    case trustsCoarseTimes = "same-size-same-second"
    /// Takes a file for unchanged if its number and its size are the same.
    case trustsInodes = "inode-reuse"
    /// Never asks whether a program has a document open for writing.
    case readsOpenFiles = "reads-open-files"
    /// Writes down that both sides agree, and then makes it so.
    case baseBeforeFiles = "base-before-files"
    /// Where both sides have to be written, writes down that they agree when it has written the first.
    case baseBetweenSides = "base-between-sides"
    /// Keeps nothing of what the older version cannot say.
    case forgetsNewest = "forgets-newest"
}
