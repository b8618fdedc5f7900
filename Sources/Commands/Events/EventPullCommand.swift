import AgentAPI
import ArgumentParser
import BridgeRuntime
import StateStore

struct EventPullCommand: BridgeCommand {
    static let page = HelpPage(
        name: "pull",
        abstract: "Print all events that are not acknowledged, oldest first, one JSON object on a line.",
        discussion: """
            It prints them again every time until `event ack` has acknowledged them: an app
            that ends before it has dealt with an event gets it again.
            """,
        example: "widgetbridge event pull --wait --state ~/state",
        exits: [(.done, "printed, or there is none"), (.failed, "error"), (.usage, "wrong usage")]
    )

    @Flag(help: "If there is none, wait for one.")
    var wait = false

    @Option(help: "Print at most this many.", transform: PositiveNumber.parsed)
    var limit: PositiveNumber?

    @OptionGroup var options: ClientOptions

    func perform(on terminal: Terminal) async throws -> CommandStatus {
        var isEmpty = true
        // An agent that ends answers that there is none.
        repeat {
            try await options.forEachPage(of: EventRequest(limit: limit?.value, waits: wait)) { events in
                isEmpty = false
                terminal.print(events.map { "\($0.json)\n" }.joined())
            }
        } while wait && isEmpty
        return .done
    }
}

struct EventListCommand: BridgeCommand {
    static let page = HelpPage(
        name: "list",
        abstract: "List the events that wait for the app.",
        example: "widgetbridge event list --state ~/state",
        exits: [(.done, "listed"), (.failed, "error"), (.usage, "wrong usage")]
    )

    @OptionGroup var options: ClientOptions

    @Flag(help: "Print one JSON object for each event.")
    var json = false

    func perform(on terminal: Terminal) async throws -> CommandStatus {
        let printer = TextPrinter(usesColour: terminal.usesColour, columns: terminal.columns)
        var isEmpty = true
        try await options.forEachPage(of: EventRequest()) { events in
            isEmpty = false
            terminal.print(events.map { json ? "\($0.json)\n" : $0.line(printer) }.joined())
        }
        if isEmpty, !json { terminal.print("no events\n") }
        return .done
    }
}

extension QueuedEvent {
    fileprivate func line(_ printer: TextPrinter) -> String {
        let parts = [id, LocalTime.text(at), kind, name, data ?? ""]
        return printer.layout.row(parts.map { Layout.Part(text: $0.withoutControls) }).map { "\($0)\n" }
            .joined()
    }
}
