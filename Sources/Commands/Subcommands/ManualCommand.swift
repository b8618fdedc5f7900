import ArgumentParser

/// For `Scripts/install`: no other tool is needed to make the manual page, nor a second build.
struct ManualCommand: Command {
    static let page = HelpPage(
        name: "manual",
        abstract: "Print the manual page, as man(7) takes it.",
        example: "widgetbridge manual > widgetbridge.1",
        exits: [(.done, "printed"), (.usage, "wrong usage")]
    )

    static var configuration: CommandConfiguration {
        var configuration = page.configuration()
        configuration.shouldDisplay = false
        return configuration
    }

    func perform(on terminal: Terminal) async throws -> CommandStatus {
        terminal.print(Self.text)
        return .done
    }

    /// The help of every command, in the order of the list.
    static var text: String {
        let page = WidgetBridgeCommand.page
        let head = """
            .TH \(page.name.uppercased()) 1 "" "\(page.name) \(WidgetBridgeCommand.configuration.version)"
            .SH NAME
            \(page.name) \\- \(page.abstract)

            """
        return head + sections(of: WidgetBridgeCommand.self, named: page.name)
    }

    private static func sections(of type: any ParsableCommand.Type, named name: String) -> String {
        let help = Program.help(for: CleanExit.helpRequest(type))
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false).map { literal($0) }
        let section = ".SH \(name.uppercased())\n.nf\n" + lines.joined(separator: "\n") + "\n.fi\n"
        let shown = type.configuration.subcommands.filter { $0.configuration.shouldDisplay }
        return shown.reduce(section) { $0 + sections(of: $1, named: "\(name) \($1._commandName)") }
    }

    /// A line that troff prints as it is.
    private static func literal(_ line: Substring) -> String {
        let text = String(line).replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
    }
}
