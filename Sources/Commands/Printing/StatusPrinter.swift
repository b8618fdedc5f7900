import AgentAPI
import BridgeRuntime
import Documents
import Model
import StateStore
import SyncEngine

/// Formats the status of a bridge and its documents for people.
struct StatusPrinter {
    let printer: TextPrinter

    func text(_ shown: ShownStatus) -> String {
        let status = shown.status
        var lines = ["app    \(status.app.withoutControls)", "group  \(status.group.withoutControls)"]
        let state = Layout.Part(text: status.state.rawValue) { printer.coloured($0, status.state.colour) }
        lines += printer.layout.styled(printer.wrapped("state  ", state.text + running(status)), [state])
        lines += nextSteps(status).flatMap { printer.wrapped("       ", $0) }
        if let reason = status.reason { lines += printer.wrapped("       ", reason.text.withoutControls) }
        if let id = status.allow {
            lines += printer.wrapped(
                "       ",
                "\(printer.hint("allow", id)) accepts that; otherwise restore what was there; `exclude` in the "
                    + "configuration leaves out names that come and go"
            )
        }
        if let warning = status.trash.warning { lines += printer.wrapped("       ", warning) }
        lines += (status.filters ?? []).flatMap(\.lines).flatMap { printer.wrapped("       ", $0) }
        let rows = shown.isWhole ? foremost(of: shown.page) : shown.page
        if !rows.isEmpty { lines += [""] + table(rows) + rest(of: shown, behind: rows) }
        lines += [""] + printer.wrapped("", summary(shown))
        if shown.page.contains(where: { $0.state == .conflict }) { lines += printer.conflictHint }
        if shown.page.contains(where: { $0.state == .held }) { lines += printer.heldHint }
        lines += shown.ignored.map(ignored) ?? []
        return lines.map { "\($0)\n" }.joined()
    }

    private func nextSteps(_ status: BridgeStatus) -> [String] {
        let directory = status.stateDirectory.withoutControls
        return (directory.isEmpty ? [] : ["kept in \(directory)"])
            + (status.state == .stopped ? ["\(printer.hint("agent")) keeps the containers in sync"] : [])
            + (status.state == .paused ? ["\(printer.hint("resume")) ends the pause"] : [])
    }

    /// The documents to show if none are selected: those that need attention come first, and the
    /// number of lines is limited.
    private func foremost(of documents: [BridgeStatus.Document]) -> [BridgeStatus.Document] {
        var room = Self.mostLines
        let urgent = BridgeStatus.Document.State.byUrgency
        let sorted = urgent.flatMap { state in documents.filter { $0.state == state } }
        return Array(
            sorted.prefix { document in
                room -= 1 + reason(document).count
                return room >= 0
            }
        )
    }

    private static var mostLines: Int { 40 }

    private func rest(of shown: ShownStatus, behind rows: [BridgeStatus.Document]) -> [String] {
        let count = shown.matching - rows.count - shown.before
        guard count > 0 else { return [] }
        let start = "… and \(count.grouped) more; "
        if let last = shown.next, let limit = shown.selection.page.limit {
            let words = shown.selection.words + ["--limit", "\(limit)", "--after", last]
            return printer.wrapped("", start + printer.hint.line("status", words) + " shows the next page")
        }
        let listed = Set(rows.map(\.name))
        let left = Set(shown.page.filter { !listed.contains($0.name) }.map(\.state))
        let states = BridgeStatus.Document.State.byUrgency.filter(left.contains)
        let words = states.flatMap { ["--only", $0.rawValue] }
        return printer.wrapped("", start + printer.hint.line("status", words) + " lists them")
    }

    private func running(_ status: BridgeStatus) -> String {
        let process = status.process.map { " (process \($0))" } ?? ""
        let watch = status.watch == .none ? "" : ", \(status.watch.rawValue)"
        return "\(process)\(watch), commit \(status.commit), durability \(status.durability)"
    }

    /// A reason is below its document and is never cut: it says what to correct.
    private func table(_ documents: [BridgeStatus.Document]) -> [String] {
        let names = documents.map(\.name.withoutControls)
        let room = printer.columns.map { max(8, $0 - 36, min(16, $0 - 28)) } ?? .max
        let width = min(max(names.map(\.displayWidth).max() ?? 0, 8), room)
        let head = "\("DOCUMENT".padded(to: width))  STATE      GEN  VERSIONS"
        return [printer.bold(head)] + documents.flatMap { [row($0, nameWidth: width)] + reason($0) }
    }

    private func row(_ document: BridgeStatus.Document, nameWidth: Int) -> String {
        let name = document.name.withoutControls.shortened(to: nameWidth).padded(to: nameWidth)
        let state = printer.coloured(document.state.rawValue.padded(to: 8), document.state.colour)
        let generation = String(document.generation).paddedInFront(to: 4)
        return "\(name)  \(state)  \(generation)  \(versions(document.version))".withoutTrailingSpace
    }

    private func reason(_ document: BridgeStatus.Document) -> [String] {
        let views = (document.views ?? []).map { "also published as \($0.withoutControls)" }
        let likeness = document.looksLike.map {
            "its name only looks like \($0.withoutControls), which the profile names"
        }
        let link = document.isLinked.map { _ in
            "both containers have hard links to one file: a sync gives each its own"
        }
        let more = (views + [likeness, link, document.openedBy.map(openness)].compactMap(\.self)).flatMap {
            printer.wrapped("    ", $0)
        }
        guard let reason = document.reason else { return more }
        let side = document.side.map { "\($0.rawValue): " } ?? ""
        return printer.wrapped("    ", side + reason.text.withoutControls) + more
    }

    private func openness(_ processes: [Int32]) -> String {
        let names = processes.map { "process \($0)" }
        return "kept open for writing by \(names.isEmpty ? "some program" : names.joined(separator: ", "))"
    }

    private func versions(_ versions: BridgeStatus.Document.Versions) -> String {
        guard versions.app != nil || versions.group != nil else { return "" }
        return [versions.app, versions.group].map { $0.map { String($0) } ?? "-" }.joined(separator: " | ")
    }

    private func ignored(_ files: [IgnoredFile]) -> [String] {
        let count = files.isEmpty ? "no other files" : printer.counted(files.count, "ignored file")
        let lines = files.prefix(Self.mostIgnored).flatMap { file in
            printer.wrapped("", "\(file.side.rawValue):\(file.name)".withoutControls)
                + printer.wrapped("    ", file.reason.text.withoutControls)
        }
        let more = files.count - Self.mostIgnored
        return ["", count] + lines + (more > 0 ? ["… and \(more.grouped) more; --json has all of them"] : [])
    }

    private static var mostIgnored: Int { 200 }

    private func summary(_ shown: ShownStatus) -> String {
        let counts = BridgeStatus.Document.State.allCases.compactMap { state in
            let count = shown.counts[state] ?? 0
            return count == 0 ? nil : "\(count.grouped) \(state.rawValue)"
        }
        let all = printer.counted(shown.total, "document")
        let total = shown.matching == shown.total ? all : "\(shown.matching.grouped) of \(all)"
        return counts.isEmpty ? total : "\(total): \(counts.joined(separator: ", "))"
    }
}

extension DocumentFilter {
    fileprivate var lines: [String] {
        func list(_ patterns: [String]) -> String { patterns.map(\.withoutControls).joined(separator: ", ") }
        return (include.map { ["only documents that match \(list($0))"] } ?? [])
            + (exclude.isEmpty ? [] : ["without documents that match \(list(exclude))"])
            + (named == nil ? [] : ["only documents that the profile names, as they are in stores"])
    }
}

extension BridgeStatus.State {
    var colour: Colour? {
        switch self {
        case .running: .green
        case .halted: .red
        case .paused: .yellow
        case .stopped: nil
        }
    }
}

extension BridgeStatus.Document.State {
    var colour: Colour {
        switch self {
        case .synced: .green
        case .pending: .yellow
        case .held, .conflict: .red
        }
    }
}
