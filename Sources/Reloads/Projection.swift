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

    package static let missing = Projection(content: nil, staleAt: nil)

    package init(content: Digest?, staleAt: Int64? = nil, isError: Bool = false, isEmpty: Bool? = nil) {
        self.content = content
        self.staleAt = staleAt
        self.isError = isError
        self.isEmpty = isEmpty
    }
}
