import ArgumentParser

/// What `--help` says beside the options: one example, and last what the exit status means.
struct HelpPage {
    var name: String
    var abstract: String
    /// In lines of at most 80 columns.
    var discussion = ""
    var example: String
    var exits: [Exit]

    typealias Exit = (status: CommandStatus, meaning: String)

    /// The parser would put a discussion before the options; the footer is set behind them (`Program.help`).
    func configuration(
        version: String = "",
        subcommands: [any ParsableCommand.Type] = []
    ) -> CommandConfiguration {
        CommandConfiguration(
            commandName: name,
            abstract: abstract,
            version: version,
            subcommands: subcommands
        )
    }

    var footer: String {
        let lines = exits.map { "  \($0.status.rawValue)".padded(to: 6) + $0.meaning }
        let discussion = discussion.isEmpty ? "" : discussion + "\n\n"
        return discussion + "EXAMPLE:\n  \(example)\n\nEXIT STATUS:\n" + lines.joined(separator: "\n")
    }
}

/// A command with a page of its own.
protocol DocumentedCommand: ParsableCommand {
    static var page: HelpPage { get }
}

extension DocumentedCommand {
    static var configuration: CommandConfiguration { page.configuration() }
}
