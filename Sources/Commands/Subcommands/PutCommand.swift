import AgentAPI
import ArgumentParser
import BridgeRuntime
import Model

struct PutCommand: ReportingCommand, BridgeCommand {
    static let page = HelpPage(
        name: "put",
        abstract: "Write one document from standard input, whole or not at all, and print its hash.",
        example: "widgetbridge put a.json --expect none --app ~/app --group ~/group < a.json",
        exits: [
            (.done, "written"), (.failed, "error, not JSON, or against its schema; nothing was written"),
            (.needsDecision, "the document is not as expected, or the bridge is halted or paused"),
            (.usage, "wrong usage"),
        ]
    )

    @Argument(help: "The document, as its path inside the container.", completion: .documents)
    var document: String

    @Option(
        help: "Write only if the document has this hash, or with `none` if it does not exist.",
        transform: ExpectedContent.parsed
    )
    var expect: ExpectedContent?

    @Option(help: "Container to write to.")
    var side = Side.group

    @Flag(help: "Write it even if it violates its schema: the bridge then holds it until it is mended.")
    var force = false

    @OptionGroup var options: WriterOptions

    @Flag(help: "Print its name, side and hash as a JSON object.")
    var json = false

    func outcome(on terminal: Terminal) async throws -> Outcome {
        let name = try documentName(document)
        let bridge = try options.onlyBridge()
        let input = try NamedFile("-")
        let stored = try await withBridge(bridge.settings, options.logger, on: terminal) {
            try await $0.put(
                input.bytes,
                as: name,
                side: side,
                expecting: expect?.expectation ?? .anything,
                force: force
            )
        }
        return Outcome(report: .stored(stored))
    }
}
