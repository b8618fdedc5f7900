import AgentAPI
import Model
import StateStore
import SyncEngine

extension TextPrinter {
    func text(_ conflicts: [KeptConflict]) -> String {
        if conflicts.isEmpty { return "no conflicts\n" }
        return conflicts.map(ConflictPrinter(printer: self).text).joined(separator: "\n")
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
            let what =
                "the directory there is the \(allowed.side.rawValue) container from now on; documents that "
                + "are missing from it are restored"
            return wrapped("", what).map { "\($0)\n" }.joined()
        }
        let count = counted(allowed.documents.count, "document")
        let text =
            "\(count) deleted by \(allowed.side.rawValue): allowed; \(hint("history")) lists them for `undo`; "
            + "list names that come and go under `exclude`"
        return wrapped("", text).map { "\($0)\n" }.joined()
    }
}
