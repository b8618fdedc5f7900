import AgentAPI
import ArgumentParser
import BridgeRuntime
import Model

struct GetCommand: ReportingCommand, BridgeCommand {
    static let page = HelpPage(
        name: "get",
        abstract: "Print one document, byte by byte as it is stored.",
        example: "widgetbridge get budget.json --side app --app ~/app --group ~/group",
        exits: [
            (.done, "printed"), (.failed, "error, or no such document"),
            (.needsDecision, "it is held for being too large"), (.usage, "wrong usage"),
        ]
    )

    @Argument(help: "The document, as its path inside the container.")
    var document: String

    @Option(help: "Read it in this container.")
    var side = Side.group

    @OptionGroup(title: "Bridge") var options: BridgeOptions

    @Flag(help: "Print its name, side and hash as a JSON object instead.")
    var json = false

    func outcome(on terminal: Terminal) async throws -> Outcome {
        let name = try documentName(document)
        let bridge = try options.onlyBridge()
        let stored = try await withBridge(bridge.settings, options.logger, on: terminal, toLook: true) {
            try await $0.document(name, side: side)
        }
        return Outcome(report: .document(stored))
    }
}
