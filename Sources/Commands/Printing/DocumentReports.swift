import BridgeRuntime
import Documents
import Model

extension DocumentDifference {
    /// The patch as `json diff` prints it, so that it can be piped; empty if the sides are equal.
    func text(_ printer: TextPrinter) -> String {
        if isEqual { return "" }
        switch format {
        case .patch: return String(decoding: patch.json.bytes, as: UTF8.self)
        case .merge:
            let patch = mergePatch.map { String(decoding: $0.bytes, as: UTF8.self) }
            let words = printer.wrapped("", "no merge patch can say it; `--format patch` can")
            return (patch ?? words.joined(separator: "\n")) + "\n"
        case .text:
            let head = [("- app", versions.app), ("+ group", versions.group)].map {
                "\($0)" + ($1.map { ", version \($0)" } ?? "") + "\n"
            }
            let note = version.map { "both translated to version \($0)\n" } ?? ""
            let isOne = versions.app == versions.group
            return head.joined() + (isOne ? "" : note) + printer.text(textDiff)
        }
    }
}

extension HashedFile {
    static func text(_ files: [HashedFile], _ layout: Layout) -> String {
        if files.count == 1, let only = files.first { return "\(only.hash)\n" }
        let rows = files.map { ["\($0.hash)", $0.path.withoutControls].map { Layout.Part(text: $0) } }
        return rows.flatMap(layout.row).map { "\($0)\n" }.joined()
    }
}

/// One value of a document.
struct StoredValue {
    var document: StoredDocument
    var pointer: JSONPointer
    /// The bytes of the value as they are in the document.
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
    /// The ID for `undo`; `nil` while a program still has the deleted file open.
    var id: String?

    var json: JSONText {
        [
            "document": JSONText(document.description), "side": JSONText(side.rawValue),
            "id": JSONText(id),
        ]
    }
}

extension DeletedDocument {
    func text(_ printer: TextPrinter) -> String {
        let back = id.map { printer.hint("undo", $0) + " takes it back" }
        let way = back ?? printer.hint("history", document.description) + " shows the way back"
        let name = document.description.withoutControls
        return printer.wrapped("", "\(name): deleted from \(side.rawValue); \(way)")
            .map { "\($0)\n" }.joined()
    }
}
