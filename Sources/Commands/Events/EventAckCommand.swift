import ArgumentParser
import BridgeRuntime

struct EventAckCommand: BridgeCommand {
    static let page = HelpPage(
        name: "ack",
        abstract: "Acknowledge events: the app has dealt with them, and does not get them again.",
        example: "widgetbridge event ack 7d0f3c --state ~/state",
        exits: [
            (.done, "acknowledged, or they were already"),
            (.failed, "error, or one of the IDs is unknown; none was acknowledged"),
            (.usage, "wrong usage"),
        ]
    )

    @Argument(help: "The events' IDs, as `event pull` prints them.")
    var ids: [String]

    @OptionGroup var options: ClientOptions

    func perform(on terminal: Terminal) async throws -> CommandStatus {
        try await options.withEvents { try await $0.acknowledge(ids) }
        return .done
    }
}
