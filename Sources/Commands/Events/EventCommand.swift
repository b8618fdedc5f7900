import ArgumentParser

struct EventCommand: CommandWithSubcommands {
    static let page = HelpPage(
        name: "event",
        abstract: "Pass what a user does on a widget to the app: kept until the app acknowledges it.",
        discussion: """
            The app gets an event at least once, also if neither the app nor an agent runs
            when it is pushed, and whichever process is killed. The queue is in the state
            directory.
            """,
        example: #"widgetbridge event push HabitWidget toggle --data '{"id":7}' --state ~/state"#,
        exits: [
            (.done, "done"), (.failed, "error, or the queue is full"),
            (.needsDecision, "another event has the ID (push)"), (.usage, "wrong usage"),
        ]
    )

    static let configuration = page.configuration(
        subcommands: [
            EventPushCommand.self, EventPullCommand.self, EventAckCommand.self, EventListCommand.self,
        ]
    )
}
