import ArgumentParser
import BridgeRuntime

struct StatusCommand: ReportingCommand, BridgeCommand {
    static let page = HelpPage(
        name: "status",
        abstract: "Show what is in sync, pending, held or in conflict.",
        example: "widgetbridge status --json --app ~/app --group ~/group",
        exits: [
            (.done, "everything is in sync"), (.failed, "error"), (.changesPending, "changes are pending"),
            (.newerVersion, "a document is of a newer version than the profile knows"),
            (.needsDecision, "a document is held, or the bridge is halted"),
            (.usage, "wrong usage"),
        ]
    )

    @OptionGroup(title: "Bridge") var options: BridgeOptions

    @Flag(help: "Print one JSON object for each bridge.")
    var json = false

    func outcome(on terminal: Terminal) async throws -> Outcome {
        let (statuses, failures) = try await options.eachBridge { bridge in
            try await withBridge(bridge.settings, options.logger, on: terminal, toLook: true) {
                try await $0.status()
            }
        }
        let status = CommandStatus.heaviest(statuses.map(\.value.exitStatus))
        return Outcome(report: .status(statuses), status: status, failures: failures)
    }
}
