import AgentAPI
import AgentClient
import BridgeRuntime
import Documents
import Model
import SyncEngine

/// A report as people read it, in 80 columns.
struct TextPrinter {
    static let width = 80

    var usesColour = false
    /// Of the bridges that the report is about.
    var hint = CommandHint()

    func text(_ report: Report) -> String {
        switch report {
        case .nothing: ""
        case .status(let all):
            all.map { heading($0.bridge) + of($0.bridge).status($0.value) }.joined(separator: "\n")
        case .plan(let all):
            all.map { heading($0.bridge) + of($0.bridge).plan($0.value) }.joined(separator: "\n")
        case .story(let story): text(story)
        case .document(let document): String(decoding: document.bytes, as: UTF8.self)
        case .stored(let document): "\(document.hash)\n"
        case .conflicts(let conflicts): text(conflicts)
        case .history(let history): text(history)
        case .edit(let edit): text(edit)
        case .allowed(let allowed): text(allowed)
        case .checks: ""
        case .hashes(let files): hashes(files)
        case .profiles(let profiles): table(profiles)
        case .profile(let profile, let builtInText): builtInText ?? text(profile)
        case .findings(let findings): findings.map { "\($0.text.withoutControls)\n" }.joined()
        case .exploration(let exploration): text(exploration)
        case .observation(let observation): text(observation)
        case .processes(let reports): text(reports)
        case .replayed(let run): text(run)
        case .presets(let scenarios): table(scenarios)
        case .preset(_, let text): text
        }
    }

    private func of(_ bridge: String?) -> TextPrinter {
        TextPrinter(usesColour: usesColour, hint: hint.of(bridge: bridge))
    }

    private func heading(_ bridge: String?) -> String {
        bridge.map { "\(bold($0.withoutControls))\n" } ?? ""
    }

    private func hashes(_ files: [HashedFile]) -> String {
        if files.count == 1, let only = files.first { return "\(only.hash)\n" }
        return files.map { "\($0.hash)  \($0.path.withoutControls)\n" }.joined()
    }
}

extension TextPrinter {
    private func status(_ status: BridgeStatus) -> String {
        var lines = [
            "app    \(status.app.withoutControls)", "group  \(status.group.withoutControls)",
            "state  \(coloured(status.state.rawValue, status.state.colour))\(running(status))",
        ]
        if let reason = status.reason { lines += wrapped("       ", reason.text.withoutControls) }
        if let id = status.allow {
            lines += wrapped("       ", "\(hint("allow", id)) accepts that; else put back what was there")
        }
        if let warning = status.trash.warning { lines += wrapped("       ", warning) }
        if !status.documents.isEmpty { lines += [""] + table(status.documents) }
        lines += ["", summary(status.documents)]
        if status.documents.contains(where: { $0.state == .conflict }) { lines += conflictHint }
        return lines.map { "\($0)\n" }.joined()
    }

    private var conflictHint: [String] { wrapped("", "\(hint("conflicts")) shows what lost a conflict") }

    private func running(_ status: BridgeStatus) -> String {
        let process = status.process.map { " (process \($0))" } ?? ""
        let watch = status.watch == .none ? "" : ", \(status.watch.rawValue)"
        return "\(process)\(watch), commit \(status.commit), durability \(status.durability)"
    }

    /// A reason stands beneath its document: it says what to mend, so none of it is left out.
    private func table(_ documents: [BridgeStatus.Document]) -> [String] {
        let names = documents.map(\.name.withoutControls)
        let width = min(max(names.map(\.count).max() ?? 0, 8), 44)
        let head = "\("DOCUMENT".padded(to: width))  STATE      GEN  VERSIONS"
        return [bold(head)] + documents.flatMap { [row($0, nameWidth: width)] + reason($0) }
    }

    private func row(_ document: BridgeStatus.Document, nameWidth: Int) -> String {
        let name = document.name.withoutControls.shortened(to: nameWidth).padded(to: nameWidth)
        let state = coloured(document.state.rawValue.padded(to: 8), document.state.colour)
        let generation = String(document.generation).paddedInFront(to: 4)
        return "\(name)  \(state)  \(generation)  \(versions(document.version))".withoutTrailingSpace
    }

    private func reason(_ document: BridgeStatus.Document) -> [String] {
        let views = (document.views ?? []).map { "    also published as \($0.withoutControls)" }
        let more = views + (document.openedBy.map { ["    " + openness($0)] } ?? [])
        guard let reason = document.reason else { return more }
        let side = document.side.map { "\($0.rawValue): " } ?? ""
        return wrapped("    ", side + reason.text.withoutControls) + more
    }

    private func openness(_ processes: [Int32]) -> String {
        let names = processes.map { "process \($0)" }
        return "kept open for writing by \(names.isEmpty ? "some program" : names.joined(separator: ", "))"
    }

    private func versions(_ versions: BridgeStatus.Document.Versions) -> String {
        guard versions.app != nil || versions.group != nil else { return "" }
        return [versions.app, versions.group].map { $0.map { String($0) } ?? "-" }.joined(separator: " | ")
    }

    private func summary(_ documents: [BridgeStatus.Document]) -> String {
        let states: [BridgeStatus.Document.State] = [.synced, .pending, .held, .conflict]
        let counts = states.compactMap { state in
            let count = documents.count { $0.state == state }
            return count == 0 ? nil : "\(count) \(state.rawValue)"
        }
        let total = counted(documents.count, "document")
        return counts.isEmpty ? total : "\(total): \(counts.joined(separator: ", "))"
    }
}

extension TextPrinter {
    private func plan(_ report: SyncReport) -> String {
        var lines = report.changes.map(line)
        if let halt = report.halt {
            lines.append("halted: \(halt.text.withoutControls); \(hint("status")) says how to go on")
        }
        let held = report.changes.count { $0.action == .hold }
        let rows = counted(report.changes.count - held, "row") + (report.dryRun ? " planned" : " done")
        let end = (held == 0 ? "" : ", \(held) held") + (report.dryRun ? "; nothing was written" : "")
        lines.append("\(counted(report.documents, "document")), \(rows)\(end)")
        return lines.map { "\($0)\n" }.joined()
    }

    private func line(_ change: SyncReport.Change) -> String {
        let goes = change.action != .hold
        let direction = change.from.map { goes ? "\($0.rawValue) → \($0.other.rawValue)" : $0.rawValue } ?? ""
        let start = "\(change.action.rawValue.padded(to: 8))  \(direction.padded(to: 11))  "
        let name = change.document.withoutControls
        return wrapped(start, "\(name)  \(change.reason.text.withoutControls)").joined(separator: "\n")
    }

    private func text(_ story: DocumentStory) -> String {
        let now = story.now
        let reason = [now.side?.rawValue, now.reason?.text].compactMap(\.self).joined(separator: ": ")
        let end = reason.isEmpty ? "" : ", \(reason.withoutControls)"
        var lines = ["\(now.name.withoutControls): \(coloured(now.state.rawValue, now.state.colour))\(end)"]
        if now.state == .conflict { lines += conflictHint }
        lines += story.events.flatMap { event in
            let start = "\(String(event.generation).paddedInFront(to: 6))  \(UTCTime.text(event.at))  "
            return wrapped(start, event.what.text.withoutControls)
        }
        return lines.map { "\($0)\n" }.joined()
    }
}

extension TextPrinter {
    /// One reload, in columns.
    func line(_ event: ReloadEvent, of bridge: String?) -> String {
        let start = bridge.map { "\($0.withoutControls)  " } ?? ""
        switch event {
        case .gap: return "\(start)gap: some reloads are no longer known; the current state follows\n"
        case .notice(let notice, _):
            let names = "\(notice.kind.withoutControls)  \(notice.document.description.withoutControls)"
            let hash = notice.hash.map { String($0.hex.prefix(12)) } ?? "deleted"
            let end = "\(notice.generation)  \(hash)  \(notice.cause.rawValue)"
            return "\(start)\(UTCTime.text(notice.at))  \(names)  \(end)\n"
        }
    }

    func counted(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }

    func wrapped(_ start: String, _ text: String) -> [String] { text.wrapped(behind: start, to: Self.width) }

    func bold(_ text: String) -> String { usesColour ? "\u{1B}[1m\(text)\u{1B}[0m" : text }

    func coloured(_ text: String, _ colour: Colour?) -> String {
        guard usesColour, let colour else { return text }
        return "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m"
    }
}

enum Colour: Int {
    case red = 31
    case green = 32
    case yellow = 33
}

extension BridgeStatus.State {
    fileprivate var colour: Colour? {
        switch self {
        case .running: .green
        case .halted: .red
        case .stopped: nil
        }
    }
}

extension BridgeStatus.Document.State {
    fileprivate var colour: Colour {
        switch self {
        case .synced: .green
        case .pending: .yellow
        case .held, .conflict: .red
        }
    }
}

extension String {
    /// Broken at spaces, so that no line is wider than `width` where that can be had.
    func wrapped(behind start: String, to width: Int) -> [String] {
        let indent = String(repeating: " ", count: start.count)
        var lines: [String] = []
        var line = start
        var isEmpty = true
        for word in wordsAndCommands {
            if !isEmpty, line.count + 1 + word.count > width {
                lines.append(line.withoutTrailingSpace)
                (line, isEmpty) = (indent, true)
            }
            line += isEmpty ? word : " \(word)"
            isEmpty = false
        }
        return lines + [line.withoutTrailingSpace]
    }

    /// What stands between backticks is one word: a command is pasted whole.
    private var wordsAndCommands: [String] {
        var words: [String] = []
        var isOpen = false
        for word in split(separator: " ", omittingEmptySubsequences: false) {
            if isOpen { words[words.count - 1] += " \(word)" } else { words.append(String(word)) }
            if !word.count(where: { $0 == "`" }).isMultiple(of: 2) { isOpen.toggle() }
        }
        return words
    }

    var withoutTrailingSpace: String {
        var result = self
        while result.last == " " { result.removeLast() }
        return result
    }

    /// Its middle left out: names differ at their ends.
    fileprivate func shortened(to width: Int) -> String {
        guard count > width, width > 1 else { return self }
        let end = (width - 1) / 2
        return "\(prefix(width - 1 - end))…\(suffix(end))"
    }

    fileprivate func paddedInFront(to width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }
}
