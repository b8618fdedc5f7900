import AgentAPI
import BridgeRuntime
import Documents
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Model

/// The document that a request names, and the conditions of its `If-` header fields.
struct DocumentAddress {
    /// The rest of the path after `prefix`, percent-decoded.
    static func name(in request: Request, behind prefix: String) throws(ProblemDetails) -> RelativePath {
        let path = request.uri.path
        guard path.hasPrefix(prefix) else { throw .badRequest("the path names no document") }
        guard let text = percentDecoded(path.dropFirst(prefix.count)) else {
            throw .badRequest("the document's name is not percent-encoded UTF-8")
        }
        return try relativePath(text)
    }

    static func relativePath(_ text: String) throws(ProblemDetails) -> RelativePath {
        guard let name = RelativePath(text) else {
            throw ProblemDetails(.notADocument(text, .known(.noPath)))
        }
        return name
    }

    /// Whether `If-None-Match` matches the hash: in a list, as a weak tag, or as `*`.
    static func isKnown(_ hash: Digest, to request: Request) -> Bool {
        let tags = request.headers[values: .ifNoneMatch].flatMap { $0.split(separator: ",") }
        return tags.contains { tag in
            let tag = tag.filter { $0 != " " && $0 != "\t" }
            return tag == "*" || tag == "\"\(hash)\"" || tag == "W/\"\(hash)\""
        }
    }

    /// What must hold for a document to be written.
    enum Condition: Hashable {
        case expects(Expectation)
        /// The document exists, whatever its content.
        case exists

        /// Of the content that it asks for.
        var digest: Digest? { if case .expects(.content(let digest)) = self { digest } else { nil } }
    }

    /// The condition in `If-Match` and `If-None-Match`.
    static func condition(in request: Request) throws(ProblemDetails) -> Condition {
        if let none = request.headers[.ifNoneMatch] {
            guard none == "*" else { throw .badRequest("PUT takes only `*` as If-None-Match") }
            return .expects(.nothing)
        }
        guard let match = request.headers[.ifMatch] else { return .expects(.anything) }
        if match == "*" { return .exists }
        guard let digest = Digest(match.unquoted) else {
            throw .badRequest("If-Match must be `*`, or one entity tag, \"sha256:…\", as GET returns it")
        }
        return .expects(.content(digest))
    }
}

extension String {
    fileprivate var unquoted: String {
        count >= 2 && hasPrefix("\"") && hasSuffix("\"") ? String(dropFirst().dropLast()) : self
    }
}
