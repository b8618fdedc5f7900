package import Model
import Replica

/// A save that a program made while the migration wrote the document, and its outcome.
package struct ConcurrentSave: Sendable, Hashable {
    package var document: RelativePath
    package var outcome: Outcome

    package enum Outcome: Sendable, Hashable {
        /// It is merged with what the migration wrote.
        case merged
        /// It is not a document, or too large, and has replaced what the migration wrote.
        case stands
        /// It cannot be merged. A copy is kept in the state directory.
        case kept(Location)
        /// The program still has the replaced file open: what it writes there is not in the document yet.
        case open
    }

    /// Whether the document differs from what the migration wrote.
    package var isChange: Bool { if case .kept = outcome { false } else { true } }

    /// Whether the document no longer exists, and its name is unknown. `document` is then the temporary name
    /// of the file that the migration displaced.
    package var isOfDeletedDocument: Bool { TemporaryName(document.name) != nil }

    /// Whether the document lacks what the migration wrote, or a part of the save.
    package var isMissing: Bool { outcome == .stands || outcome == .open }
}
