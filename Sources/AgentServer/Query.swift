import AgentAPI
import BridgeRuntime
import Documents
import Hummingbird
import HummingbirdCore
import Model

/// The parameters in the query of a request. A name that the route does not know is refused: with a mistyped
/// `dryrun` the client would sync where it wanted to plan.
struct Query: Sendable {
    private let values: [String: String]

    /// - Parameter known: the names that the route takes, each at most once.
    init(_ request: Request, knows known: [String]) throws(ProblemDetails) {
        var values: [String: String] = [:]
        for pair in (request.uri.query ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = percentDecoded(parts[0]) else {
                throw .badRequest("a name in the query is not percent-encoded UTF-8")
            }
            guard known.contains(name) else {
                throw .unknownName(name, in: "the query of \(request.uri.path)", known: known)
            }
            guard values[name] == nil else { throw .badRequest("`\(name)` is given twice") }
            guard let value = percentDecoded(parts.dropFirst().first ?? "") else {
                throw .badRequest("`\(name)` is not percent-encoded UTF-8")
            }
            values[name] = value
        }
        self.values = values
    }

    /// The decoded value; `nil` without that parameter.
    subscript(name: String) -> String? { values[name] }

    /// `true` for the name alone, or for the value of it; `false` without that parameter.
    func flag(_ name: String) throws(ProblemDetails) -> Bool {
        switch values[name] {
        case "", "1", "true": true
        case nil, "0", "false": false
        default: throw .badRequest("`\(name)` is `true` or `false`")
        }
    }

    /// A time of at most a day; `nil` without that parameter.
    func milliseconds(_ name: String) throws(ProblemDetails) -> Duration? {
        guard let text = values[name] else { return nil }
        guard let number = Int64(text), 0...86_400_000 ~= number else {
            throw .badRequest("`\(name)` is a number of milliseconds, at most a day")
        }
        return .milliseconds(number)
    }

    /// `nil` without that parameter.
    func number(_ name: String, least: Int64) throws(ProblemDetails) -> Int64? {
        guard let text = self[name] else { return nil }
        guard let number = Int64(text), number >= least else {
            throw .badRequest("`\(name)` is a whole number of at least \(least)")
        }
        return number
    }

    /// `?state=`, several separated by commas; none without that parameter.
    func states() throws(ProblemDetails) -> [BridgeStatus.Document.State] {
        guard let text = values["state"] else { return [] }
        return try text.split(separator: ",", omittingEmptySubsequences: false).map {
            word throws(ProblemDetails) in
            guard let state = BridgeStatus.Document.State(rawValue: String(word)) else {
                let known = BridgeStatus.Document.State.allCases.map(\.rawValue)
                let asked = nearestWord(to: String(word), among: known).map { "; did you mean `\($0)`?" }
                throw .badRequest("`state` is one of \(known.joined(separator: ", "))\(asked ?? "")")
            }
            return state
        }
    }

    /// `?side=app|group`; `group` by default.
    func side() throws(ProblemDetails) -> Side {
        guard let text = values["side"] else { return .group }
        guard let side = Side(rawValue: text) else { throw .badRequest("side must be `app` or `group`") }
        return side
    }

    func document() throws(ProblemDetails) -> RelativePath? {
        guard let text = values["document"] else { return nil }
        return try DocumentAddress.relativePath(text)
    }
}

extension ProblemDetails {
    /// - Parameter place: where the name stands.
    static func unknownName(_ name: String, in place: String, known: [String]) -> ProblemDetails {
        let list = known.map { "`\($0)`" }.joined(separator: ", ")
        let takes = known.isEmpty ? "it takes no names" : "it takes \(list)"
        let asked = nearestWord(to: name, among: known).map { ". Did you mean `\($0)`?" } ?? ""
        var problem = badRequest("`\(name)` is unknown in \(place); \(takes)\(asked)")
        problem.facts = [("name", JSONText(name)), ("known", JSONText(known.map { JSONText($0) }))]
        return problem
    }
}
