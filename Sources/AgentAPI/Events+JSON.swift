package import BridgeRuntime
package import Documents
import Model
package import StateStore

extension QueuedEvent {
    package var json: JSONText {
        [
            "id": JSONText(id), "seq": JSONText(seq), "kind": JSONText(kind), "name": JSONText(name),
            "data": data.map { JSONText(compacting: $0) } ?? .null, "at": JSONText(UTCTime.text(at)),
        ]
    }

    /// Reads the output of `json`; `nil` for anything else.
    package init?(_ json: JSONValue) {
        guard case .object(let members) = json,
            case .string(let id)? = members["id"], let seq = members["seq"]?.integer(Int64.self),
            case .string(let kind)? = members["kind"], case .string(let name)? = members["name"],
            case .string(let time)? = members["at"],
            let at = UTCTime.milliseconds(String(decoding: time, as: UTF8.self))
        else { return nil }
        let data = members["data"].flatMap { $0 == .null ? nil : $0.bytes }
        self.init(
            id: String(decoding: id, as: UTF8.self),
            seq: seq,
            kind: String(decoding: kind, as: UTF8.self),
            name: String(decoding: name, as: UTF8.self),
            data: data.map { String(decoding: $0, as: UTF8.self) },
            at: at
        )
    }

    /// The events in the answer to `GET /v1/events`; `nil` for another body.
    package static func list(_ body: [UInt8]) -> [QueuedEvent]? {
        guard let json = try? JSON(parsing: body, limits: .unbounded),
            case .array(let events)? = try? JSONPointer(tokens: [Array("events".utf8)]).value(in: json)
        else { return nil }
        let known = events.compactMap { QueuedEvent($0) }
        return known.count == events.count ? known : nil
    }
}

extension EventDraft {
    /// The body of `POST /v1/events`.
    package var json: JSONText {
        let data = data.map { [("data", JSONText(compacting: String(decoding: $0, as: UTF8.self)))] } ?? []
        return JSONText(
            object: [("id", JSONText(id)), ("kind", JSONText(kind)), ("name", JSONText(name))] + data
        )
    }
}

extension PushedEvent {
    package var json: JSONText { event.json }
}

extension [JSONValue.Member] {
    package subscript(key: String) -> JSONValue? { first { $0.key.elementsEqual(key.utf8) }?.value }
}
