import ArgumentParser

/// Used by `Scripts/install`, so that making the manual pages needs no other tool and no second build.
struct ManualCommand: Command {
    static let page = HelpPage(
        name: "manual",
        abstract: "Print a manual page in the format of man(7).",
        example: "widgetbridge manual | man -l -",
        exits: [(.done, "printed"), (.usage, "wrong usage")]
    )

    static var configuration: CommandConfiguration {
        var configuration = page.configuration()
        configuration.shouldDisplay = false
        return configuration
    }

    @Argument(
        help: """
            `widgetbridge` for the program, `widgetbridge.yaml` for configuration and profiles, \
            `widgetbridge-scenario` for scenarios of the race lab.
            """
    )
    var name = ManualPageName.widgetbridge

    func perform(on terminal: Terminal) async throws -> CommandStatus {
        terminal.print(try name.page().roff)
        return .done
    }
}

extension ManualPageName: ExpressibleByArgument {}
