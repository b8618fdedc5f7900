import BridgeRuntime
import Documents
import Model

// One document: where its sides differ, a value in it, and that it was deleted.

extension TextPrinter {
    /// A patch as `json diff` prints it, so that it can be piped; nothing where the sides are equal.
    func text(_ difference: DocumentDifference) -> String {
        if difference.isEqual { return "" }
        switch difference.format {
        case .patch: return String(decoding: difference.patch.json.bytes, as: UTF8.self)
        case .merge:
            let patch = difference.mergePatch.map { String(decoding: $0.bytes, as: UTF8.self) }
            return (patch ?? "no merge patch can say it; `--format patch` can") + "\n"
        case .text:
            let head = [("- app", difference.versions.app), ("+ group", difference.versions.group)].map {
                "\($0)" + ($1.map { ", version \($0)" } ?? "") + "\n"
            }
            let isOne = difference.versions.app == difference.versions.group
            let note = difference.version.map { "both translated to version \($0)\n" }
            return head.joined() + (isOne ? "" : note ?? "") + text(difference.textDiff)
        }
    }

    func text(_ deleted: DeletedDocument) -> String {
        let name = deleted.document.description.withoutControls
        let back = deleted.id.map { hint("undo", $0) + " takes it back" }
        let way = back ?? hint("history", deleted.document.description) + " shows the way back"
        return wrapped("", "\(name): deleted from \(deleted.side.rawValue); \(way)")
            .map { "\($0)\n" }.joined()
    }
}

/// One value in a document.
struct StoredValue {
    var document: StoredDocument
    var pointer: JSONPointer
    /// As they stand in the document.
    var bytes: [UInt8]

    var json: JSONText {
        [
            "name": JSONText(document.name.description), "side": JSONText(document.side.rawValue),
            "hash": JSONText(document.hash.description), "pointer": JSONText(pointer.description),
            "value": JSONText(compacting: String(decoding: bytes, as: UTF8.self)),
        ]
    }
}

struct DeletedDocument {
    var document: RelativePath
    var side: Side
    /// What `undo` takes; `nil` while a program still has it open.
    var id: String?

    var json: JSONText {
        [
            "document": JSONText(document.description), "side": JSONText(side.rawValue),
            "id": JSONText(id),
        ]
    }
}
