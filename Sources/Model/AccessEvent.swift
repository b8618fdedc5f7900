/// What the kernel's event queue reports about reads and writes of a document, in queue order.
///
/// After `everything`, and after `beneath` for a directory above it, all that is known of a document is void:
/// events may be lost, or were reported under another path. Consecutive `write`s or `read`s are reported
/// once. Each open and close is reported, but the kernel merges equal ones that were not read in between.
package enum AccessEvent: String, Sendable, Hashable, CaseIterable {
    /// The bridge exchanged it with one of its temporary files.
    case published = "publish"
    /// Another program renamed a file to this name, or created it.
    case saved = "save"
    /// Opened. The program still has it open unless `read` or `closed` follows.
    case opened = "open"
    /// Read, or closed by a program that had it open read-only.
    case read
    /// Changed in place.
    case written = "write"
    /// Closed by a program that had it open for writing.
    case closed = "close"
    /// Another program renamed or deleted it. Reads under a new name are not reported.
    case gone
}
