import ArgumentParser
import BridgeRuntime
import Documents
import FoundationEssentials
import Glibc
import Model

struct InitCommand: Command {
    static let page = HelpPage(
        name: "init",
        abstract: "Write a commented configuration for one bridge, and create its containers.",
        discussion: """
            It asks nothing and changes no file that is there. Paths are written as they are
            given; in a configuration they are relative to its directory.
            """,
        example: "widgetbridge init --app ~/app --group ~/group --profile budget",
        exits: [
            (.done, "written"), (.failed, "error, or there is a configuration already"),
            (.usage, "wrong usage"),
        ]
    )

    @Option(help: "Directory of the app's container.", completion: .directory)
    var app = "app"

    @Option(help: "Directory of the App Group container.", completion: .directory)
    var group = "group"

    @Option(
        help: "Profile that describes the documents: the name of a built-in one, or a file.",
        completion: .file()
    )
    var profile: String?

    @Option(help: "Configuration file to write.", completion: .file(extensions: ["yaml", "yml"]))
    var config = ConfigurationSearch.name

    func perform(on terminal: Terminal) async throws -> CommandStatus {
        let template = ConfigurationTemplate(app: app, group: group, profile: profile)
        // The written file must be one that the agent accepts.
        let entries = try Configuration(yaml: template.text, file: config).entries
        // As every other path, it is relative to the configuration.
        if let profile = entries.first?.settings.profile {
            _ = try NamedProfile(profile, at: "--profile").profile()
        }
        guard unsafe access(config, F_OK) != 0 else { throw UsageError.configurationExists(config) }
        if let nested = nestedContainers(entries.first?.settings) { throw nested }
        let made = try entries.flatMap { try makeContainers(of: $0.settings) }
        try NamedFile.write(Array(template.text.utf8), to: config)
        for directory in made { terminal.print("created \(directory.withoutControls)\n") }
        terminal.print("created \(config.withoutControls)\n")
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

    /// Checked here, because every other command would refuse such containers.
    private func nestedContainers(_ settings: PartialSettings?) -> BridgeError? {
        guard let settings, let app = settings.app, let group = settings.group else { return nil }
        let paths = BothSides(app: app, group: group).map { URL(filePath: $0).standardizedFileURL.path + "/" }
        let isNested = paths.app.hasPrefix(paths.group) || paths.group.hasPrefix(paths.app)
        return isNested ? .nestedContainers(app: app, group: group) : nil
    }

    /// Returns the directories that were created.
    private func makeContainers(of settings: PartialSettings) throws(NamedFileError) -> [String] {
        var made: [String] = []
        for directory in [settings.app, settings.group].compactMap(\.self) {
            if unsafe mkdir(directory, 0o700) == 0 {
                made.append(directory)
            } else if errno != EEXIST {
                throw .cannotWrite(directory, errno: errno)
            }
        }
        return made
    }
}
