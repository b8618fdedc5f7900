import AgentAPI
import Documents
import Model
import StateStore
import SyncEngine

extension TextPrinter {
    func text(_ conflicts: [KeptConflict]) -> String {
        if conflicts.isEmpty { return "no conflicts\n" }
        return conflicts.map(text).joined(separator: "\n")
    }

    private func text(_ conflict: KeptConflict) -> String {
        let document = conflict.document?.withoutControls ?? "of an unknown document"
        let side = conflict.side.map { ", \($0.rawValue)'s is kept" } ?? ""
        var lines = ["\(bold(conflict.id))  \(document)\(side)  \(LocalTime.text(conflict.at))"]
        lines += wrapped("    ", conflict.reason.text.withoutControls)
        lines += conflict.fields.flatMap(lines(of:))
        if let patch = conflict.patch {
            let old = conflict.against == "base" ? "the last agreed content" : "the current document"
            lines += [
                "    against \(old):", "    \(JSONText(compacting: patch).description.withoutControls)",
            ]
        }
        lines += ["    kept: \(conflict.file.withoutControls), \(counted(Int(conflict.size), "byte"))"]
        return lines.map { "\($0)\n" }.joined()
    }

    private func lines(of field: KeptConflict.Field) -> [String] {
        let place = field.pointer.isEmpty ? "the whole document" : field.pointer.withoutControls
        return [
            "    \(place)", coloured("    - base   \(value(field.base))", .red),
            coloured("    + app    \(value(field.app))", .green),
            coloured("    + group  \(value(field.group))", .green),
        ]
    }

    /// Formats a value on one line, cut to the terminal's width; `--json` has all of it.
    private func value(_ text: String?) -> String {
        guard let text else { return "(nothing)" }
        let line = text.withoutControls
        // Only a terminal's lines are cut; piped output is complete.
        guard let columns, line.displayWidth > max(20, columns - 20) else { return line }
        return "\(line.prefix(ofWidth: max(20, columns - 20)))…"
    }

    func text(_ history: [TrashedContent]) -> String {
        if history.isEmpty { return "nothing to take back\n" }
        return history.flatMap(lines(of:)).map { "\($0)\n" }.joined()
    }

    private func lines(of content: TrashedContent) -> [String] {
        let document = content.document?.withoutControls ?? "(unknown)"
        let generation = content.generation.map { ", generation \($0)" } ?? ""
        let side = content.side.map { ", from \($0.rawValue)" } ?? ""
        let head = "\(content.id)  \(LocalTime.text(content.at))  "
        return wrapped(head, "\(document)\(generation)\(side), \(content.size) B")
            + wrapped("              then: ", content.reason.text.withoutControls)
    }

    func text(_ edit: MadeEdit) -> String {
        let document = edit.document.withoutControls
        let end = edit.isWritten ? "written to \(edit.side.rawValue)" : "unchanged; nothing had to be written"
        let lines = wrapped("", "\(document): \(edit.reason.text.withoutControls); \(end)")
        return (lines + [edit.hash].compactMap(\.self)).map { "\($0)\n" }.joined()
    }

    func text(_ allowed: Allowed) -> String {
        if allowed.takesContainer {
            return "the directory there is the \(allowed.side.rawValue) container from now on; "
                + "documents that are missing from it are restored\n"
        }
        let count = counted(allowed.documents.count, "document")
        let text =
            "\(count) deleted by \(allowed.side.rawValue): allowed; \(hint("history")) lists them for `undo`"
        return wrapped("", text).map { "\($0)\n" }.joined()
    }
}
