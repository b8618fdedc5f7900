import BridgeRuntime
import Documents
import FoundationEssentials
import StateStore

extension EventFault {
    var place: (statusCode: Int, kind: String) {
        switch self {
        case .unusable: (400, "unusable-event")
        case .tooLarge: (413, "event-too-large")
        case .invalidData: (422, "invalid-event")
        case .unknownLink: (422, "unknown-link")
        case .linkNotText: (422, "link-not-text")
        case .otherContent: (409, "other-event")
        case .full: (507, "queue-full")
        case .queue(.locked, _): (503, "event-queue")
        case .queue, .misplaced: (500, "event-queue")
        }
    }

    /// The same for every fault of one type.
    var title: String {
        switch self {
        case .unusable: "the event is not usable"
        case .tooLarge: "the event is too large"
        case .queue, .misplaced: "cannot use the queue of events"
        case .invalidData, .unknownLink, .linkNotText, .otherContent, .full: what
        }
    }

    var facts: [(String, JSONText)] {
        switch self {
        case .unusable(let part): [("part", JSONText(part.rawValue))]
        case .tooLarge(let bytes, let limit): [("bytes", JSONText(bytes)), ("limit", JSONText(limit))]
        case .invalidData(let fault): [("reason", JSONText(fault.text))] + (fault.position?.facts ?? [])
        case .unknownLink(let link, let known):
            [("link", JSONText(link)), ("known", JSONText(known.map { JSONText($0) }))]
        case .otherContent(let id): [("id", JSONText(id))]
        case .full(let limit): [("limit", JSONText(limit))]
        case .linkNotText: []
        case .misplaced(let expected, let path):
            [("path", JSONText(path)), ("expected", JSONText(expected.rawValue))]
        case .queue(let error, let path): [("path", JSONText(path))] + error.facts
        }
    }

    /// The fault that a problem describes; `nil` for another problem.
    init?(problem body: [UInt8]) {
        guard let wire = try? JSONDecoder().decode(Wire.self, from: Data(body)) else { return nil }
        switch wire.type.split(separator: ":").last {
        case "unusable-event":
            guard let part = Part(rawValue: wire.part ?? "") else { return nil }
            self = .unusable(part)
        case "event-too-large": self = .tooLarge(bytes: wire.bytes ?? 0, limit: wire.limit ?? 0)
        case "invalid-event": self = .invalidData(.reported(wire.reason ?? "", at: wire.position))
        case "unknown-link": self = .unknownLink(wire.link ?? "", known: wire.known ?? [])
        case "link-not-text": self = .linkNotText
        case "other-event": self = .otherContent(id: wire.id ?? "")
        case "event-queue": self = wire.queueFault
        case "queue-full": self = .full(limit: wire.limit ?? 0)
        default: return nil
        }
    }

    fileprivate struct Wire: Decodable {
        var type: String
        var part: String?
        var bytes: Int?
        var limit: Int?
        var reason: String?
        var line: Int?
        var column: Int?
        var offset: Int?
        var link: String?
        var known: [String]?
        var id: String?
        var path: String?
        var expected: String?
        var cause: String?
        var code: Int32?
        var schema: Int?
        var newest: Int?

        var position: JSONPosition? {
            guard let line, let column, let offset else { return nil }
            return JSONPosition(line: line, column: column, offset: offset)
        }
    }
}

// MARK: A queue that cannot be used

extension JournalError {
    fileprivate var facts: [(String, JSONText)] {
        let cause = [("cause", JSONText(cause))]
        switch self {
        case .broken(let failure), .noRoom(let failure), .database(let failure):
            return cause + [("code", JSONText(Int(failure.code))), ("reason", JSONText(failure.message))]
        case .otherSchema(let found, let known):
            return cause + [("schema", JSONText(found)), ("newest", JSONText(known))]
        case .other(let text): return cause + [("reason", JSONText(text))]
        case .locked, .replaced: return cause
        }
    }

    private var cause: String {
        switch self {
        case .broken: "damaged"
        case .noRoom: "no-room"
        case .locked: "locked"
        case .otherSchema: "later-schema"
        case .replaced: "replaced"
        case .database: "database"
        case .other: "other"
        }
    }
}

extension EventFault.Wire {
    fileprivate var queueFault: EventFault {
        let path = path ?? ""
        if let expected = expected.flatMap({ EventFault.Expected(rawValue: $0) }) {
            return .misplaced(expected, path: path)
        }
        let failure = DatabaseFailure(code: code ?? 0, message: reason)
        let error: JournalError =
            switch cause {
            case "damaged": .broken(failure)
            case "no-room": .noRoom(failure)
            case "locked": .locked
            case "later-schema": .otherSchema(schema ?? 0, known: newest ?? 0)
            case "replaced": .replaced
            case "database": .database(failure)
            default: .other(reason ?? "")
            }
        return .queue(error, path: path)
    }
}
