import AgentAPI
import AgentClient
import BridgeRuntime
import Documents
import Model
import SyncEngine

/// Formats a report for people.
struct TextPrinter {
    /// The width of drawings if there is no terminal.
    static let width = 80

    var usesColour = false
    /// The width at which lines are wrapped; `nil` prints all of them without wrapping or cutting.
    var columns: Int?
    /// Builds commands for the bridges of the report.
    var hint = CommandHint()

    func text(_ report: Report) -> String {
        switch report {
        case .nothing: ""
        case .status(let all):
            all.map { heading($0.bridge) + StatusPrinter(printer: of($0.bridge)).text($0.value) }.joined(
                separator: "\n"
            )
        case .plan(let all):
            all.map { heading($0.bridge) + of($0.bridge).plan($0.value) }.joined(separator: "\n")
        case .story(let story): text(story)
        case .document(let document): String(decoding: document.bytes, as: UTF8.self)
        case .stored(let document): "\(document.hash)\n"
        case .conflicts(let conflicts): text(conflicts)
        case .history(let history): text(history)
        case .difference(let difference): difference.text(self)
        case .deleted(let deleted): deleted.text(self)
        case .value: ""
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
        TextPrinter(usesColour: usesColour, columns: columns, hint: hint.of(bridge: bridge))
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
    /// At most this many held documents are listed one by one.
    private static var mostHolds: Int { 40 }

    private func plan(_ report: SyncReport) -> String {
        let holds = report.changes.filter { $0.action == .hold }
        let hidden = holds.dropFirst(Self.mostHolds)
        let unshown = Set(hidden.map(\.document))
        var lines = report.changes.filter { $0.action != .hold || !unshown.contains($0.document) }.map(line)
        if !hidden.isEmpty {
            lines.append("… and \(hidden.count.grouped) more held; \(hint("status --only held")) lists them")
        }
        if let halt = report.halt {
            lines.append("halted: \(halt.text.withoutControls); \(hint("status")) says how to go on")
        }
        let held = holds.count
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
            let start = "\(String(event.generation).paddedInFront(to: 6))  \(LocalTime.text(event.at))  "
            return wrapped(start, event.what.text.withoutControls)
        }
        return lines.map { "\($0)\n" }.joined()
    }
}

extension TextPrinter {
    /// One reload in columns.
    func line(_ event: ReloadEvent, of bridge: String?) -> String {
        let start = bridge.map { "\($0.withoutControls)  " } ?? ""
        switch event {
        case .gap: return "\(start)gap: some reloads are no longer known; the current state follows\n"
        case .notice(let notice, _):
            let names = "\(notice.kind.withoutControls)  \(notice.document.description.withoutControls)"
            let hash = notice.hash.map { String($0.hex.prefix(12)) } ?? "deleted"
            let end = "\(notice.generation)  \(hash)  \(notice.cause.rawValue)"
            return "\(start)\(LocalTime.text(notice.at))  \(names)  \(end)\n"
        }
    }

    func counted(_ count: Int, _ noun: String) -> String {
        "\(count.grouped) \(noun)\(count == 1 ? "" : "s")"
    }

    func wrapped(_ start: String, _ text: String) -> [String] {
        guard let columns else { return [(start + text).withoutTrailingSpace] }
        return text.wrapped(behind: start, to: columns)
    }

    var conflictHint: [String] { wrapped("", "\(hint("conflicts")) shows what lost a conflict") }

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

extension String {
    /// Wraps at spaces, so that no line is wider than `width` if possible.
    func wrapped(behind start: String, to width: Int) -> [String] {
        let indent = String(repeating: " ", count: start.displayWidth)
        var lines: [String] = []
        var line = start
        var used = indent.count
        var isEmpty = true
        for word in wordsAndCommands {
            let wordWidth = word.displayWidth
            if !isEmpty, used + 1 + wordWidth > width {
                lines.append(line.withoutTrailingSpace)
                (line, used, isEmpty) = (indent, indent.count, true)
            }
            line += isEmpty ? word : " \(word)"
            used += wordWidth + (isEmpty ? 0 : 1)
            isEmpty = false
        }
        return lines + [line.withoutTrailingSpace]
    }

    /// Splits into words. A command in backticks counts as one word, so that it can be copied whole.
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

    /// Cuts the middle, because names differ at their ends.
    func shortened(to width: Int) -> String {
        guard displayWidth > width, width > 1 else { return self }
        let end = (width - 1) / 2
        return "\(prefix(ofWidth: width - 1 - end))…\(suffix(ofWidth: end))"
    }

    func paddedInFront(to width: Int) -> String {
        String(repeating: " ", count: max(0, width - displayWidth)) + self
    }
}

extension Int {
    /// With thousands separators: `1,980`.
    var grouped: String {
        let digits = Array(String(magnitude))
        var text = self < 0 ? "-" : ""
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place).isMultiple(of: 3) { text += "," }
            text.append(digit)
        }
        return text
    }
}
