import ArgumentParser
import FoundationEssentials

/// An argument of a command, from the description that the parser prints for other programs.
struct DescribedArgument: Decodable, Hashable {
    enum Kind: String, Decodable {
        case positional, option, flag
    }

    struct Name: Decodable, Hashable {
        enum Kind: String, Decodable {
            case long, short, longWithSingleDash
        }

        var kind: Kind
        var name: String

        var word: String { kind == .long ? "`--\(name)`" : "`-\(name)`" }
    }

    var kind: Kind
    var shouldDisplay: Bool
    var isOptional: Bool
    var isRepeating: Bool
    var names: [Name]?
    var preferredName: Name?
    var valueName: String?
    var defaultValue: String?
    var allValues: [String]?
    var abstract: String?

    /// The arguments that the help shows, without `--version` and `--help`, which all commands have.
    static func all(of type: any ParsableArguments.Type) throws -> [DescribedArgument] {
        let description = try JSONDecoder().decode(Description.self, from: Data(type._dumpHelp().utf8))
        let common = ["version", "help"]
        return (description.command.arguments ?? []).filter {
            $0.shouldDisplay && !common.contains($0.preferredName?.name ?? "")
        }
    }

    private struct Description: Decodable {
        struct Command: Decodable {
            var arguments: [DescribedArgument]?
        }

        var command: Command
    }

    /// The form of the argument in a synopsis.
    var usage: String {
        let value = "<\(valueName ?? "value")>"
        let repeated = isRepeating ? " ..." : ""
        let word =
            switch kind {
            case .positional: value
            case .option: "\(preferredName?.word ?? "") \(value)"
            case .flag: preferredName?.word ?? ""
            }
        return isOptional ? "[\(word)\(repeated)]" : word + repeated
    }

    var term: ManualTerm {
        let words = (names ?? []).map(\.word).joined(separator: ", ")
        let value = kind == .flag ? "" : "<\(valueName ?? "value")>"
        let tag = [words, value].filter { !$0.isEmpty }.joined(separator: " ")
        let values = allValues.map { " One of \($0.map { "`\($0)`" }.joined(separator: ", "))." } ?? ""
        let standard = defaultValue.map { " Default: `\($0)`." } ?? ""
        return ManualTerm(tag, (abstract ?? "") + values + standard)
    }
}

/// Options of several commands that the manual explains once.
struct SharedOptions {
    var title: String
    var arguments: [DescribedArgument]

    static func all() throws -> [SharedOptions] {
        let bridge: [any ParsableArguments.Type] = [
            BridgeAddress.self, OpeningOptions.self, LogOptions.self,
        ]
        let all = try DescribedArgument.all(of: WriterOptions.self)
        let migration = try DescribedArgument.all(of: MigrateOptions.self).filter { !all.contains($0) }
        let race = [ScenarioOptions.self, StageOptions.self, RaceFiles.self] as [any ParsableArguments.Type]
        return [
            SharedOptions(title: "bridge options", arguments: try bridge.flatMap(DescribedArgument.all)),
            SharedOptions(
                title: "document options",
                arguments: try DescribedArgument.all(of: DocumentOptions.self)
            ),
            SharedOptions(
                title: "safety options",
                arguments: try DescribedArgument.all(of: SafetyOptions.self)
            ),
            SharedOptions(title: "migration options", arguments: migration),
            SharedOptions(title: "race options", arguments: try race.flatMap(DescribedArgument.all)),
            SharedOptions(
                title: "check options",
                arguments: try DescribedArgument.all(of: CheckOptions.self)
            ),
            SharedOptions(
                title: "store options",
                arguments: try DescribedArgument.all(of: StoreOptions.self).filter { $0.kind != .positional }
            ),
            SharedOptions(
                title: "limit options",
                arguments: try DescribedArgument.all(of: JSONLimitOptions.self)
            ),
        ]
    }
}

/// The section of the manual that describes all commands.
struct CommandReference {
    let shared: [SharedOptions]

    func blocks() throws -> [ManualBlock] {
        let root = WidgetBridgeCommand.page
        return try blocks(below: WidgetBridgeCommand.self, named: root.name, known: root.exits)
    }

    private func blocks(
        below type: any ParsableCommand.Type,
        named name: String,
        known: [HelpPage.Exit]
    ) throws -> [ManualBlock] {
        try type.configuration.subcommands.filter { $0.configuration.shouldDisplay }.flatMap { command in
            guard let documented = command as? any DocumentedCommand.Type else { return [] as [ManualBlock] }
            let page = documented.page
            let inner = "\(name) \(page.name)"
            let own = try blocks(of: command, page, named: inner, known: known)
            return try own + blocks(below: command, named: inner, known: known + page.exits)
        }
    }

    /// - Parameter known: the exit statuses that are explained already and have the same meaning here.
    private func blocks(
        of type: any ParsableCommand.Type,
        _ page: HelpPage,
        named name: String,
        known: [HelpPage.Exit]
    ) throws -> [ManualBlock] {
        let arguments = try DescribedArgument.all(of: type)
        // One equal option may be a coincidence.
        let used = shared.filter { $0.arguments.count(where: arguments.contains) > 1 }
        let groups = used.filter { Set($0.arguments).isSubset(of: arguments) }
        let elsewhere = used.filter { !Set($0.arguments).isSubset(of: arguments) }
        let own = arguments.filter { argument in !used.contains { $0.arguments.contains(argument) } }
        let exits = page.exits.filter { exit in
            !known.contains { $0.status == exit.status && $0.meaning == exit.meaning }
        }
        var blocks: [ManualBlock] = [.heading(name)]
        let isGroup = !type.configuration.subcommands.isEmpty
        let usage = isGroup ? "<command>" : usage(arguments, groups)
        blocks.append(.text(usage.isEmpty ? "`\(name)`" : "`\(name)` \(usage)"))
        blocks.append(.text(page.abstract))
        let discussion = page.discussion.split(separator: "\n\n")
        blocks += discussion.map { .text(String($0).replacing("\n", with: " ")) }
        if !own.isEmpty { blocks.append(.terms(own.map(\.term))) }
        for group in elsewhere {
            let words = group.arguments.filter(arguments.contains).map { $0.preferredName?.word ?? $0.usage }
            blocks.append(.text("\(words.joined(separator: ", ")): see <\(group.title)> below."))
        }
        blocks += [.text("Example:"), .code(page.example)]
        if !exits.isEmpty {
            let words = exits.map { "`\($0.status.rawValue)` \($0.meaning)" }.joined(separator: "; ")
            blocks.append(.text("Exit status: \(words)."))
        }
        return blocks
    }

    private func usage(_ arguments: [DescribedArgument], _ groups: [SharedOptions]) -> String {
        let hidden = Set(groups.flatMap(\.arguments).filter { $0.kind != .positional })
        let options = arguments.filter { $0.kind != .positional && !hidden.contains($0) }
        let words =
            options.map(\.usage) + groups.map { "[<\($0.title)>]" }
            + arguments.filter { $0.kind == .positional }.map(\.usage)
        return words.joined(separator: " ")
    }
}
