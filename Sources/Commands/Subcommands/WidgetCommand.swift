import ArgumentParser
import BridgeRuntime
import SyncEngine

struct WidgetCommand: CommandWithSubcommands {
    static let page = HelpPage(
        name: "widget",
        abstract: "Place widgets as on a home screen: the reloads of their kinds have a budget.",
        example: "widgetbridge widget add BudgetWidget systemSmall --app ~/app --group ~/group",
        exits: [(.done, "done"), (.failed, "error"), (.usage, "wrong usage")]
    )

    static let configuration = page.configuration(
        subcommands: [WidgetAddCommand.self, WidgetListCommand.self, WidgetRemoveCommand.self]
    )
}

struct WidgetAddCommand: ReportingCommand, BridgeCommand {
    static let page = HelpPage(
        name: "add",
        abstract: "Place a widget, and print its ID.",
        discussion: """
            From then on a reload of its kind needs one of the widget's slots, 40 within 24
            hours unless the profile says otherwise, and waits if there is none, as it does
            for the other widgets of its kind: all of them reload together. The widget also
            asks for reloads by itself, as often as the profile says.
            """,
        example: "widgetbridge widget add BudgetWidget systemSmall --app ~/app --group ~/group",
        exits: [
            (.done, "placed"), (.failed, "error"),
            (.undecided, "it is placed, but its ID cannot be printed"),
            (.usage, "wrong usage, or an unknown kind or family"),
        ],
        unprinted: .undecided
    )

    @Argument(
        help: "A kind of the profile; without a profile, a document's name.",
        completion: .kinds
    )
    var kind: String

    @Argument(help: "The size: one that the profile lists for the kind, such as `systemSmall`, or `small`.")
    var family: String

    @OptionGroup var options: ReaderOptions

    @Flag(help: "Print a JSON object.")
    var json = false

    func outcome(on terminal: Terminal) async throws -> Outcome {
        let bridge = try options.onlyBridge()
        let widget = try await withBridge(bridge.settings, options.logger, on: terminal) {
            try await $0.placeWidget(kind, family: family)
        }
        return Outcome(report: .widget(widget, text: widget.id))
    }
}

struct WidgetListCommand: ReportingCommand, BridgeCommand {
    static let page = HelpPage(
        name: "list",
        abstract: "List the placed widgets.",
        example: "widgetbridge widget list --app ~/app --group ~/group",
        exits: [(.done, "shown"), (.failed, "error"), (.usage, "wrong usage")]
    )

    @OptionGroup var options: ReaderOptions

    @Flag(help: "Print one JSON object for each widget.")
    var json = false

    func outcome(on terminal: Terminal) async throws -> Outcome {
        let bridge = try options.onlyBridge()
        let widgets = try await withBridge(bridge.settings, options.logger, on: terminal, toLook: true) {
            try await $0.widgets()
        }
        return Outcome(report: .widgets(widgets))
    }
}

struct WidgetRemoveCommand: ReportingCommand, BridgeCommand {
    static let page = HelpPage(
        name: "remove",
        abstract: "Remove a placed widget; its slots no longer count.",
        example: "widgetbridge widget remove w1 --app ~/app --group ~/group",
        exits: [(.done, "removed"), (.failed, "error, or no such widget"), (.usage, "wrong usage")]
    )

    @Argument(help: "The ID that `widget list` shows.", completion: .widgetIDs)
    var id: String

    @OptionGroup var options: ReaderOptions

    @Flag(help: "Print the removed widget as a JSON object.")
    var json = false

    func outcome(on terminal: Terminal) async throws -> Outcome {
        let bridge = try options.onlyBridge()
        let removed = try await withBridge(bridge.settings, options.logger, on: terminal) {
            try await $0.removeWidget(id)
        }
        return Outcome(
            report: .widget(removed, text: "removed \(removed.id): \(removed.kind), \(removed.family)")
        )
    }
}
