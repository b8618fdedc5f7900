package import BridgeRuntime
package import Documents
import FoundationEssentials
import Model
import SyncEngine

extension ReloadEvent {
    package var json: JSONText {
        switch self {
        case .notice(let notice, _):
            [
                "cursor": JSONText(cursor),
                "kind": JSONText(notice.kind),
                "document": JSONText(notice.document.description),
                "generation": JSONText(notice.generation),
                "hash": JSONText(notice.hash?.description),
                "cause": JSONText(notice.cause.rawValue),
                "at": JSONText(UTCTime.text(notice.at)),
            ]
        case .gap:
            ["gap": true, "cursor": JSONText(cursor)]
        }
    }

    /// Reads back what `json` prints; `nil` for anything else.
    package init?(json: [UInt8]) {
        guard let wire = try? JSONDecoder().decode(Wire.self, from: Data(json)),
            let colon = wire.cursor.utf8.lastIndex(of: UInt8(ascii: ":")),
            let sequence = Int64(wire.cursor[wire.cursor.utf8.index(after: colon)...])
        else { return nil }
        let instance = String(wire.cursor[..<colon])
        if wire.gap == true {
            self = .gap(instance: instance, sequence: sequence)
        } else if let notice = wire.notice(sequence: sequence) {
            self = .notice(notice, instance: instance)
        } else {
            return nil
        }
    }

    private struct Wire: Decodable {
        var cursor: String
        var gap: Bool?
        var kind: String?
        var document: RelativePath?
        var generation: Int64?
        var hash: String?
        var cause: Cause?
        var at: String?

        func notice(sequence: Int64) -> Notice? {
            guard let kind, let document, let generation, let cause, let at = at.flatMap(UTCTime.milliseconds)
            else { return nil }
            let digest = hash.flatMap { Digest($0) }
            guard (hash == nil) == (digest == nil) else { return nil }
            return Notice(
                sequence: sequence,
                kind: kind,
                document: document,
                generation: generation,
                hash: digest,
                cause: cause,
                at: at
            )
        }
    }
}
