import ArgumentParser
import BridgeRuntime
import Documents
import FoundationEssentials
import Glibc
import Model

struct InitCommand: Command {
    static let page = HelpPage(
        name: "init",
        abstract: "Write a commented configuration, or add a bridge to one, and create its containers.",
        discussion: """
            It asks nothing. Without --bridge it changes no file that is there. Paths are
            written as they are given; in a configuration they are relative to its
            directory.
            """,
        example: "widgetbridge init --app ~/app --group ~/group --profile budget",
        exits: [
            (.done, "written"), (.failed, "error, or there is a configuration already"),
            (.usage, "wrong usage"),
        ]
    )

    @Option(
        help: "Directory of the app's container. (default: app, or NAME/app with --bridge NAME)",
        completion: .directory
    )
    var app: String?

    @Option(
        help: "Directory of the App Group container. (default: group, or NAME/group)",
        completion: .directory
    )
    var group: String?

    @Option(
        help: ArgumentHelp(
            "Add this bridge to the configuration, or write one with it.",
            valueName: "name"
        )
    )
    var bridge: String?

    @Option(
        help: "Profile that describes the documents: the name of a built-in one, or a file.",
        completion: .file()
    )
    var profile: String?

    @Option(help: "Configuration file to write.", completion: .file(extensions: ["yaml", "yml"]))
    var config = ConfigurationSearch.name

    func perform(on terminal: Terminal) async throws -> CommandStatus {
        let exists = unsafe access(config, F_OK) == 0
        let text: String
        if exists {
            guard let bridge else { throw UsageError.configurationExists(config) }
            text = try added(bridge).text(adding: bridge, to: NamedFile(config).text(), file: config)
        } else {
            text = template.text
        }
        // The written file must be one that the agent accepts.
        let entries = try Configuration(yaml: text, file: config).entries
        let entry = entries.first { $0.name == bridge }
        // As every other path, it is relative to the configuration.
        if let profile = entry?.settings.profile {
            _ = try NamedProfile(profile, at: "--profile").profile()
        }
        if let nested = nestedContainers(entry?.settings) { throw nested }
        let made = try entry.map { try makeContainers(of: $0.settings) } ?? []
        if let slash = config.lastIndex(of: "/") { _ = try make(String(config[..<slash])) }
        try NamedFile.write(Array(text.utf8), to: config)
        for directory in made { terminal.print("created \(directory.withoutControls)\n") }
        terminal.print("\(exists ? "changed" : "created") \(config.withoutControls)\n")
        let agent = CommandHint.option("--config", config == ConfigurationSearch.name ? nil : config)
        let command = (["widgetbridge", "agent"] + agent).joined(separator: " ")
        let next = Layout(columns: terminal.columns).lines(
            "Next: `\(command)` keeps the two containers in sync."
        )
        if profile == nil {
            let lines = Layout(columns: terminal.columns).lines("No profile: \(BridgeSettings.allCrosses).")
            terminal.print("\n" + lines.map { "\($0)\n" }.joined())
        }
        terminal.print("\n" + next.map { "\($0)\n" }.joined())
        return .done
    }

    private var template: ConfigurationTemplate {
        let directory = bridge.map { $0 + "/" } ?? ""
        return ConfigurationTemplate(
            bridge: bridge,
            app: app ?? directory + "app",
            group: group ?? directory + "group",
            profile: profile
        )
    }

    private func added(_ bridge: String) -> ConfigurationAddition {
        ConfigurationAddition(template.settings(indented: ""))
    }

    /// Checked here, because every other command would refuse such containers.
    private func nestedContainers(_ settings: PartialSettings?) -> BridgeError? {
        guard let settings, let app = settings.app, let group = settings.group else { return nil }
        let paths = BothSides(app: app, group: group).map { URL(filePath: $0).standardizedFileURL.path + "/" }
        let isNested = paths.app.hasPrefix(paths.group) || paths.group.hasPrefix(paths.app)
        return isNested ? .nestedContainers(app: app, group: group) : nil
    }

    /// Returns the containers that were created.
    private func makeContainers(of settings: PartialSettings) throws(NamedFileError) -> [String] {
        var made: [String] = []
        for directory in [settings.app, settings.group].compactMap(\.self) where try make(directory) {
            made.append(directory)
        }
        return made
    }

    /// Creates a directory and its parents; `false` if it is there.
    private func make(_ directory: String) throws(NamedFileError) -> Bool {
        if directory.isEmpty { return false }
        if unsafe mkdir(directory, 0o700) == 0 { return true }
        if errno == EEXIST { return false }
        if errno == ENOENT, let slash = directory.lastIndex(of: "/"), slash != directory.startIndex {
            _ = try make(String(directory[..<slash]))
            if unsafe mkdir(directory, 0o700) == 0 || errno == EEXIST { return true }
        }
        throw .cannotWrite(directory, errno: errno)
    }
}
