import AgentAPI
import ArgumentParser
import BridgeRuntime

struct WhyCommand: ReportingCommand, BridgeCommand {
    static let page = HelpPage(
        name: "why",
        abstract: "Tell the story of a document: how it came to be what it is.",
        example: "widgetbridge why budget.json --app ~/app --group ~/group",
        exits: [(.done, "told"), (.failed, "error, or no such document"), (.usage, "wrong usage")]
    )

    @Argument(help: "The document, as its path inside the container.", completion: .documents)
    var document: String

    @OptionGroup(title: "Bridge") var options: BridgeOptions

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
