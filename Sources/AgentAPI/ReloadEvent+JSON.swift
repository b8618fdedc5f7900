package import BridgeRuntime
package import Documents
import FoundationEssentials
import Model
import SyncEngine

extension ReloadEvent {
    package var json: JSONText {
        switch self {
        case .notice(let notice, _):
            JSONText(
                object: [
                    ("cursor", JSONText(cursor)), ("kind", JSONText(notice.kind)),
                    ("document", JSONText(notice.document.description)),
                    ("generation", JSONText(notice.generation)), ("hash", JSONText(notice.hash?.description)),
                    ("cause", JSONText(notice.cause.rawValue)), ("at", JSONText(UTCTime.text(notice.at))),
                ] + (notice.isDelayed ? [("delayed", true)] : [])
                    + (notice.isRepeated ? [("again", true)] : [])
            )
        case .gap:
            ["gap": true, "cursor": JSONText(cursor)]
        }
    }

    /// Reads the output of `json`; `nil` for anything else.
    package init?(json: [UInt8]) {
        guard let wire = try? JSONDecoder().decode(Wire.self, from: Data(json)),
            let (instance, sequence) = Self.position(at: wire.cursor)
        else { return nil }
        if wire.gap == true {
            self = .gap(instance: instance, sequence: sequence)
            return
        }
        let hash = wire.hash.flatMap { Digest($0) }
        guard let kind = wire.kind, let document = wire.document, let generation = wire.generation,
            let cause = wire.cause, let at = wire.at.flatMap({ UTCTime.milliseconds($0) }),
            (wire.hash == nil) == (hash == nil)
        else { return nil }
        let notice = Notice(
            sequence: sequence,
            kind: kind,
            document: document,
            generation: generation,
            hash: hash,
            cause: cause,
            at: at,
            isDelayed: wire.delayed ?? false,
            isRepeated: wire.again ?? false
        )
        self = .notice(notice, instance: instance)
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
        var delayed: Bool?
        var again: Bool?
    }
}
