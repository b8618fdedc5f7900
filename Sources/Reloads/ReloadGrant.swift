package import Model

/// A reload that a kind may do now, or a change of its state that it shows without one.
package struct ReloadGrant: Sendable, Hashable, Codable {
    package enum Cause: String, Sendable, Hashable, Codable {
        /// What it shows has changed.
        case change
        /// It asked for it by itself.
        case schedule
        /// What it shows has become stale. A timeline has an entry for that moment, so it costs no slot.
        case time
    }

    package var kind: String
    /// Milliseconds since 1970.
    package var at: Int64
    package var cause: Cause
    /// It had to wait for a slot.
    package var isDelayed = false
    /// Those that the kind shows differently from now on, in order.
    package var documents: [RelativePath] = []
    /// It was granted before, and not acknowledged.
    package var isRepeated = false

    package init(
        kind: String,
        at: Int64,
        cause: Cause,
        isDelayed: Bool = false,
        documents: [RelativePath] = [],
        isRepeated: Bool = false
    ) {
        (self.kind, self.at, self.cause) = (kind, at, cause)
        (self.isDelayed, self.documents, self.isRepeated) = (isDelayed, documents, isRepeated)
    }
}
