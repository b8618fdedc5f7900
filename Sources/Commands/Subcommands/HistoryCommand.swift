import AgentAPI
import AgentClient
import ArgumentParser
import BridgeRuntime
import SyncEngine

struct HistoryCommand: ReportingCommand, BridgeCommand {
    static let page = HelpPage(
        name: "history",
        abstract: "List what is in the trash, newest first, with the IDs that `undo` takes.",
        example: "widgetbridge history budget.json --app ~/app --group ~/group",
        exits: [(.done, "shown"), (.failed, "error"), (.usage, "wrong usage")]
    )

    @Argument(
        help: "Only this document, by its path inside the container.",
        completion: .documents
    )
    var document: String?

    @Option(help: "Show at most this many, the newest.", transform: PositiveNumber.parsed)
    var limit: PositiveNumber?

    @Option(
        help: "Only entries since this time (`2026-01-18T14:30:00Z`), or of the last `90m` or `7d`.",
        transform: TimeBound.parsed
    )
    var since: TimeBound?

    @OptionGroup var options: ReaderOptions

    @Flag(help: "Print one JSON object for each entry.")
    var json = false

    func outcome(on terminal: Terminal) async throws -> Outcome {
        let name = try document.map { text throws(BridgeError) in try documentName(text) }
        let bridge = try options.onlyBridge()
        let (history, unseen) = try await withBridge(
            bridge.settings,
            options.logger,
            on: terminal,
            toLook: true
        ) { access in
            let history = try await access.history(of: name)
            guard history.isEmpty, let name else { return (history, UnseenDocument?.none) }
            return (history, await access.unseen(name))
        }
        let young = since.map { since in history.filter { $0.at >= since.milliseconds } } ?? history
        return Outcome(
            report: .history(Array(young.prefix(limit?.value ?? .max))),
            failures: unseen.map { [$0.prose(hint)] } ?? []
        )
    }
}
