package import Model

/// An event of the watcher. Hints name what to read; only reading shows what is there.
package enum Hint: Sendable, Hashable {
    /// This document may have been created, changed or deleted.
    case look(Side, RelativePath)
    /// Any document below this directory may have changed; `nil` is the container itself.
    case beneath(Side, RelativePath?)
    /// Any document may have changed: hints were lost, or are not available.
    case everything(Side, reason: RescanReason)
    /// A name is not UTF-8, so it cannot be a document's.
    case unnamable(Side, escaped: String)
    /// A program read or wrote a document. It does not say what the content is now.
    case evidence(AccessEvent, Side, RelativePath)
    /// All hints for changes before `send(token:)` have been delivered.
    case token(UInt64)
    /// Both containers are watched; from here on no change is missed.
    case ready
}
