import BridgeRuntime
import Documents
import FoundationEssentials

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
        case .queue: (500, "bridge")
        }
    }

    /// The same for every fault of one type.
    var title: String {
        switch self {
        case .unusable: "the event is not usable"
        case .tooLarge: "the event is too large"
        case .queue: "the bridge failed"
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
        case .linkNotText, .queue: []
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
        case "invalid-event": self = .invalidData(.told(wire.reason ?? "", at: wire.position))
        case "unknown-link": self = .unknownLink(wire.link ?? "", known: wire.known ?? [])
        case "link-not-text": self = .linkNotText
        case "other-event": self = .otherContent(id: wire.id ?? "")
        case "queue-full": self = .full(limit: wire.limit ?? 0)
        default: return nil
        }
    }

    private struct Wire: Decodable {
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

        var position: JSONPosition? {
            guard let line, let column, let offset else { return nil }
            return JSONPosition(line: line, column: column, offset: offset)
        }
    }
}
