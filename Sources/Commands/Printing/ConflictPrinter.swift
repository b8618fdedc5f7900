import Documents
import Model
import StateStore
import SyncEngine

/// Formats a conflict that was resolved by rule: what was lost, where it is kept, and each side's values.
struct ConflictPrinter {
    let printer: TextPrinter

    func text(_ conflict: KeptConflict) -> String {
        let document = conflict.document?.withoutControls ?? "of an unknown document"
        let side = conflict.side.map { ", \($0.rawValue)'s is kept" } ?? ""
        var lines = printer.layout.row([
            Layout.Part(text: conflict.id, style: printer.bold), Layout.Part(text: "\(document)\(side)"),
            Layout.Part(text: LocalTime.text(conflict.at)),
        ])
        lines += printer.wrapped("    ", conflict.reason.text.withoutControls)
        lines += conflict.fields.flatMap(lines(of:))
        if let patch = conflict.patch {
            let old = conflict.against == "base" ? "the last agreed content" : "the current document"
            lines += ["    against \(old):", "    \(cut(JSONText(compacting: patch).description))"]
        }
        let size = printer.counted(Int(conflict.size), "byte")
        lines += printer.wrapped("    kept: ", "\(conflict.file.withoutControls), \(size)")
        return lines.map { "\($0)\n" }.joined()
    }

    private func lines(of field: KeptConflict.Field) -> [String] {
        let place = field.pointer.isEmpty ? "the whole document" : field.pointer.withoutControls
        return [
            "    \(place)", printer.coloured("    - base   \(value(field.base))", .red),
            printer.coloured("    + app    \(value(field.app))", .green),
            printer.coloured("    + group  \(value(field.group))", .green),
        ]
    }

    private func value(_ text: String?) -> String { text.map(cut) ?? "(nothing)" }

    /// Formats JSON on one line, cut to the terminal's width; `--json` has all of it.
    private func cut(_ text: String) -> String {
        let line = text.withoutControls
        // Only a terminal's lines are cut; piped output is complete.
        guard let columns = printer.columns, line.displayWidth > max(20, columns - 20) else { return line }
        return "\(line.prefix(ofWidth: max(20, columns - 20)))…"
    }
}
