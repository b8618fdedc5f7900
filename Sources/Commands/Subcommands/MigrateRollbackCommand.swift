import AgentAPI
import ArgumentParser
import BridgeRuntime
import Documents
import Model
import StateStore
import SyncEngine

struct MigrateRollbackCommand: FilesCommand {
    static let page = HelpPage(
        name: "rollback",
        abstract: "Restore the bytes that documents had before the last migration.",
        example: "widgetbridge migrate rollback --profile budget budget.json",
        exits: [
            (.done, "restored, or nothing to restore"),
            (.failed, "error, a finished migration, no old bytes, or a log that is damaged"),
            (.drift, "a document was edited since; needs --force; nothing was written"),
            (.partlyDone, "partly done; run it again to go on"),
            (.needsDecision, "a save made meanwhile cannot be merged, or a document is held; it is named"),
            (.usage, "wrong usage"),
        ]
    )

    @OptionGroup var options: MigrateOptions
    @OptionGroup var patience: MigrationPatience

    @Flag(help: "Also restore documents that were edited since; the edits go to the trash.")
    var force = false

    func perform(on terminal: Terminal) async throws -> CommandStatus {
        var request = options.request(.rollback)
        (request.force, request.patience) = (force, patience.timeout.duration)
        var (rows, lines): ([JSONText], [String]) = ([], [])
        let layout = Layout(columns: terminal.columns)
        var statuses: [CommandStatus] = []
        var still: [String] = []
        var items: [RollbackItem] = []
        Interruption.listen(on: terminal)
        for target in try options.targets("widgetbridge migrate rollback") {
            let (report, proses) = try await rollBack(target, request, on: terminal)
            for prose in proses {
                terminal.complain(prose.line)
                statuses.append(prose.status)
            }
            if !report.rollback.isEmpty {
                still += report.stillMigrated.map { target.name(of: $0.document, $0.side) }
            }
            items += report.rollback
            for item in report.rollback {
                let name = target.name(of: item.entry.document, item.entry.side)
                let edit = item.isEdited && item.isDone ? item.now.flatMap(target.trashPath) : nil
                rows.append(item.json(name, edit: edit))
                if !item.isRecorded, report.stalled == nil { statuses.append(.partlyDone) }
                if !item.isInterrupted { lines += layout.lines(item.line(name, edit: edit)) }
            }
        }
        if options.json {
            let members = [
                ("documents", JSONText(rows)), ("stillMigrated", JSONText(still.map { JSONText($0) })),
            ]
            terminal.print(JSONText(object: members).description + "\n")
        } else {
            if rows.isEmpty, statuses.isEmpty { lines = ["nothing to bring back"] }
            lines += text(of: still).map { layout.wrapped("", $0) } ?? []
            terminal.print(lines.map { "\($0)\n" }.joined())
        }
        reportInterruption(statuses, items, on: terminal)
        return .heaviest(statuses)
    }

    private func reportInterruption(
        _ statuses: [CommandStatus],
        _ items: [RollbackItem],
        on terminal: Terminal
    ) {
        guard Interruption.isAsked, statuses.contains(.partlyDone) else { return }
        let (back, all) = (items.count { $0.failure == nil }, items.count)
        let what = "interrupted: \(back.grouped) of \(all.grouped) documents are as they were"
        terminal.complain(ErrorProse(what, "run the same command again to go on").line)
    }

    /// The documents that remain migrated: a rollback undoes only the last migration.
    private func text(of still: [String]) -> String? {
        guard let first = still.first else { return nil }
        let documents = still.count == 1 ? first : "\(first) and \(still.count - 1) more"
        let what = "\(documents.withoutControls): still migrated, by an earlier migration"
        return "\(what); \(hint.migrate("rollback")) again brings that back"
    }

    /// Rolls back one target, and reports saves that happened meanwhile.
    private func rollBack(
        _ target: MigrationTarget,
        _ request: MigrationRequest,
        on terminal: Terminal
    ) async throws -> (MigrationReport, [ErrorProse]) {
        let report: MigrationReport
        var proses: [ErrorProse]
        switch target {
        case .container(let container, _):
            let saves: [ConcurrentSave]
            (report, saves) = try await withProgress("bringing back", on: terminal) { progress in
                try await container.placed {
                    try await $0.rollBack(request) {
                        progress.show("bringing back", $0.done, of: $0.total)
                        return !Interruption.isAsked
                    }
                }
            }
            proses = saves.map {
                ErrorProse($0, of: container, called: shown("\($0.document)", target))
            }
        case .bridge(let bridge):
            report = try await withBridge(bridge.settings, options.logger, on: terminal) {
                try await $0.migrate(request)
            }
            proses = report.stalled.map { [ErrorProse](stalled: $0, after: request.patience) } ?? []
        }
        if let refusal = report.refusal {
            proses.append(ErrorProse(refusal, hint.of(bridge: target.bridge)) { shown($0, target) })
        }
        return (report, proses + report.damagedLogs.map { ErrorProse(damagedLog: $0) })
    }

    private func shown(_ document: String, _ target: MigrationTarget) -> String {
        guard case .container(_, let prefix) = target else { return document }
        return prefix + document
    }
}

extension MigrationTarget {
    /// The path of a content in the trash; `nil` for a bridge, whose trash `history` lists.
    fileprivate func trashPath(of content: Digest) -> String? {
        guard case .container(let container, _) = self, let place = Trash.place(of: content) else {
            return nil
        }
        return container.path(inState: place)
    }
}

extension RollbackItem {
    private var outcome: String {
        if let failure { return "not brought back: \(failure.text)" }
        return noteFailure.map { "\(state), but that could not be recorded: \($0.text); \(Self.advice)" }
            ?? state
    }

    private var state: String {
        if isDone { return isEdited ? "brought back over an edit" : "brought back" }
        if isOfOldVersion { return "is of version \(entry.from), and was left as it is" }
        return "was back already"
    }

    /// It has no line of its own: the command says how many are left.
    fileprivate var isInterrupted: Bool { if case .known(.interrupted)? = failure { true } else { false } }

    private static let advice = "once the state directory can be written, run this again"

    /// `edit`: the file with the edited content.
    fileprivate func line(_ name: String, edit: String?) -> String {
        let kept = edit.map { ", which is kept as \($0)" } ?? ""
        return "\(name)  \(entry.to) → \(entry.from)  \(outcome)\(kept)".withoutControls
    }

    fileprivate func json(_ name: String, edit: String?) -> JSONText {
        [
            "document": JSONText(name), "from": JSONText(entry.to), "to": JSONText(entry.from),
            "hash": JSONText((isOfOldVersion ? now ?? entry.before : entry.before).description),
            "isDone": JSONText(failure == nil && !isOfOldVersion),
            "isEdited": JSONText(isEdited), "kept": JSONText(edit),
            "error": JSONText(
                failure?.text ?? noteFailure.map { "brought back, not recorded: \($0.text)" }
            ),
        ]
    }
}
