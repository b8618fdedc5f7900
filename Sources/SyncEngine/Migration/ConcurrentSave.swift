package import Model

/// A save that a program made while its document was written, and what came of it.
package struct ConcurrentSave: Sendable, Hashable {
    package var document: RelativePath
    package var outcome: Outcome

    package enum Outcome: Sendable, Hashable {
        /// It stands in the document, with what was written.
        case merged
        /// It is no document, or too large, and stands there instead of what was written.
        case stands
        /// It cannot be merged. Its copy lies there, in the state directory.
        case kept(Location)
        /// The program still has open what was replaced: what it writes there is not in the document yet.
        case open
    }

    /// The document is not just what was written.
    package var isChange: Bool { if case .kept = outcome { false } else { true } }

    /// What was written is not there, or not all that was saved.
    package var isMissing: Bool { outcome == .stands || outcome == .open }
}
