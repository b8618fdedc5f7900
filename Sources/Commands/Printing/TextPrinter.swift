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
        case .nothing, .value, .checks: ""
        case .status(let all):
            all.map { heading($0.bridge) + StatusPrinter(printer: of($0.bridge)).text($0.value) }.joined(
                separator: "\n"
            )
        case .plan(let all):
            all.map { heading($0.bridge) + of($0.bridge).plan($0.value) }.joined(separator: "\n")
        case .story(let story): text(story)
        case .document(let document): String(decoding: document.bytes, as: UTF8.self)
        case .shown(let shown): "\(shown)\n"
        case .stored(let document): "\(document.hash)\n"
        case .conflicts(let conflicts): text(conflicts)
        case .history(let history): text(history)
        case .difference(let difference): difference.text(self)
        case .deleted(let deleted): deleted.text(self)
        case .edit(let edit): text(edit)
        case .allowed(let allowed): text(allowed)
        case .paused(let all): all.map { heading($0.bridge) + $0.value.text(of($0.bridge)) }.joined()
        case .hashes(let files): HashedFile.text(files, layout)
        case .profiles(let profiles): table(profiles)
        case .profile(let profile, let builtInText): builtInText ?? text(profile)
        case .findings(let findings): layout.paragraphs(findings.map(\.text))
        case .reloads(let simulation): simulation.text(self)
        case .ledger(let kinds): kinds.text(self)
        case .widgets(let widgets): widgets.text(self)
        case .widget(_, let text): "\(text.withoutControls)\n"
        case .appState(let state): state.text
        case .exploration(let exploration): text(exploration)
        case .observation(let observation): text(observation)
        case .processes(let reports, let again): text(reports, again: again)
        case .corpus(let corpus): CorpusPrinter(printer: self).text(corpus)
        case .replayed(let run): text(run)
        case .presets(let scenarios): table(scenarios)
        case .preset(_, let text): text
        case .scenarioFindings(let all): layout.paragraphs(all.compactMap(\.line))
        case .diagnosis(let all): FindingsPrinter(printer: self).text(all)
        }
    }

    private func of(_ bridge: String?) -> TextPrinter {
        TextPrinter(usesColour: usesColour, columns: columns, hint: hint.of(bridge: bridge))
    }

    func heading(_ bridge: String?) -> String {
        bridge.map { "\(bold($0.withoutControls))\n" } ?? ""
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
            let hint = hint("status --only held")
            lines += wrapped("", "… and \(hidden.count.grouped) more held; \(hint) lists them")
        }
        if let halt = report.halt {
            let text = "\(halt.text.withoutControls); \(hint("status")) says how to go on"
            lines += wrapped("halted: ", text)
        }
        let held = holds.count
        let rows = counted(report.changes.count - held, "row") + (report.dryRun ? " planned" : " done")
        let end = (held == 0 ? "" : ", \(held) held") + (report.dryRun ? "; nothing was written" : "")
        lines += wrapped("", "\(counted(report.documents, "document")), \(rows)\(end)")
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
        let name = "\(now.name.withoutControls):"
        let state = Layout.Part(text: now.state.rawValue) { coloured($0, now.state.colour) }
        var lines = layout.lines("\(name) \(state.text)\(end)", [Layout.Part(text: name), state])
        if now.state == .conflict { lines += conflictHint }
        if now.state == .held { lines += heldHint }
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
        let columns =
            switch event {
            case .gap: ["gap: some reloads are no longer known; the current state follows"]
            case .notice(let notice, _):
                [
                    LocalTime.text(notice.at), notice.kind.withoutControls,
                    notice.document.description.withoutControls, "\(notice.generation)",
                    notice.hash.map { String($0.hex.prefix(12)) } ?? "deleted", notice.cause.rawValue,
                ]
            }
        let parts = [bridge?.withoutControls ?? ""] + columns
        return layout.row(parts.map { Layout.Part(text: $0) }).map { "\($0)\n" }.joined()
    }

    func counted(_ count: Int, _ noun: String) -> String {
        "\(count.grouped) \(noun)\(count == 1 ? "" : "s")"
    }

    var layout: Layout { Layout(columns: columns) }

    func wrapped(_ start: String, _ text: String) -> [String] { layout.wrapped(start, text) }

    /// A text behind a label of ten columns, with a part in a colour.
    func labelled(_ label: String, _ part: String, _ colour: Colour?, _ rest: String = "") -> [String] {
        let parts = [Layout.Part(text: part) { coloured($0, colour) }]
        return layout.styled(wrapped(label.padded(to: 10), part + rest), parts)
    }

    var conflictHint: [String] { wrapped("", "\(hint("conflicts")) shows what lost a conflict") }
    var heldHint: [String] {
        let mended = "what is held can be saved again, written whole with `put`, or taken back with `undo`"
        return wrapped("", "\(mended): \(hint("history")) lists earlier contents")
    }

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

extension Int {
    /// With thousands separators: `1,980`.
    var grouped: String {
        let digits = Array(String(magnitude))
        var text = self < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
            text.append(digit)
        }
        return text
    }
}
