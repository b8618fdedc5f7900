package import BridgeRuntime
import Documents

extension ProblemDetails {
    package init(_ fault: ShownTarget.Fault) {
        let detail: String
        let known: [String]
        switch fault {
        case .noDocument(let kinds):
            detail = kinds.isEmpty ? "choose a document with `document`" : "choose a kind with `kind`"
            known = kinds
        case .severalDocuments(let kind, let documents):
            detail = "`\(kind)` shows several documents: choose one with `document`"
            known = documents
        case .notOf(let kind, let document):
            detail = "`\(document)` has no kind `\(kind)`: leave one out"
            known = []
        case .noFamily(let family, let kind, let families):
            detail = "`\(kind)` has no family `\(family)`"
            known = families
        }
        self.init(statusCode: 400, kind: "no-target", title: "no document is chosen", detail: detail)
        facts = [("known", JSONText(known.map { JSONText($0) }))]
    }
}
