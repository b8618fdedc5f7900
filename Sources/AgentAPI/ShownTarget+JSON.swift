package import BridgeRuntime
package import Documents
import Model
package import Reloads

// What a kind of widget shows of its document now: an event of `GET /v1/shown`.

extension ShownTarget {
    /// - Parameter stored: `nil` if there is no document.
    package func json(_ shown: ShownDocument, _ stored: StoredDocument?) -> JSONText {
        json(shown.state.shown, shown.state.text(rule), shown, stored)
    }

    /// - Parameter text: what is said beside the content, or why there is none.
    package func json(
        _ state: ShownState,
        _ text: String?,
        _ shown: ShownDocument? = nil,
        _ stored: StoredDocument? = nil
    ) -> JSONText {
        [
            "kind": JSONText(shownKind),
            "document": JSONText(document.description),
            "state": JSONText(state.rawValue),
            "text": JSONText(text),
            "hash": JSONText(stored?.hash.description),
            "savedAt": JSONText(stored?.modified.map { UTCTime.text($0) }),
            "changesAt": JSONText(shown?.changesAt.map { UTCTime.text($0) }),
            "value": shown?.document.map {
                JSONText(compacting: String(decoding: $0.bytes, as: UTF8.self))
            } ?? .null,
        ]
    }
}
