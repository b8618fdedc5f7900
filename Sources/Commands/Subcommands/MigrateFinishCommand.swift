import AgentAPI
import AgentClient
import ArgumentParser
import BridgeRuntime
import Documents
import StateStore
import SyncEngine

struct MigrateFinishCommand: FilesCommand {
    static let page = HelpPage(
        name: "finish",
        abstract: "Delete the original documents that `rollback` needs; the migration is then final.",
        example: "widgetbridge migrate finish --app ~/app --group ~/group --profile budget",
        exits: [
            (.done, "deleted, or nothing was kept"), (.failed, "error"),
            (.partlyDone, "a migration is only partly done: apply it again, or roll it back, first"),
            (.usage, "wrong usage"),
        ]
    )

    @OptionGroup var options: MigrateOptions

    func perform(on terminal: Terminal) async throws -> CommandStatus {
        var freed = KeptOriginals()
        var documents = 0
        var statuses: [CommandStatus] = []
        for target in try options.targets("widgetbridge migrate finish") {
            let report: MigrationReport
            switch target {
            case .container(let container, _): report = try await container.placed { try await $0.finish() }
            case .bridge(let bridge):
                report = try await withBridge(bridge.settings, options.logger, on: terminal) {
                    try await $0.migrate(options.request(.finish))
                }
            }
            if let refusal = report.refusal {
                let prose = ErrorProse(refusal, hint.of(bridge: target.bridge)) { $0 }
                terminal.complain(prose.line)
                statuses.append(prose.status)
            } else if report.isUnfinished {
                let prose = unfinished(hint.of(bridge: target.bridge))
                terminal.complain(prose.line)
                statuses.append(prose.status)
            } else {
                documents += report.finishedDocuments
                freed.files += report.originals.files
                freed.bytes += report.originals.bytes
            }
        }
        if options.json {
            let object: JSONText = ["freedFiles": JSONText(freed.files), "freedBytes": JSONText(freed.bytes)]
            terminal.print(object.description + "\n")
        } else if freed.files > 0 || documents > 0 {
            let words = "\(freed.words) deleted: `rollback` is no longer possible"
            terminal.print(Layout(columns: terminal.columns).lines(words).map { "\($0)\n" }.joined())
        } else if statuses.isEmpty {
            terminal.print("nothing is kept for `rollback`\n")
        }
        return .heaviest(statuses)
    }

    private func unfinished(_ hint: CommandHint) -> ErrorProse {
        let advice = "\(hint.migrate("apply")) continues it, \(hint.migrate("rollback")) undoes it"
        return ErrorProse("a migration is only partly done", advice, .partlyDone)
    }
}

extension KeptOriginals {
    /// For example `12 original documents (48 KiB)`.
    var words: String {
        "\(files) original \(files == 1 ? "document" : "documents") (\((bytes + 1023) / 1024) KiB)"
    }

    /// What is kept, and for what.
    var purpose: String {
        switch needed {
        case files: "\(words) kept for `rollback`"
        case 0: "\(words) kept, and `rollback` needs none of them"
        default: "\(words) kept, of which \(needed) for `rollback`"
        }
    }
}
