import AgentAPI
import ArgumentParser
import BridgeRuntime
import Documents
import Model

struct GetCommand: ReportingCommand, BridgeCommand {
    static let page = HelpPage(
        name: "get",
        abstract: "Print one document, byte by byte as it is stored.",
        example: "widgetbridge get budget.json --side app --app ~/app --group ~/group",
        exits: [
            (.done, "printed"), (.failed, "error, or no such document or value"),
            (.needsDecision, "the document is held because it is too large"), (.usage, "wrong usage"),
        ]
    )

    @Argument(help: "The document, as its path inside the container.", completion: .documents)
    var document: String

    @Option(help: "Container to read from.")
    var side = Side.group

    @Option(
        help: "Print only the value at this JSON pointer (RFC 6901), as `/items/0/name`.",
        transform: { text in
            guard let pointer = JSONPointer(text) else {
                throw ValidationError("a JSON pointer begins with `/`, or is empty; in a key `~` is `~0`")
            }
            return pointer
        }
    )
    var pointer: JSONPointer?

    @OptionGroup var options: ReaderOptions

    @Flag(help: "Print its name, side and hash as a JSON object instead.")
    var json = false

    func outcome(on terminal: Terminal) async throws -> Outcome {
        let name = try documentName(document)
        let bridge = try options.onlyBridge()
        let stored = try await withBridge(bridge.settings, options.logger, on: terminal, toLook: true) {
            try await $0.document(name, side: side)
        }
        guard let pointer else { return Outcome(report: .document(stored)) }
        guard let bytes = try pointer.bytes(in: stored.json()) else {
            throw MissingValue(document: name, side: side, pointer: pointer)
        }
        let value = StoredValue(document: stored, pointer: pointer, bytes: bytes)
        return Outcome(report: .value(value))
    }
}

/// No value at this pointer in the document.
struct MissingValue: Error {
    var document: RelativePath
    var side: Side
    var pointer: JSONPointer
}
