import Model

/// Builds command lines for advice texts, ready to be pasted into a shell, for the bridge of the text.
struct CommandHint: Hashable, Sendable {
    /// The options that name the bridge, and those that each of its commands takes.
    var options: [String] = []
    /// What a command that only reads does not take.
    var safety: [String] = []
    /// What only the agent takes.
    var watching: [String] = []
    /// The bridge's name, if the configuration has several.
    var bridge: String?
    /// Whether the options name the containers, so that an agent can be started with them.
    var namesContainers = true
    /// What is migrated.
    var migration: [String] = []
    /// To which version: for the commands that plan that.
    var version: [String] = []
    /// The files that are migrated. A text names them only if they are few.
    var files: [String] = []

    private static let mostFiles = 8

    func of(bridge name: String?) -> CommandHint {
        var hint = self
        hint.bridge = name ?? bridge
        return hint
    }

    /// - Parameter command: one or more words.
    func callAsFunction(_ command: String, _ arguments: String...) -> String {
        line(command, arguments, [])
    }

    func migrate(_ action: String) -> String {
        let command = "migrate \(action)"
        if files.count > Self.mostFiles { return "`\(command)` of the same files" }
        let isVersioned = WidgetBridgeCommand.command(named: command) is any VersionedCommand.Type
        return line(command, files, (isVersioned ? version : []) + migration)
    }

    /// Adds options that only this command has.
    func line(_ command: String, _ options: [String]) -> String { line(command, [], options) }

    private func line(_ command: String, _ arguments: [String], _ more: [String]) -> String {
        let options = more + options(for: command) + Self.option("--bridge", bridge)
        // After `--` nothing is parsed as an option.
        let rest =
            arguments.contains { $0.hasPrefix("-") } ? options + ["--"] + arguments : arguments + options
        return "`\((["widgetbridge", command] + rest.map(\.quotedForShell)).joined(separator: " "))`"
    }

    private func options(for command: String) -> [String] {
        let type = WidgetBridgeCommand.command(named: command)
        let isAgent = type == AgentCommand.self
        let isWriter =
            type is any FilesCommand.Type || isAgent
            || (type as? any BridgeCommand.Type)?.takes(WriterOptions.self) == true
        return options + (isWriter ? safety : []) + (isAgent ? watching : [])
    }

    /// A file whose name begins with a hyphen is no option; the hyphen alone is standard input.
    static func argument(_ file: String) -> String {
        file.hasPrefix("-") && file != "-" ? "./\(file)" : file
    }

    /// After an equals sign, a value may begin with a hyphen.
    static func option(_ name: String, _ value: String?) -> [String] {
        guard let value else { return [] }
        return value.hasPrefix("-") ? ["\(name)=\(value)"] : [name, value]
    }
}

extension String {
    /// Quotes the text as one word for a shell. Control characters are escaped in the form that bash, zsh and
    /// POSIX 2024 read; so is the backtick, because it ends a command in our texts.
    var quotedForShell: String {
        let plain = { (scalar: Unicode.Scalar) in
            scalar.properties.isAlphabetic || "0123456789_-+:,./@%".unicodeScalars.contains(scalar)
        }
        if !isEmpty, unicodeScalars.allSatisfy(plain) { return self }
        let isPrintable = unicodeScalars.allSatisfy {
            $0 != "'" && $0 != "`" && !$0.isControl
        }
        if isPrintable { return "'\(self)'" }
        let escaped = unicodeScalars.map { scalar in
            switch scalar {
            case "'", "\\": return "\\\(scalar)"
            case "`": return "\\140"
            case _ where scalar.isControl:
                return String(scalar).utf8.map { "\\\($0.octal)" }.joined()
            default: return String(scalar)
            }
        }
        return "$'\(escaped.joined())'"
    }
}

extension UInt8 {
    fileprivate var octal: String {
        let digits = String(self, radix: 8)
        return String(repeating: "0", count: 3 - digits.count) + digits
    }
}
