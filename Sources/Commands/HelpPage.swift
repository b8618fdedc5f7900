import ArgumentParser

/// The parts of `--help` around the list of options: the description, an example and the exit statuses.
struct HelpPage {
    var name: String
    var abstract: String
    /// Has lines of at most 80 columns.
    var discussion = ""
    var example: String
    var exits: [Exit]
    /// The exit status if the result cannot be printed: another one than 1 where 1 is a verdict on the input.
    var unprinted = CommandStatus.failed

    typealias Exit = (status: CommandStatus, meaning: String)

    /// The parser would print a discussion before the options; `Program.help` adds the footer after them.
    func configuration(
        version: String = "",
        subcommands: [any ParsableCommand.Type] = [],
        defaultSubcommand: (any ParsableCommand.Type)? = nil
    ) -> CommandConfiguration {
        CommandConfiguration(
            commandName: name,
            abstract: abstract,
            version: version,
            subcommands: subcommands,
            defaultSubcommand: defaultSubcommand
        )
    }

    /// The example stays whole, since it is copied.
    func footer(_ layout: Layout = Layout()) -> String {
        let lines = exits.flatMap { layout.wrapped("  \($0.status.rawValue)".padded(to: 6), $0.meaning) }
        let discussion = discussion.isEmpty ? "" : discussion + "\n\n"
        return discussion + "EXAMPLE:\n  \(example)\n\nEXIT STATUS:\n" + lines.joined(separator: "\n")
    }
}

/// A command that has a help page.
protocol DocumentedCommand: ParsableCommand {
    static var page: HelpPage { get }
}

extension DocumentedCommand {
    static var configuration: CommandConfiguration { page.configuration() }
}
