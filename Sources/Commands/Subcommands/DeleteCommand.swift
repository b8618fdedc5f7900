import AgentClient
import ArgumentParser
import BridgeRuntime
import Model
import SyncEngine

struct DeleteCommand: ReportingCommand, BridgeCommand {
    static let page = HelpPage(
        name: "delete",
        abstract: "Delete one document on both sides. It goes to the trash, and `undo` restores it.",
        example: "widgetbridge delete note.json --app ~/app --group ~/group",
        exits: [
            (.done, "deleted"), (.failed, "error, or no such document"),
            (.needsDecision, "the document is not as expected or held, or the bridge is halted or paused"),
            (.usage, "wrong usage"),
        ]
    )

    @Argument(help: "The document, as its path inside the container.", completion: .documents)
    var document: String

    @Option(help: "Delete the document only if it has this hash.", transform: ExpectedContent.parsed)
    var expect: ExpectedContent?

    @Option(help: "Container to delete it in; the deletion is synced to the other.")
    var side = Side.group

    @OptionGroup var options: WriterOptions

    @Flag(help: "Print a JSON object.")
    var json = false

    func validate() throws {
        if expect?.expectation == .nothing {
            throw ValidationError("--expect takes the hash that `get --json` prints")
        }
    }

    func outcome(on terminal: Terminal) async throws -> Outcome {
        let name = try documentName(document)
        let bridge = try options.onlyBridge()
        var expected: Digest?
        if case .content(let digest)? = expect?.expectation { expected = digest }
        let deleted = try await withBridge(bridge.settings, options.logger, on: terminal) { [expected] in
            try await $0.delete(name, side: side, expecting: expected)
            return DeletedDocument(document: name, side: side, id: await id(ofDeleted: name, in: $0))
        }
        return Outcome(report: .deleted(deleted))
    }

    /// Returns `nil` on an error, because the document is deleted even if its ID is unknown. With an agent,
    /// the trash has the deletion only after it is synced.
    private func id(ofDeleted name: RelativePath, in bridge: any BridgeAccess) async -> String? {
        do {
            if let agent = bridge as? AgentClient {
                try await agent.wait(for: [name], timeout: .seconds(5), rehash: false)
            }
            return try await bridge.history(of: name).first?.id
        } catch {
            return nil
        }
    }
}
