package import Model

/// What of a document a kind shows. Equal contents need no reload.
package struct Projection: Sendable, Hashable, Codable {
    /// `nil` if the document is missing.
    package var content: Digest?
    /// When it becomes stale, in milliseconds since 1970; `nil` if that is counted from the reload.
    package var staleAt: Int64?
    /// It is an error that the kind shows.
    package var isError: Bool
    /// What it shows is that there is no data. `nil` in a journal of an older version.
    package var isEmpty: Bool?
    /// Of the state that its content has it in; `nil` if it has none but its age.
    package var state: Digest?
    /// When that may be another one without a change, in milliseconds since 1970.
    package var stateChangesAt: Int64?

    package static let missing = Projection(content: nil, staleAt: nil)

    package init(content: Digest?, staleAt: Int64? = nil, isError: Bool = false, isEmpty: Bool? = nil) {
        self.content = content
        self.staleAt = staleAt
        self.isError = isError
        self.isEmpty = isEmpty
    }

    /// Whether no reload is needed to show the other one.
    package func looksLike(_ other: Projection) -> Bool { content == other.content && state == other.state }
}
