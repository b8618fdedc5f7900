package import Reconciliation

/// All that a watcher ever says: where to look. What is there, only looking tells.
package enum Hint: Sendable, Hashable {
    /// This document may have come, changed or gone.
    case look(Side, RelativePath)
    /// Anything beneath this directory may have; `nil` is the container itself.
    case beneath(Side, RelativePath?)
    /// Anything may have: hints were lost, or cannot be had.
    case everything(Side, reason: String)
    /// Something has a name that no document can have, because it is not UTF-8.
    case unnamable(Side, escaped: String)
    /// Who did what to a document; says nothing about what is there now.
    case evidence(Evidence, Side, RelativePath)
    /// All hints of what was done before `send(token:)` have been given.
    case token(UInt64)
    /// Both containers are watched; from here on no change is missed.
    case ready
}

/// What the kernel's queue tells about who can have seen which generation of a document, in queue order.
///
/// Whatever is known of a document is void after `everything`, and after `beneath` for a directory it is in:
/// events may have been lost, or told of under another path. `write`s and `read`s that follow each other are
/// told once; each opening and closing is told, but the kernel merges equal ones that nobody took in between.
package enum Evidence: String, Sendable, Hashable, CaseIterable {
    /// The bridge exchanged it with a temporary of its own.
    case published = "publish"
    /// Somebody else renamed something into its place, or made it.
    case saved = "save"
    /// Opened. Whoever did has it open still unless `read` or `closed` follows.
    case opened = "open"
    /// Read, or closed by somebody who could only read.
    case read
    /// Changed in place.
    case written = "write"
    /// Closed by somebody who could write.
    case closed = "close"
    /// Renamed away or deleted by somebody else; who reads it now under another name is not told.
    case gone
}
