import ArgumentParser

/// Which bridge is meant.
struct BridgeAddress: SettingOptions {
    @Option(help: "Directory of the app's container.", completion: .directory)
    var app: String?

    @Option(help: "Directory of the App Group container.", completion: .directory)
    var group: String?

    @Option(help: "Directory for the journal, the trash and the agent's socket.", completion: .directory)
    var state: String?

    @Option(
        help: "Profile that describes the documents: the name of a built-in one, or a file.",
        completion: .profiles
    )
    var profile: String?

    @Option(help: "Configuration file to read.", completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    @Option(help: "Use only this bridge of the configuration file.", completion: .bridges)
    var bridge: String?

    func write(to settings: inout PartialSettings) {
        (settings.app, settings.group) = (app, group)
        (settings.state, settings.profile) = (state, profile)
        settings.profilePlace = profile.map { _ in "--profile" }
    }

    /// The file of `--config`; if the command line names no bridge, the first one of the search.
    var configurationFile: String? {
        config ?? (app == nil && group == nil ? ConfigurationSearch.ofThisProcess.first : nil)
    }

    /// The state directory, if nothing else tells which bridge is meant.
    var stateAlone: String? { app == nil && group == nil && bridge == nil ? state : nil }

    func configuration() throws -> Configuration? {
        guard let configurationFile else {
            if let bridge { throw UsageError.unknownBridge(bridge, known: []) }
            return nil
        }
        let file: NamedFile
        do throws(NamedFileError) {
            file = try NamedFile(configurationFile)
        } catch .cannotRead(let path, let errno) {
            throw UsageError.unreadableConfiguration(path, errno: errno)
        }
        return try Configuration(file: file)
    }

    /// The bridges of the configuration that are meant, or one without a name.
    func chosenEntries(_ partial: PartialSettings) throws -> [Configuration.Entry] {
        guard let configuration = try configuration() else {
            return [Configuration.Entry.unnamed]
        }
        var entries = configuration.entries
        let names = entries.compactMap(\.name)
        if let bridge {
            entries = entries.filter { $0.name == bridge }
            guard !entries.isEmpty else { throw UsageError.unknownBridge(bridge, known: names) }
        }
        if entries.count > 1, let state = stateAlone {
            // It tells which bridge is meant. That of another one is enough while its agent runs.
            let meant = entries.filter { $0.keepsState(in: state) }
            if !meant.isEmpty { return meant }
            if config == nil, isServed(state) { return [Configuration.Entry.unnamed] }
            throw UsageError.foreignState(state, at: configurationFile, known: names)
        }
        if entries.count > 1, let flag = partial.flagForOneBridge {
            throw UsageError.severalBridges(flag, known: names)
        }
        return entries
    }

    /// The profile of all bridges in the configuration, for files that are named without a profile.
    func standardProfile() throws -> String? {
        let profiles = Set(try configuration()?.entries.map(\.settings.profile) ?? [])
        return profiles.count == 1 ? profiles.first ?? nil : nil
    }

    func write(to hint: inout CommandHint) {
        let named = [
            ("--app", app), ("--group", group), ("--state", state), ("--profile", profile),
            ("--config", config),
        ]
        // While its agent runs, a state directory is enough to name a bridge.
        let isAddressed = app == nil && group == nil && config == nil && state != nil
        hint.options += named.flatMap { CommandHint.option($0.0, $0.1) }
        hint.bridge = bridge
        hint.namesContainers = !isAddressed || ConfigurationSearch.ofThisProcess.first != nil
    }
}
