package import Documents
import Model

extension Projection {
    /// - Parameter document: of the newest version; `nil` if it is missing.
    /// - Parameter saved: when it was saved, in milliseconds since 1970.
    package init(of document: JSON?, in kind: WidgetKind, _ rule: DocumentRule, saved: Int64) {
        guard let document else {
            self = .missing
            return
        }
        // The kind shows the text of an error instead, so it is visible which one it is.
        let error = rule.errorState(of: document)?.name
        let isEmpty = error == ErrorState.noData
        self.init(
            content: Digest(of: kind.visibleContent(of: document) + [0] + (error ?? "").utf8),
            staleAt: rule.staleness?.staleAt(document, saved: saved, zone: rule.zone),
            isError: error != nil && !isEmpty,
            isEmpty: isEmpty ? true : nil
        )
    }
}
