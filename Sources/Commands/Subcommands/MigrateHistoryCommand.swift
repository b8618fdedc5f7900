import AgentAPI
import AgentClient
import ArgumentParser
import BridgeRuntime
import Documents
import StateStore
import SyncEngine

struct MigrateHistoryCommand: FilesCommand {
    static let page = HelpPage(
        name: "history",
        abstract: "List past migrations, the oldest first, and the state of each.",
        example: "widgetbridge migrate history --profile budget budget.json",
        exits: [
            (.done, "listed, or there were none"),
            (.failed, "error, or the log of a migration cannot be read"),
            (.usage, "wrong usage"),
        ]
    )

    @OptionGroup var options: MigrateOptions

    func perform(on terminal: Terminal) async throws -> CommandStatus {
        var rows: [JSONText] = []
        var lines: [String] = []
        var damagedLogs: [String] = []
        var statuses: [CommandStatus] = []
        for target in try options.targets("widgetbridge migrate history") {
            let report = try await history(of: target, on: terminal)
            if let refusal = report.refusal {
                let prose = ErrorProse(refusal, hint.of(bridge: target.bridge)) { $0 }
                terminal.complain(prose.line)
                statuses.append(prose.status)
            }
            damagedLogs += report.damagedLogs
            rows += report.migrations.map { $0.json(target) }
            lines += report.migrations.map { $0.line(target) }
        }
        if options.json {
            let logs = JSONText(damagedLogs.map { JSONText($0) })
            let members = [("migrations", JSONText(rows)), ("damagedLogs", logs)]
            terminal.print(JSONText(object: members).description + "\n")
        } else if !lines.isEmpty {
            let layout = Layout(columns: terminal.columns)
            terminal.print(lines.flatMap { layout.lines($0) }.map { "\($0)\n" }.joined())
        } else if statuses.isEmpty, damagedLogs.isEmpty {
            terminal.print("no migration yet\n")
        }
        for path in damagedLogs {
            let prose = ErrorProse(damagedLog: path)
            terminal.complain(prose.line)
            statuses.append(prose.status)
        }
        return .heaviest(statuses)
    }

    private func history(of target: MigrationTarget, on terminal: Terminal) async throws -> MigrationReport {
        switch target {
        case .container(let container, _): try await container.placed { try $0.history() }
        case .bridge(let bridge):
            try await withBridge(bridge.settings, options.logger, on: terminal, toLook: true) {
                try await $0.migrate(options.request(.history))
            }
        }
    }
}

extension KnownMigration {
    private static let mostNames = 3

    fileprivate func line(_ target: MigrationTarget) -> String {
        let versions = Set(documents.map { Versions(from: $0.from, to: $0.to) }).sorted()
        let names = documents.prefix(Self.mostNames).map { target.name(of: $0.name, $0.side).withoutControls }
        let others = documents.count > names.count ? ", and \(documents.count - names.count) more" : ""
        let steps = versions.map { "\($0.from) → \($0.to)" }.joined(separator: ", ")
        return "\(id)  \(LocalTime.text(at))  \(steps)  \(state.words)  "
            + names.joined(separator: ", ") + others
    }

    private struct Versions: Hashable, Comparable {
        var from: Int
        var to: Int

        static func < (a: Self, b: Self) -> Bool { (a.from, a.to) < (b.from, b.to) }
    }

    fileprivate func json(_ target: MigrationTarget) -> JSONText {
        [
            "id": JSONText(id), "at": JSONText(UTCTime.text(at)), "state": JSONText(state.rawValue),
            "container": JSONText(target.place),
            "documents": JSONText(
                documents.map { document in
                    [
                        "document": JSONText(target.name(of: document.name, document.side)),
                        "from": JSONText(document.from), "to": JSONText(document.to),
                        "state": JSONText(document.state.rawValue),
                    ]
                }
            ),
        ]
    }
}

extension KnownMigration.State {
    fileprivate var words: String {
        switch self {
        case .applied: "applied"
        case .finished: "finished"
        case .rolledBack: "rolled back"
        case .partlyRolledBack: "partly rolled back"
        case .open: "open"
        }
    }
}
