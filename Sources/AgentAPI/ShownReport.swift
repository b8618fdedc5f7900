package import BridgeRuntime
package import Documents
import Model
package import Reloads

/// What a kind of widget shows of its document now: an event of `GET /v1/shown`.
package struct ShownReport: Sendable {
    private let target: ShownTarget
    private let state: ShownState
    private let text: String?
    private var stored: StoredDocument?
    private var shown: ShownDocument?

    /// - Parameter stored: `nil` if there is no document.
    package init(_ target: ShownTarget, _ shown: ShownDocument, _ stored: StoredDocument?) {
        self.init(target, shown.state.shown, shown.state.text(target.rule))
        (self.shown, self.stored) = (shown, stored)
    }

    /// - Parameter text: why there is nothing else to show.
    package init(_ target: ShownTarget, _ state: ShownState, _ text: String?) {
        (self.target, self.state, self.text) = (target, state, text)
    }

    package var json: JSONText {
        [
            "kind": JSONText(target.shownKind),
            "document": JSONText(target.document.description),
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
