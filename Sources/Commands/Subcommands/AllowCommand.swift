import ArgumentParser
import BridgeRuntime

struct AllowCommand: ReportingCommand, BridgeCommand {
    static let page = HelpPage(
        name: "allow",
        abstract: "Allow what halted the bridge: deletions, or a directory that is not the known container.",
        example: "widgetbridge allow 3fa2c1d0e5b7 --app ~/app --group ~/group",
        exits: [
            (.done, "allowed"), (.failed, "error, or the bridge is not halted for that"),
            (.usage, "wrong usage"),
        ]
    )

    @Argument(
        help: "The ID that `status` shows. It allows only these deletions, or this directory.",
        completion: .haltID
    )
    var id: String

    @OptionGroup var options: WriterOptions

    @Flag(help: "Print a JSON object.")
    var json = false

    func outcome(on terminal: Terminal) async throws -> Outcome {
        let bridge = try options.onlyBridge()
        let allowed = try await withBridge(bridge.settings, options.logger, on: terminal) {
            try await $0.allow(id)
        }
        return Outcome(report: .allowed(allowed))
    }
}
