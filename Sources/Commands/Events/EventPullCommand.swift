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
        let request = EventRequest(limit: limit?.value, waits: wait)
        var events: [QueuedEvent]
        // An agent that ends answers that there is none.
        repeat {
            events = try await options.withEvents { try await $0.events(request) }
        } while wait && events.isEmpty
        terminal.print(events.map { "\($0.json)\n" }.joined())
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
        let events = try await options.withEvents { try await $0.events(EventRequest()) }
        let printer = TextPrinter(usesColour: terminal.usesColour, columns: terminal.columns)
        let lines = events.map { json ? "\($0.json)\n" : $0.line(printer) }
        terminal.print(lines.isEmpty && !json ? "no events\n" : lines.joined())
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
