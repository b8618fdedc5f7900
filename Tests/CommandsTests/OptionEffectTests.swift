import ArgumentParser
import Documents
import Foundation
import TestWorld
import Testing

@testable import Commands

/// A command takes only the options that change something it reads: with each of them it comes to something
/// else than without, beside an agent or without one.
@Suite(.timeLimit(.minutes(10))) struct OptionEffectTests {
    /// The words of each command for bridges, with what it cannot do without.
    private static let calls: [String: [String]] = [
        "sync": ["--dry-run"], "wait": [], "status": [], "why": ["budget.json"], "diff": ["budget.json"],
        "history": [],
        "conflicts": [], "undo": ["1"], "allow": ["1"], "pause": [], "resume": [], "get": ["budget.json"],
        "put": ["budget.json"],
        "delete": ["none.json"], "move": ["none.json", "--from", "app", "--to", "group", "--dry-run"],
        "subscribe": ["--count", "1"], "event push": ["K", "tap"], "event pull": [], "event ack": ["1"],
        "event list": [], "migrate status": [], "migrate plan": [],
        "migrate apply": ["--dry-run"], "migrate verify": [], "migrate rollback": [], "migrate finish": [],
        "migrate history": [], "reloads show": [], "reloads simulate": ["--from-history"],
        "widget add": ["BudgetWidget", "small"],
        "widget list": [], "widget remove": ["w1"], "app-state": ["foreground"],
    ]

    /// Other values than the agent has.
    private static func values(_ bridge: RealBridge) -> [String: [String]] {
        [
            "app": ["\(bridge.root)/other"], "group": ["\(bridge.root)/other"],
            "state": ["\(bridge.root)/other"], "profile": ["todo"], "config": ["\(bridge.root)/none.yaml"],
            "bridge": ["other"], "change-profile": [], "app-version": ["1"], "group-version": ["1"],
            "stores": ["ios"], "app-stores": ["ios"], "group-stores": ["ios"],
            "durability": ["file"], "commit": ["rename"], "max-document": ["1MiB"], "max-depth": ["9"],
            "max-directories": ["9"],
            "include": ["x*"], "exclude": ["x*"],
            "guard-last-document": [], "halt-threshold": ["9%"], "max-trash": ["1MiB"], "trash-age": ["9m"],
        ]
    }

    /// Those of bridges, but for the agent, which does not end by itself.
    private static var commands: [(words: String, type: any ParsableCommand.Type)] {
        WidgetBridgeCommand.leaves.filter {
            $0.type != AgentCommand.self
                && ($0.type is any BridgeCommand.Type || $0.type is any FilesCommand.Type)
        }
    }

    /// A simulation takes only the options that name its bridge.
    private static func compared(by words: String) -> [String] {
        words == "reloads simulate" ? ["group"] : ["durability", "max-trash"]
    }

    private static func options(of type: any ParsableArguments.Type) throws -> [String] {
        try DescribedArgument.all(of: type).filter { $0.kind != .positional }.compactMap {
            $0.preferredName?.name
        }
    }

    @Test func `Every option of a bridge is compared with what its agent has`() async throws {
        try await RealBridge.withAgent("--profile", "budget") { bridge in
            try FileManager.default.createDirectory(
                atPath: "\(bridge.root)/other",
                withIntermediateDirectories: false
            )
            try bridge.save("{}", as: "a.json", in: bridge.app)
            let values = Self.values(bridge)
            let given = [
                ("app", bridge.app), ("group", bridge.group), ("state", bridge.state), ("profile", "budget"),
            ]
            for (words, type) in Self.commands {
                let call = try #require(Self.calls[words], "of \(words) no call is known")
                let start = words.split(separator: " ").map(String.init) + call
                // Each group of options is one type for all commands: `delete` shows that every option is
                // compared, the others that the command has the group. Of the log there is a test of its own.
                let compared = try Self.options(of: type).filter { option in
                    words == "delete"
                        ? option != "log-level" && values[option] != nil
                        : Self.compared(by: words).contains(option)
                }
                #expect(!compared.isEmpty)
                for option in compared {
                    let value = try #require(values[option], "of --\(option) no value is known")
                    let others = given.filter { $0.0 != option }.flatMap { ["--\($0.0)", $0.1] }
                    let arguments = start + others + ["--\(option)"] + value
                    let ended = try await Binary.run(arguments, input: "{}")
                    let expected: Int32 = ["state", "config"].contains(option) ? 1 : 64
                    #expect(ended.status == expected, "\(words) --\(option): \(ended)")
                    if words == "delete" { continue }
                    let differs =
                        option == "group" ? "syncs another group container" : "runs with another --\(option)"
                    let line = "the agent on this socket \(differs), "
                    #expect(ended.errors.contains(line), "\(words) --\(option): \(ended)")
                }
            }
        }
    }

    @Test func `Every command that takes a level of its log has something to log`() async throws {
        try await RealBridge.with { bridge in
            try bridge.save("{}", as: "a.json", in: bridge.app)
            #expect(try await bridge.run("sync").status == 0)
            // `wait`, `subscribe` and `event` open no bridge themselves.
            for (words, type) in Self.commands
            where !["wait", "subscribe"].contains(words) && !words.hasPrefix("event ") {
                #expect(try Self.options(of: type).contains("log-level"))
                let call = try #require(Self.calls[words], "of \(words) no call is known")
                let start = words.split(separator: " ").map(String.init) + call + bridge.flags
                let ended = try await [[], ["--log-level", "critical"]].asyncMap { level in
                    try write("", to: "\(bridge.state)/journal.damaged")
                    return try await Binary.run(start + ["--profile", "budget", "--change-profile"] + level)
                }
                #expect(ended[0].errors.contains("the journal is damaged"), "\(words): \(ended[0])")
                #expect(!ended[1].errors.contains("the journal is damaged"), "\(words): \(ended[1])")
            }
        }
    }

    @Test func `What the agent is told is in the settings of its bridges`() throws {
        let places = ["--app", "/app", "--group", "/group"]
        var values = Self.values(RealBridge(root: "/root"))
        values.merge(["rescan": ["9s"], "polling": [], "log-level": ["debug"]]) { $1 }
        func served(_ flags: [String]) throws -> String {
            let options = try AgentOptions.parse(flags + places)
            return "\(try options.servedBridges(listen: nil, tokenFile: nil))"
        }
        for option in try Self.options(of: AgentOptions.self)
        where !["config", "bridge", "app", "group"].contains(option) {
            let value = try #require(values[option], "of --\(option) no value is known")
            // Only a profile says what the stores of an app are.
            let profile = option.hasSuffix("stores") ? ["--profile", "budget"] : []
            #expect(try served(profile + ["--\(option)"] + value) != served(profile), "--\(option)")
        }
    }

    // MARK: Migrations

    @Test func `A side and a version change what is migrated`() async throws {
        try await RealBridge.with { bridge in
            try bridge.save(RealBridge.oldBudget, as: "budget.json", in: bridge.app)
            let bridgeFlags = bridge.places + ["--profile", "budget"]
            func migrate(_ words: String) async throws -> Binary.Ended {
                try await Binary.run(["migrate"] + words.split(separator: " ").map(String.init) + bridgeFlags)
            }
            _ = try await Binary.run(["sync"] + bridgeFlags)
            for action in ["status", "plan", "verify", "apply --dry-run"] {
                let plain = try await migrate(action)
                for option in ["--side group", "--to 1"] {
                    let ended = try await migrate("\(action) \(option)")
                    #expect(ended.status != 64 && ended != plain, "\(action) \(option): \(ended)")
                }
            }
            // Only the app's document is migrated.
            for action in ["history", "rollback", "finish"] {
                if action != "rollback" { #expect(try await migrate("apply").status == 0) }
                let other = try await migrate("\(action) --side group")
                let plain = try await migrate(action)
                #expect(other.status == 0 && plain.status == 0 && other != plain, "\(action)")
            }
        }
    }

    @Test(arguments: ["status", "plan", "apply", "verify", "rollback", "finish", "history"])
    func `A file of another name is one of the profile's documents`(_ action: String) async throws {
        try await withDirectory { directory in
            try write(RealBridge.oldBudget, to: "\(directory)/old.json")
            let profile = try twoDocuments(in: directory)
            let flags = ["\(directory)/old.json", "--profile", profile, "--state", "\(directory)/state"]
            let plain = await run(["migrate", action] + flags)
            let named = await run(["migrate", action] + flags + ["--document", "one.json"])
            #expect(plain.status == .usage && named.status != .usage, "\(action): \(plain), \(named)")
        }
    }

    private func twoDocuments(in directory: String) throws -> String {
        let path = "\(directory)/two.yaml"
        let rule = "{version: {field: version}, versions: {1: {schema: {type: object}}}}"
        try write("profile: two\ndocuments:\n  one.json: \(rule)\n  two.json: \(rule)\n", to: path)
        return path
    }

    @Test(arguments: [
        ["--side", "group"], ["--bridge", "b"], ["--change-profile"], ["--app-version", "1"],
        ["--group-version", "1"], ["--include", "x*"], ["--exclude", "x*"], ["--guard-last-document"],
        ["--halt-threshold", "9%"],
    ])
    func `An option of a bridge is refused for files`(_ option: [String]) async throws {
        try await withDirectory { directory in
            let container = "\(directory)/app"
            try FileManager.default.createDirectory(atPath: container, withIntermediateDirectories: false)
            try write(RealBridge.oldBudget, to: "\(container)/budget.json")
            let flags = ["--profile", "budget", "--state", "\(directory)/state"]
            let named = [
                (["\(container)/budget.json"], "files are migrated"),
                (["--app", container], "only one container is named"),
            ]
            for (files, what) in named {
                let ended = await run(["migrate", "plan"] + files + flags + option)
                #expect(ended.status == .usage, "\(files): \(ended)")
                #expect(ended.errors.contains("\(option[0]) is for a bridge, and \(what); "), "\(ended)")
            }
            guard option[0] == "--side" else { return }
            let own = await run(["migrate", "plan", "--app", container, "--side", "app"] + flags)
            #expect(own.status == .changesPending, "\(own)")
        }
    }

    // MARK: Others

    @Test(arguments: [
        (["get", "a.json", "--polling"], "get", "--polling", "`agent`"),
        // The value is one argument too many.
        (["get", "a.json", "--rescan", "5s"], "get", "--rescan", "`agent`"),
        (["wait", "--halt-threshold=5%"], "wait", "--halt-threshold", "`agent`, `sync`, `status` and "),
        (
            ["migrate", "rollback", "--to", "2"], "migrate rollback", "--to",
            "`migrate status`, `migrate plan`, `migrate apply`, `migrate verify`"
        ),
        // The value is refused before the option.
        (["manual", "--app", "x"], "manual", "--app", "`init`, `agent`, `sync` and "),
        (["conflicts", "resolve", "1", "--since", "2"], "conflicts", "--since", "`history`, `subscribe`"),
        (["--app", "x"], "widgetbridge", "--app", "`init`, `agent`, `sync` and "),
    ])
    func `An option of other commands is refused with their names`(
        _ arguments: [String],
        _ command: String,
        _ option: String,
        _ takers: String
    ) async {
        let ended = await run(arguments)
        let line = "`\(command)` does not take \(option), which is an option of \(takers)"
        #expect(ended.status == .usage && ended.output.isEmpty)
        #expect(ended.errors.hasPrefix("widgetbridge: \(line)"), "\(ended)")
        let whole = command == "widgetbridge" ? command : "widgetbridge \(command)"
        #expect(ended.errors.hasSuffix("; see `\(whole) --help`\n"), "\(ended)")
        #expect(ended.errors.split(separator: "\n").count == 1)
    }

    @Test func `No command takes an option of another one in silence`() throws {
        let known = Set(WidgetBridgeCommand.leaves.flatMap { WidgetBridgeCommand.options(of: $0.type) })
        #expect(known.count > 60)
        for (place, command) in WidgetBridgeCommand.leaves.enumerated() {
            let foreign = known.subtracting(WidgetBridgeCommand.options(of: command.type)).sorted()
            // Not all of them: each command with one or two, and nearly every option at some command.
            for option in foreign.enumerated().filter({ $0.offset % 64 == place }).map(\.element) {
                let refused = WidgetBridgeCommand.foreignOption(
                    in: [option, "1"],
                    of: command.type,
                    command.words
                )
                if ["wait", "subscribe"].contains(command.words), option == "--change-profile" {
                    #expect(refused == .agentKeepsProfile)
                    continue
                }
                guard case .foreignOption(option, command: command.words, let takers)? = refused else {
                    Issue.record("\(command.words) \(option): \(String(describing: refused))")
                    continue
                }
                #expect(!takers.isEmpty && !takers.contains(command.words))
            }
        }
    }

    @Test func `The property of every option is used`() throws {
        let directory = URL(filePath: #filePath).appending(path: "../../../Sources/Commands").standardized
        var uses: [String: Int] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: directory.path)
        where name.hasSuffix(".swift") {
            let bytes = [UInt8](try Data(contentsOf: directory.appending(path: name)))
            for word in bytes.split(whereSeparator: { !$0.isLetter && !$0.isDigit }) {
                uses[String(decoding: word, as: UTF8.self), default: 0] += 1
            }
        }
        let options = Set(WidgetBridgeCommand.leaves.flatMap { WidgetBridgeCommand.options(of: $0.type) })
        for option in options {
            let words = option.split(separator: "-")
            let property = words.prefix(1) + words.dropFirst().map { $0.capitalized[...] }
            // Its declaration is the first.
            #expect(uses[property.joined(), default: 0] > 1, "\(option)")
        }
    }
}

extension Array {
    fileprivate func asyncMap<Result>(_ body: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await body(element)) }
        return results
    }
}
