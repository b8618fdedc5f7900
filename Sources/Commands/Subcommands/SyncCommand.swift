import ArgumentParser
import BridgeRuntime

struct SyncCommand: ReportingCommand, BridgeCommand {
    static let page = HelpPage(
        name: "sync",
        abstract: "Sync both containers once.",
        example: "widgetbridge sync --dry-run --app ~/app --group ~/group",
        exits: [
            (.done, "done, or nothing to do"), (.failed, "error"),
            (.changesPending, "--dry-run: there is something to do"),
            (.newerVersion, "a document is of a newer version than the profile knows"),
            (.needsDecision, "a conflict was settled, a document held, or the bridge halted or paused"),
            (.usage, "wrong usage"),
        ]
    )

    @OptionGroup var options: WriterOptions

    @Flag(help: "Print the plan and write nothing.")
    var dryRun = false

    @Option(
        help: """
            End once nothing has moved for this long, as `500ms`, `5s` or `2m`, and name what is not \
            in sync. (default: 10s)
            """,
        transform: TimeSpan.parsed
    )
    var timeout = TimeSpan(defaultPatience)

    @Flag(help: "Print one JSON object for each bridge.")
    var json = false

    func outcome(on terminal: Terminal) async throws -> Outcome {
        let (reports, failures) = try await options.eachBridge { bridge in
            let doing = dryRun ? "planning" : "reconciling"
            return try await withBridge(
                bridge.settings,
                options.logger,
                on: terminal,
                doing: doing,
                toLook: dryRun
            ) { access, progress in
                try await access.sync(dryRun: dryRun, patience: timeout.duration) {
                    progress.show(doing, $0.done, of: $0.total)
                }
            }
        }
        let status = CommandStatus.heaviest(reports.map(\.value.exitStatus))
        return Outcome(report: .plan(reports), status: status, failures: failures)
    }
}
