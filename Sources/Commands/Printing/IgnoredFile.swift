import AgentAPI
import Documents
import Model

/// A file in a container that is no document, and why.
struct IgnoredFile: Hashable {
    var side: Side
    /// Its path in the container, or that of a hidden directory.
    var name: String
    var reason: Reason

    enum Reason: Hashable {
        case temporary(TemporaryPattern)
        case excluded(DocumentFilter.Exclusion)
        /// The bridge publishes it beside this document.
        case view(of: String)
        /// Neither its ending nor the profile makes it a document.
        case otherName

        /// `nil` if files of this name are documents.
        init?(_ path: String, _ profile: Profile?, _ filters: [DocumentFilter]) {
            if let pattern = TemporaryPattern.matching(path) {
                self = .temporary(pattern)
            } else if let document = profile?.document(ofView: path) {
                self = .view(of: document)
            } else if !isDocumentName(path), profile?.named(path) == nil {
                self = .otherName
            } else if let exclusion = filters.lazy.compactMap({ $0.exclusion(of: path) }).first {
                self = .excluded(exclusion)
            } else {
                return nil
            }
        }

        var code: String {
            switch self {
            case .temporary: "temporary"
            case .excluded: "excluded"
            case .view: "view"
            case .otherName: "other-name"
            }
        }

        var text: String {
            switch self {
            case .temporary(let pattern): "a temporary or hidden name, `\(pattern.text)` (\(pattern.origin))"
            case .excluded(let exclusion): exclusion.text
            case .view(let document): "a view of \(document), which only the bridge writes"
            case .otherName: "its name does not end in `.json`, and no profile names it"
            }
        }
    }

    var json: JSONText {
        [
            "side": JSONText(side.rawValue), "name": JSONText(name), "reason": JSONText(reason.code),
            "text": JSONText(reason.text),
        ]
    }
}
