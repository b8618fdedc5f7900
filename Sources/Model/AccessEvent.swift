/// What the kernel's queue tells about who can have seen which generation of a document, in queue order.
///
/// Whatever is known of a document is void after `everything`, and after `beneath` for a directory it is in:
/// events may have been lost, or told of under another path. `write`s and `read`s that follow each other are
/// told once; each opening and closing is told, but the kernel merges equal ones that nobody took in between.
package enum AccessEvent: String, Sendable, Hashable, CaseIterable {
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
