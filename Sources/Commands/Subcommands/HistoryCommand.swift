import AgentAPI
import AgentClient
import ArgumentParser
import BridgeRuntime
import SyncEngine

struct HistoryCommand: ReportingCommand, BridgeCommand {
    static let page = HelpPage(
        name: "history",
        abstract: "Show what is in the trash, newest first, with the ids that `undo` takes.",
        example: "widgetbridge history budget.json --app ~/app --group ~/group",
        exits: [(.done, "shown"), (.failed, "error"), (.usage, "wrong usage")]
    )

    @Argument(
        help: "Only of this document, as its path inside the container.",
        completion: .documents
    )
    var document: String?

    @Option(help: "Show at most this many, the newest.", transform: PositiveNumber.parsed)
    var limit: PositiveNumber?

    @Option(
        help: "Show what went since this time (`2026-01-18T14:30:00Z`), or this long ago (`90m`, `7d`).",
        transform: TimeBound.parsed
    )
    var since: TimeBound?

    @OptionGroup(title: "Bridge") var options: BridgeOptions

    @Flag(help: "Print one JSON object for each.")
    var json = false

    func outcome(on terminal: Terminal) async throws -> Outcome {
        let name = try document.map { text throws(BridgeError) in try documentName(text) }
        let bridge = try options.onlyBridge()
        let history = try await withBridge(bridge.settings, options.logger, on: terminal, toLook: true) {
            try await $0.history(of: name)
        }
        let young = since.map { since in history.filter { $0.at >= since.milliseconds } } ?? history
        return Outcome(report: .history(Array(young.prefix(limit?.value ?? .max))))
    }
}
