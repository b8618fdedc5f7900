package import BridgeRuntime
package import Documents
import FoundationEssentials
import Model
import SyncEngine

/// An error in HTTP (RFC 9457), with the facts as members of their own, so that the client can throw the same
/// error as the bridge.
package struct ProblemDetails: Error {
    package static let contentType = "application/problem+json"

    package var statusCode: Int
    /// The last part of `type`.
    package var kind: String
    package var title: String
    package var detail: String
    package var facts: [(String, JSONText)] = []

    package init(statusCode: Int, kind: String, title: String, detail: String) {
        self.statusCode = statusCode
        self.kind = kind
        self.title = title
        self.detail = detail
    }

    package var json: JSONText {
        let members: [(String, JSONText)] = [
            ("type", JSONText(Self.namespace + kind)), ("title", JSONText(title)),
            ("status", JSONText(statusCode)), ("detail", JSONText(detail)),
        ]
        return JSONText(object: members + facts)
    }

    private static let namespace = "urn:widgetbridge:problem:"
}

extension ProblemDetails {
    package init(_ error: BridgeError) {
        let (statusCode, kind) = Self.place(of: error)
        self.init(statusCode: statusCode, kind: kind, title: error.title, detail: error.words)
        facts = error.facts
    }

    private static func place(of error: BridgeError) -> (statusCode: Int, kind: String) {
        switch error {
        case .unknownKind: (400, "unknown-kind")
        case .unknownFamily: (400, "unknown-family")
        case .noDocument: (404, "no-document")
        case .notADocument: (400, "not-a-document")
        case .invalidDocument(_, let fault) where fault.isViolation: (422, "schema-violation")
        case .invalidDocument: (422, "invalid-document")
        case .mismatch: (412, "mismatch")
        case .held: (409, "held")
        case .halted: (409, "halted")
        case .paused: (409, "paused")
        case .otherBridge: (421, "other-bridge")
        case .timedOut: (504, "timed-out")
        case .unknownID: (404, "unknown-id")
        case .ambiguousID: (409, "ambiguous-id")
        case .undecidable: (409, "undecidable")
        case .journalLocked: (503, "journal-locked")
        case .noRoom: (507, "no-room")
        case .event(let fault): fault.place
        default: (500, "bridge")
        }
    }
}

extension BridgeError {
    /// The same for every error of one type, as RFC 9457 requires.
    fileprivate var title: String {
        switch self {
        case .notADocument: "not a document"
        case .held: "the document is held"
        case .halted: "the bridge is halted"
        case .paused: "the bridge is paused"
        case .timedOut: "not in sync within the time limit"
        case .noDocument, .invalidDocument, .mismatch, .unknownID, .ambiguousID, .otherBridge,
            .journalLocked, .unknownKind:
            what
        case .unknownFamily: "unknown widget family"
        case .undecidable: "this decision is not possible"
        case .noRoom: "the disk is full"
        case .event(let fault): fault.title
        default: "the bridge failed"
        }
    }

    fileprivate var facts: [(String, JSONText)] {
        switch self {
        case .unknownKind(let kind, let known):
            [("kind", JSONText(kind)), ("known", JSONText(known.map { JSONText($0) }))]
        case .unknownFamily(let family, let kind, let known):
            [
                ("family", JSONText(family)), ("kind", JSONText(kind)),
                ("known", JSONText(known.map { JSONText($0) })),
            ]
        case .noDocument(let name, let side):
            [("document", JSONText(name))] + (side.map { [("side", JSONText($0.rawValue))] } ?? [])
        case .notADocument(let name, let reason):
            [("document", JSONText(name)), ("reason", JSONText(reason.text))]
                + (reason.viewed.map { [("of", JSONText($0))] } ?? [])
                + (reason.excluder.map { [("excludedBy", JSONText($0))] } ?? [])
        case .invalidDocument(let name, let fault):
            [("document", JSONText(name)), ("reason", JSONText(fault.text))]
                + (fault.position?.facts ?? [])
        case .held(let name, let reason, let problem):
            [("document", JSONText(name)), ("reason", JSONText(reason?.text ?? ""))]
                + (problem.map { [("problem", JSONText($0.rawValue))] } ?? [])
        case .mismatch(let name, let side, let actual):
            [
                ("document", JSONText(name)), ("side", JSONText(side.rawValue)),
                ("actual", JSONText(actual?.description)),
            ]
        case .halted(let reason): [("reason", JSONText(reason.text))]
        case .paused(let since): [("since", JSONText(since))]
        case .noRoom(let path), .journalLocked(let path): [("path", JSONText(path))]
        case .unknownID(let subject): subject.facts
        case .ambiguousID(let subject, let ids): subject.facts + [("ids", JSONText(ids.map { JSONText($0) }))]
        case .undecidable(let subject, let hindrance):
            subject.facts + [("reason", JSONText(hindrance.text)), ("advice", JSONText(hindrance.advice))]
        case .event(let fault): fault.facts
        case .otherBridge(let part, let given, let actual):
            [
                ("of", JSONText(part.rawValue)), ("given", JSONText(given)), ("actual", JSONText(actual)),
            ]
        case .timedOut(let time): [("timeout_ms", JSONText(Int64(time / .milliseconds(1))))]
        default: []
        }
    }

    /// The error that a problem describes; `.agent` for an unknown type.
    package init(problem body: [UInt8], status: Int) {
        guard let wire = try? JSONDecoder().decode(Wire.self, from: Data(body)) else {
            self = .agent(status: status, detail: "the agent answered \(status)")
            return
        }
        let document = wire.document ?? ""
        let reason = wire.reason ?? wire.detail
        let side = wire.side ?? .group
        let subject = Subject(kind: wire.of ?? "", id: wire.id ?? "") ?? .conflict("")
        self =
            switch wire.type.split(separator: ":").last {
            case "unknown-kind": .unknownKind(wire.kind ?? "", known: wire.known ?? [])
            case "unknown-family":
                .unknownFamily(wire.family ?? "", kind: wire.kind ?? "", known: wire.known ?? [])
            case "no-document": .noDocument(document, wire.side)
            case "not-a-document": .notADocument(document, wire.nameFault ?? .reported(reason))
            case "invalid-document": .invalidDocument(document, .reported(reason, at: wire.place))
            case "schema-violation": .invalidDocument(document, .reportedViolation(reason, at: wire.place))
            case "mismatch": .mismatch(document, side, actual: wire.actual.flatMap { Digest($0) })
            case "held": .held(document: document, reason: .reported(reason), wire.problemKind)
            case "halted": .halted(reason: .reported(reason))
            case "paused": .paused(since: wire.since ?? "")
            case "unknown-id": .unknownID(subject)
            case "ambiguous-id": .ambiguousID(subject, ids: wire.ids ?? [])
            case "undecidable": .undecidable(subject, .reported(reason: reason, advice: wire.advice ?? ""))
            case "other-bridge":
                .otherBridge(
                    BridgeIdentity.Part(rawValue: wire.of ?? "") ?? .app,
                    given: wire.given ?? "",
                    actual: wire.actual ?? ""
                )
            case "journal-locked": .journalLocked(wire.path ?? "")
            case "no-room": .noRoom(wire.path ?? "")
            case "timed-out": .timedOut(.milliseconds(wire.timeout_ms ?? 0))
            default:
                EventFault(problem: body).map { .event($0) } ?? .agent(status: status, detail: wire.detail)
            }
    }
}

extension Reported<BridgeError.NameFault> {
    /// The document of which it is a view.
    fileprivate var viewed: String? {
        if case .known(.view(let document)) = self { document } else { nil }
    }

    /// The pattern that leaves it out; empty if it matches none of `include`.
    fileprivate var excluder: String? {
        switch self {
        case .known(.excluded(.excluded(let pattern))): pattern
        case .known(.excluded(.notIncluded)): ""
        case .known(.excluded(.notNamed)): Wire.notNamed
        default: nil
        }
    }
}

extension JSONPosition {
    var facts: [(String, JSONText)] {
        [("line", JSONText(line)), ("column", JSONText(column)), ("offset", JSONText(offset))]
    }
}

extension BridgeError.Subject {
    fileprivate var facts: [(String, JSONText)] { [("of", JSONText(kind)), ("id", JSONText(id))] }
}

private struct Wire: Decodable {
    var type: String
    var detail: String
    var document: String?
    var side: Side?
    var reason: String?
    var problem: String?
    var line: Int?
    var column: Int?
    var offset: Int?
    var actual: String?
    var of: String?
    var id: String?
    var ids: [String]?
    var advice: String?
    var kind: String?
    var family: String?
    var known: [String]?
    var given: String?
    var since: String?
    var excludedBy: String?
    var path: String?
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var timeout_ms: Int64?

    var problemKind: ProblemKind? { problem.flatMap { ProblemKind(rawValue: $0) } }

    /// No pattern: `**` is refused.
    static let notNamed = "**"

    var nameFault: Reported<BridgeError.NameFault>? {
        if let of { return .known(.view(of: of)) }
        guard let excludedBy else { return nil }
        if excludedBy == Self.notNamed { return .known(.excluded(.notNamed)) }
        return .known(.excluded(excludedBy.isEmpty ? .notIncluded : .excluded(by: excludedBy)))
    }

    var place: JSONPosition? {
        guard let line, let column, let offset else { return nil }
        return JSONPosition(line: line, column: column, offset: offset)
    }
}
