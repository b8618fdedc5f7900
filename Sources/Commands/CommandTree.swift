import ArgumentParser

/// Which commands there are, and which options they take.
extension WidgetBridgeCommand {
    /// The command with these words, such as `migrate plan`; `nil` if there is none.
    static func command(named words: String) -> (any ParsableCommand.Type)? {
        words.split(separator: " ").reduce(WidgetBridgeCommand.self as (any ParsableCommand.Type)?) {
            type,
            word in
            type?.configuration.subcommands.first { $0._commandName == word }
        }
    }

    /// All that do something themselves, each by its words.
    static var leaves: [(words: String, type: any ParsableCommand.Type)] {
        func leaves(below type: any ParsableCommand.Type, _ words: [String])
            -> [(words: String, type: any ParsableCommand.Type)]
        {
            let subcommands = type.configuration.subcommands
            if subcommands.isEmpty { return [(words.joined(separator: " "), type)] }
            return subcommands.flatMap { leaves(below: $0, words + [$0._commandName]) }
        }
        return leaves(below: WidgetBridgeCommand.self, [])
    }

    /// The error of a command line that `type` refuses, if its cause is an option of other commands.
    static func foreignOption(in arguments: [String], of type: any ParsableCommand.Type, _ name: String)
        -> UsageError?
    {
        let given = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }
            .map { String($0.prefix { $0 != "=" }) }
        let own = options(of: type)
        let foreign = given.filter { !own.contains($0) }
        if foreign.isEmpty { return nil }
        for option in foreign {
            let takers = optionsOfLeaves.filter { $0.options.contains(option) }.map(\.words)
            if takers.isEmpty { continue }
            // The same word may mean something else in another group of commands.
            let group = name.split(separator: " ").dropFirst().first.map { "\($0) " } ?? ""
            let near = takers.filter { !group.isEmpty && $0.hasPrefix(group) }
            let asksAgent = (type as? any BridgeCommand.Type)?.takes(ClientOptions.self) == true
            if asksAgent, option == "--change-profile" { return .agentKeepsProfile }
            return .foreignOption(option, command: name, takers: near.isEmpty ? takers : near)
        }
        return nil
    }

    private static let optionsOfLeaves = leaves.map { (words: $0.words, options: options(of: $0.type)) }

    /// With their hyphens.
    static func options(of type: any ParsableCommand.Type) -> Set<String> {
        let arguments = (try? DescribedArgument.all(of: type)) ?? []
        return Set(arguments.flatMap { $0.names ?? [] }.map { "--\($0.name)" })
    }
}
