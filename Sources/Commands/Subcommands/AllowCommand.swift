import ArgumentParser
import BridgeRuntime

struct AllowCommand: ReportingCommand, BridgeCommand {
    static let page = HelpPage(
        name: "allow",
        abstract: "Accept what a bridge is halted for: a deletion, or another directory as its container.",
        example: "widgetbridge allow 3fa2c1d0e5b7 --app ~/app --group ~/group",
        exits: [
            (.done, "allowed"), (.failed, "error, or it is not halted for that"), (.usage, "wrong usage"),
        ]
    )

    @Argument(
        help: "The id that `status` shows. It stands for these documents or that directory alone.",
        completion: .haltID
    )
    var id: String

    @OptionGroup(title: "Bridge") var options: BridgeOptions

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
