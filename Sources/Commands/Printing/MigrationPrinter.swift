import AgentAPI
import Documents
import Model
import StateStore
import SyncEngine

/// Prints each document of a migration as soon as it is done: as text, or as parts of one JSON object.
struct MigrationPrinter {
    let terminal: Terminal
    let isJSON: Bool
    /// The format of changes; `nil` prints none.
    var diff: DiffFormat?
    /// Prints everything at the end: a closed pipe ends the command, which must not happen between writes.
    var holdsBack = false
    let hint: CommandHint
    /// Documents that are migrated in the same way are shown by one of them.
    var groups: MigrationGroups?
    private var buffer: [UInt8] = []
    private var hasDocuments = false

    private static let bufferSize = 1 << 16

    init(terminal: Terminal, isJSON: Bool, diff: DiffFormat?, hint: CommandHint) {
        self.terminal = terminal
        self.hint = hint
        self.isJSON = isJSON
        self.diff = diff
        if isJSON { buffer += Array(#"{"documents":["#.utf8) }
    }

    private var text: TextPrinter {
        TextPrinter(usesColour: terminal.usesColour, columns: terminal.columns, hint: hint)
    }

    mutating func add(_ item: MigrationItem, _ name: String, side: Side?, shows: Bool) {
        if isJSON {
            put((hasDocuments ? "," : "") + item.json(name, side: side, diff).description)
            hasDocuments = true
        } else if shows {
            guard groups != nil else { return put(text.migration(item, name, diff)) }
            groups?.add(item, name)
        }
    }

    mutating func verify(_ item: MigrationItem, _ name: String, _ check: MigrationCheck, _ isContainer: Bool)
    {
        if isJSON { return add(item, name, side: isContainer ? nil : item.side, shows: false) }
        put(text.verification(item, name, check))
    }

    mutating func list(_ item: MigrationItem, _ name: String, _ isContainer: Bool) {
        if isJSON { return add(item, name, side: isContainer ? nil : item.side, shows: false) }
        if case .unversioned = item.migration.verdict { return }
        put(text.migration(item, name, nil))
    }

    mutating func put(_ line: String) {
        buffer += Array(line.utf8)
        if buffer.count >= Self.bufferSize, !holdsBack { flush() }
    }

    mutating func flush() {
        if !buffer.isEmpty { terminal.print(buffer) }
        buffer.removeAll(keepingCapacity: true)
    }

    /// Prints the summary at the end.
    mutating func end(_ foot: MigrationFoot) {
        if isJSON {
            var members: [(String, JSONText)] = [
                ("summary", foot.summary.json), ("drift", JSONText(foot.drift.map(\.json))),
                ("unfinished", JSONText(foot.isUnfinished)),
                ("damagedLogs", JSONText(foot.damagedLogs.map { JSONText($0) })),
                ("trees", JSONText(foot.trees.map(\.json))),
            ]
            if let kept = foot.originals {
                members.append(
                    (
                        "originals",
                        [
                            "files": JSONText(kept.files), "bytes": JSONText(kept.bytes),
                            "neededFiles": JSONText(kept.needed),
                        ]
                    )
                )
            }
            put("],\(JSONText(object: members).description.dropFirst())\n")
        } else {
            for group in groups?.all ?? [] { put(group.text(by: text, diff)) }
            put(text.foot(foot))
        }
        flush()
    }
}

struct MigrationFoot {
    struct Tree {
        /// `nil` if there is only one container.
        var container: String?
        var before: Digest
        var after: Digest

        var json: JSONText {
            [
                "container": JSONText(container), "before": JSONText(before.description),
                "after": JSONText(after.description),
            ]
        }
    }

    var summary = MigrationSummary()
    var drift: [LensDrift] = []
    var isUnfinished = false
    /// The original documents kept for `rollback`, if the command reports them.
    var originals: KeptOriginals?
    var trees: [Tree] = []
    /// Logs of earlier runs that cannot be read.
    var damagedLogs: [String] = []
    /// Whether this is the summary of an `apply`, not of a plan.
    var isApplied = false
}

extension TextPrinter {
    func migration(_ item: MigrationItem, _ name: String, _ format: DiffFormat?) -> String {
        let migration = item.migration
        let versions =
            [migration.from, migration.to].allSatisfy { $0 == nil }
            ? "" : "\(migration.from.map { "\($0)" } ?? "?") → \(migration.to.map { "\($0)" } ?? "?")"
        var lines = layout.row([
            Layout.Part(text: name.withoutControls, style: bold), Layout.Part(text: versions),
            Layout.Part(text: migration.verdict.name) { coloured($0, migration.verdict.colour) },
            Layout.Part(text: item.outcome == .done ? "done" : ""),
            Layout.Part(text: item.failure?.withoutControls ?? "") { coloured($0, .red) },
        ])
        if let reason = migration.verdict.reason { lines += wrapped("  ", reason.withoutControls) }
        if let format {
            lines += migration.lenses.flatMap(lens)
            lines += item.losses.flatMap { loss in
                wrapped("  loses ", loss.line).map {
                    coloured($0, .yellow)
                }
            }
            if item.isLarge {
                lines += wrapped("  ", "the change of so large a document is shown with --json only")
            } else if let diff = MigrationDiff(item, format) {
                lines += self.lines(diff)
            }
        }
        return lines.map { "\($0)\n" }.joined()
    }

    /// Marks additions and removals by sign and colour.
    private func lens(_ step: MigrationStep) -> [String] {
        let (mark, colour): (String, Colour) =
            switch step.effect {
            case .adds: ("+", .green)
            case .removes: ("-", .red)
            case .changes: ("~", .yellow)
            }
        return wrapped("  \(mark) ", step.words.withoutControls).map { coloured($0, colour) }
    }

    private func lines(_ diff: MigrationDiff) -> [String] {
        let body: [String]
        switch diff {
        case .text(let diff):
            body = text(diff).split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
                String($0)
            }
        case .merge(nil): body = ["(no merge patch can represent it)"]
        case .merge(let patch?):
            body = patch.bytes.split(separator: 0x0A).map {
                String(decoding: $0, as: UTF8.self).withoutControls
            }
        case .patch(let patch):
            body = patch.json.bytes.split(separator: 0x0A).map { line in
                let text = String(decoding: line, as: UTF8.self).withoutControls
                return usesColour ? coloured(text, Self.colour(ofOperation: line)) : text
            }
        }
        return body.map { "  \($0)" }
    }

    private static func colour(ofOperation line: ArraySlice<UInt8>) -> Colour? {
        func `is`(_ name: String) -> Bool { line.starts(with: "  {\"op\":\"\(name)\"".utf8) }
        return `is`("add") ? .green : `is`("remove") ? .red : `is`("replace") ? .yellow : nil
    }

    func foot(_ foot: MigrationFoot) -> String {
        let summary = foot.summary
        var parts: [String] = []
        func count(_ number: Int, _ words: String) { if number > 0 { parts.append("\(number) \(words)") } }
        if foot.isApplied {
            parts.append("\(summary.done) migrated")
            count(summary.failed, "not migrated")
        } else {
            parts.append("\(summary.migrate) to migrate")
        }
        count(summary.current, "in that version already")
        count(summary.invalid, "invalid (left as they are)")
        count(summary.newer, "newer (left as they are)")
        count(summary.blocked, "blocked")
        count(summary.unversioned, "without versions")
        let lossy = summary.lossy > 0 ? "; \(summary.lossy) lossy" : ""
        var lines = wrapped("", parts.joined(separator: ", ") + lossy)
        if foot.isUnfinished {
            let text = "a migration is incomplete; \(hint.migrate("apply")) continues it"
            lines += wrapped("", text).map { coloured($0, .yellow) }
        }
        if let kept = foot.originals, kept.files > 0 {
            lines += wrapped("", "\(kept.purpose); \(hint.migrate("finish")) deletes them")
        }
        lines += foot.drift.flatMap { wrapped("drift  ", $0.text.withoutControls) }
        lines += foot.trees.flatMap { $0.text(by: self) }
        return lines.map { "\($0)\n" }.joined()
    }
}

extension MigrationFoot.Tree {
    fileprivate func text(by printer: TextPrinter) -> [String] {
        let place = container.map { "\($0.withoutControls): " } ?? ""
        let (old, new) = (before.shown(in: printer.columns), after.shown(in: printer.columns))
        if before == after {
            return printer.wrapped("", "\(place)nothing was written: tree \(old) before and after")
        }
        let warning = printer.wrapped("", "\(place)the tree was changed by another program meanwhile")
        return warning.map { printer.coloured($0, .yellow) } + ["  before \(old)", "  after  \(new)"]
    }
}

extension Digest {
    /// The whole digest, for comparisons; its first digits on a terminal that is narrower.
    fileprivate func shown(in columns: Int?) -> String {
        guard let columns, description.displayWidth + 9 > columns else { return description }
        return "\(hex.prefix(12))…"
    }
}

extension DocumentMigration.Verdict {
    var colour: Colour? {
        switch self {
        case .current, .unversioned: nil
        case .lossless: .green
        case .lossy: .yellow
        case .blocked, .newer, .invalid: .red
        }
    }
}

extension MigrationItem {
    /// In bytes, before and after. Nobody reads a larger change.
    private static let mostShown = 4 << 20

    fileprivate var isLarge: Bool {
        (old?.bytes.count ?? 0) + (migration.result?.bytes.count ?? 0) > Self.mostShown
    }

    var failure: String? {
        switch outcome {
        case .planned, .done: nil
        case .drifted: "not done: it was changed meanwhile"
        case .failed(let fault): "not done: \(fault.text)"
        }
    }
}
