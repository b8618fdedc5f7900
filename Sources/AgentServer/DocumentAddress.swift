import AgentAPI
import BridgeRuntime
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Model

/// What the path, query and conditions of a request say of a document.
struct DocumentAddress {
    /// The rest of the path behind `prefix`, percent-decoded.
    static func name(in request: Request, behind prefix: String) throws(ProblemDetails) -> RelativePath {
        let path = request.uri.path
        guard path.hasPrefix(prefix) else { throw .badRequest("no document is named") }
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

    /// `?side=app|group`; the widgets' side where it is not said.
    static func side(in request: Request) throws(ProblemDetails) -> Side {
        guard let text = try value(of: "side", in: request) else { return .group }
        guard let side = Side(rawValue: text) else { throw .badRequest("side is `app` or `group`") }
        return side
    }

    /// Of a query parameter, decoded; `nil` where it is not there.
    static func value(of name: String, in request: Request) throws(ProblemDetails) -> String? {
        for pair in (request.uri.query ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.first == name[...] else { continue }
            guard let value = percentDecoded(parts.dropFirst().first ?? "") else {
                throw .badRequest("`\(name)` is not percent-encoded UTF-8")
            }
            return value
        }
        return nil
    }

    /// A flag of the query, alone or with its value; `false` where it is not there.
    static func flag(_ name: String, in request: Request) throws(ProblemDetails) -> Bool {
        switch try value(of: name, in: request) {
        case "", "1", "true": true
        case nil, "0", "false": false
        default: throw .badRequest("`\(name)` is `true` or `false`")
        }
    }

    /// `If-None-Match` names it: among others, weakly, or as whatever there is.
    static func isKnown(_ hash: Digest, to request: Request) -> Bool {
        let tags = request.headers[values: .ifNoneMatch].flatMap { $0.split(separator: ",") }
        return tags.contains { tag in
            let tag = tag.filter { $0 != " " && $0 != "\t" }
            return tag == "*" || tag == "\"\(hash)\"" || tag == "W/\"\(hash)\""
        }
    }

    /// From `If-Match` and `If-None-Match`.
    static func expectation(in request: Request) throws(ProblemDetails) -> Expectation {
        if let none = request.headers[.ifNoneMatch] {
            guard none == "*" else { throw .badRequest("If-None-Match of a PUT is `*` or not there") }
            return .nothing
        }
        guard let match = request.headers[.ifMatch] else { return .anything }
        guard let digest = Digest(match.unquoted) else {
            throw .badRequest("If-Match is one entity tag, \"sha256:…\", as GET gives it")
        }
        return .content(digest)
    }
}

extension String {
    fileprivate var unquoted: String {
        count >= 2 && hasPrefix("\"") && hasSuffix("\"") ? String(dropFirst().dropLast()) : self
    }
}
