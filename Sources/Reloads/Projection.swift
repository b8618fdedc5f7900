package import Documents
package import Model

/// What of a document a kind shows. Equal contents need no reload.
package struct Projection: Sendable, Hashable, Codable {
    /// `nil` if the document is missing.
    package var content: Digest?
    /// When it becomes stale, in milliseconds since 1970; `nil` if that is counted from the reload.
    package var staleAt: Int64?
    /// It is an error that the kind shows.
    package var isError: Bool

    package static let missing = Projection(content: nil, staleAt: nil)

    package init(content: Digest?, staleAt: Int64? = nil, isError: Bool = false) {
        self.content = content
        self.staleAt = staleAt
        self.isError = isError
    }

    /// - Parameter document: of the newest version; `nil` if it is missing.
    /// - Parameter saved: when it was saved, in milliseconds since 1970.
    package init(of document: JSON?, in kind: WidgetKind, _ rule: DocumentRule, saved: Int64) {
        guard let document else {
            self = .missing
            return
        }
        // The kind shows the text of an error instead, so it is visible which one it is.
        let error = rule.errorState(of: document)?.name
        self.init(
            content: Digest(of: kind.visibleContent(of: document) + [0] + (error ?? "").utf8),
            staleAt: rule.staleness?.staleAt(document, saved: saved, zone: rule.zone),
            isError: error != nil
        )
    }
}
