import AgentAPI
import ArgumentParser
import BridgeRuntime
import StateStore

struct EventPushCommand: BridgeCommand {
    static let page = HelpPage(
        name: "push",
        abstract: "Queue an event for the app, and print its ID once it is on the disk.",
        discussion: """
            Pushed again with its --id, an event is queued once: a widget that cannot tell
            whether it was queued pushes it again. An ID is remembered until 30 days after
            the app has acknowledged it.

            If the profile has deep links, an event's link must be one of them: its name, if
            that has a `:`, or the member `url` of its data, which must be text then, or
            null. In the profile, `{…}` is any component of a link. The query and the
            fragment of a link may be any.
            """,
        example: #"widgetbridge event push HabitWidget toggle --data '{"id":7}' --state ~/state"#,
        exits: [
            (.done, "on the disk, or it was already"),
            (.failed, "error, or the queue is full; nothing was queued"),
            (.undecided, "it is queued, but its ID cannot be printed"),
            (.needsDecision, "another event has the ID; nothing was queued"), (.usage, "wrong usage"),
        ],
        unprinted: .undecided
    )

    @Argument(help: "The widget's kind.")
    var kind: String

    @Argument(help: "What was done, such as `toggle`, or a deep link.")
    var name: String

    @Option(
        help: ArgumentHelp("What belongs to it; `-` reads standard input.", valueName: "json")
    )
    var data: String?

    @Option(help: "The event's ID. (default: a new one)")
    var id: String?

    @OptionGroup var options: ClientOptions

    @Flag(help: "Print the event as a JSON object.")
    var json = false

    func perform(on terminal: Terminal) async throws -> CommandStatus {
        let most = EventRules().maxSize
        let bytes = try data.map { $0 == "-" ? try NamedFile("-", reading: most).bytes : Array($0.utf8) }
        let draft = EventDraft(id: id, kind: kind, name: name, data: bytes)
        let event = try await options.withEvents { try await $0.push(draft) }.event
        terminal.print(json ? "\(event.json)\n" : "\(event.id)\n")
        return .done
    }
}
