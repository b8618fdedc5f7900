package import Model

/// All that a watcher ever says: where to look. What is there, only looking tells.
package enum Hint: Sendable, Hashable {
    /// This document may have come, changed or gone.
    case look(Side, RelativePath)
    /// Anything beneath this directory may have; `nil` is the container itself.
    case beneath(Side, RelativePath?)
    /// Anything may have: hints were lost, or cannot be had.
    case everything(Side, reason: RescanReason)
    /// Something has a name that no document can have, because it is not UTF-8.
    case unnamable(Side, escaped: String)
    /// Who did what to a document; says nothing about what is there now.
    case evidence(AccessEvent, Side, RelativePath)
    /// All hints of what was done before `send(token:)` have been given.
    case token(UInt64)
    /// Both containers are watched; from here on no change is missed.
    case ready
}
