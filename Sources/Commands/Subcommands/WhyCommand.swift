import AgentAPI
import ArgumentParser
import BridgeRuntime

struct WhyCommand: ReportingCommand, BridgeCommand {
    static let page = HelpPage(
        name: "why",
        abstract: "Show a document's state, and the changes that led to it.",
        example: "widgetbridge why budget.json --app ~/app --group ~/group",
        exits: [(.done, "shown"), (.failed, "error, or no such document"), (.usage, "wrong usage")]
    )

    @Argument(help: "The document, as its path inside the container.", completion: .documents)
    var document: String

    @OptionGroup var options: WriterOptions

    @Flag(help: "Print a JSON object.")
    var json = false

    func outcome(on terminal: Terminal) async throws -> Outcome {
        let name = try documentName(document)
        let bridge = try options.onlyBridge()
        let story = try await withBridge(bridge.settings, options.logger, on: terminal, toLook: true) {
            try await $0.story(of: name)
        }
        return Outcome(report: .story(story))
    }
}
