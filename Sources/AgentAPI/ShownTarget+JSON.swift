package import BridgeRuntime
package import Documents
import Model
package import Presentation
package import Reloads

// What a kind of widget shows of its document now: an event of `GET /v1/shown`.

extension ShownTarget {
    /// - Parameter stored: `nil` if there is no document.
    package func json(_ shown: Shown, _ stored: StoredDocument?) -> JSONText {
        json(shown.state.shown, shown.text, shown, stored)
    }

    /// - Parameter text: what is said beside the content, or why there is none.
    package func json(
        _ state: ShownState,
        _ text: String?,
        _ shown: Shown? = nil,
        _ stored: StoredDocument? = nil
    ) -> JSONText {
        let members: [(String, JSONText)] = [
            ("kind", JSONText(shownKind)), ("document", JSONText(document.description)),
            ("state", JSONText(state.rawValue)), ("text", JSONText(text)),
            ("hash", JSONText(stored?.hash.description)),
            ("savedAt", JSONText(stored?.modified.map { UTCTime.text($0) })),
            ("changesAt", JSONText(shown?.changesAt.map { UTCTime.text($0) })),
            (
                "value",
                shown?.document.map { JSONText(compacting: String(decoding: $0.bytes, as: UTF8.self)) }
                    ?? .null
            ),
        ]
        let size = family.map { [("family", JSONText($0.name))] } ?? []
        return JSONText(object: members + size + (shown?.computed ?? []))
    }
}

extension Shown {
    /// What the kind computes; nothing for one that shows the document.
    fileprivate var computed: [(String, JSONText)] {
        func text(_ value: JSONValue) -> JSONText {
            JSONText(compacting: String(decoding: value.bytes, as: UTF8.self))
        }
        var members: [(String, JSONText)] = []
        if !values.values.isEmpty {
            members.append(("values", JSONText(object: values.values.map { ($0.name, text($0.value)) })))
        }
        if let rows = values.rows {
            members += [("rows", JSONText(rows.map(text))), ("more", JSONText(values.more))]
        }
        if !texts.isEmpty { members.append(("texts", Self.json(texts))) }
        if !rowTexts.isEmpty { members.append(("rowTexts", JSONText(rowTexts.map(Self.json)))) }
        return members
    }

    private static func json(_ texts: [Text]) -> JSONText {
        JSONText(object: texts.map { ($0.name, JSONText($0.text)) })
    }
}
