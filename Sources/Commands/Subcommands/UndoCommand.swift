import ArgumentParser
import BridgeRuntime

struct UndoCommand: ReportingCommand, BridgeCommand {
    static let page = HelpPage(
        name: "undo",
        abstract: "Restore a content from the trash; it is synced like any edit.",
        example: "widgetbridge undo 3fa2c1d0e5b7 --app ~/app --group ~/group",
        exits: [
            (.done, "restored, or nothing to do"), (.failed, "error, or nothing with that ID"),
            (.needsDecision, "the document is held, or the bridge halted or paused; nothing was written"),
            (.usage, "wrong usage"),
        ]
    )

    @Argument(help: "The ID that `history` shows, or the beginning of it.", completion: .trashIDs)
    var id: String

    @OptionGroup var options: WriterOptions

    @Flag(help: "Print a JSON object.")
    var json = false

    func outcome(on terminal: Terminal) async throws -> Outcome {
        let bridge = try options.onlyBridge()
        let edit = try await withBridge(bridge.settings, options.logger, on: terminal) {
            try await $0.undo(id)
        }
        return Outcome(report: .edit(edit))
    }
}
