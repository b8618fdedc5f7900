import AgentClient
import ArgumentParser
import BridgeRuntime
import Logging
import SyncEngine

/// The flags that name a bridge and say how it works; every command that asks one has them.
struct BridgeOptions: ParsableArguments {
    @Option(help: "Name the app's container.", completion: .directory)
    var app: String?

    @Option(help: "Name the App Group container.", completion: .directory)
    var group: String?

    @Option(help: "Keep journal, trash and socket here.", completion: .directory)
    var state: String?

    @Option(
        help: "Know the documents by this profile, built in or a file.",
        completion: .profiles
    )
    var profile: String?

    @Flag(help: "Go on by this profile, or by none, where the bridge has worked by another.")
    var changeProfile = false

    @Option(help: "Read the settings from this file.", completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    @Option(help: "Take only this one of the file's bridges.", completion: .bridges)
    var bridge: String?

    @Option(help: "Make the app's side speak this version.", transform: PositiveNumber.parsed)
    var appVersion: PositiveNumber?

    @Option(help: "Make the group's side speak this version.", transform: PositiveNumber.parsed)
    var groupVersion: PositiveNumber?

    @Option(help: "Sync to the disk this much.")
    var durability: Durability?

    @Option(help: "Replace documents this way.")
    var commit: CommitMode?

    @Option(help: "Hold documents larger than this, as `8MiB`.", transform: ByteCount.parsed)
    var maxDocument: ByteCount?

    @Option(help: "Hold documents nested deeper than this.", transform: PositiveNumber.parsed)
    var maxDepth: PositiveNumber?

    @Flag(help: "Hold the deletion of the last document until `allow` permits it.")
    var guardLastDocument = false

    @Option(
        help: "Halt when more than this share of ten or more documents disappears from a side, as `50%`.",
        transform: Percentage.parsed
    )
    var haltThreshold: Percentage?

    @Option(help: "Let the trash take this much of the disk, as `256MiB`.", transform: ByteCount.parsed)
    var maxTrash: ByteCount?

    @Option(help: "Keep what is in the trash this long, as `30d`.", transform: TimeSpan.parsed)
    var trashAge: TimeSpan?

    @Option(help: "Look at everything again this often, as `60s`.", transform: TimeSpan.parsed)
    var rescan: TimeSpan?

    @Flag(help: "Poll instead of watching with inotify.")
    var polling = false

    @Option(help: "Log from this level on, on standard error. (default: warning)")
    var logLevel: LogLevel?

    /// As far as the command line says it.
    var partial: PartialSettings {
        PartialSettings(
            app: app,
            group: group,
            state: state,
            profile: profile,
            appVersion: appVersion?.value,
            groupVersion: groupVersion?.value,
            durability: durability,
            commit: commit,
            maxDocument: maxDocument?.bytes,
            maxDepth: maxDepth?.value,
            guardLastDocument: guardLastDocument ? true : nil,
            haltThreshold: haltThreshold?.percent,
            maxTrash: maxTrash?.bytes,
            trashAge: trashAge?.duration,
            rescan: rescan?.duration,
            polling: polling ? true : nil,
            logLevel: logLevel?.level,
            profilePlace: profile.map { _ in "--profile" }
        )
    }

    /// For a command that ends soon.
    var logger: Logger { logger(.warning) }

    /// - Parameter standard: the level where the command line names none.
    func logger(of bridge: String? = nil, _ standard: Logger.Level) -> Logger {
        let form = LineLogHandler.Form.ofThisProcess
        var logger = Logger(label: "widgetbridge") { _ in
            LineLogHandler(form: form) { _ = Terminal.standard.errors(Array($0.utf8)) }
        }
        logger.logLevel = logLevel?.level ?? standard
        if let bridge { logger[metadataKey: "bridge"] = "\(bridge)" }
        return logger
    }
}

extension BridgeOptions {
    /// For command lines that name the same bridge in the same words.
    var hint: CommandHint {
        let settings = [
            ("--app-version", appVersion.map { "\($0.value)" }),
            ("--group-version", groupVersion.map { "\($0.value)" }),
            ("--durability", durability?.rawValue), ("--commit", commit?.rawValue),
            ("--max-document", maxDocument.map { "\($0.bytes)" }),
            ("--max-depth", maxDepth.map { "\($0.value)" }), ("--rescan", rescan?.description),
            ("--halt-threshold", haltThreshold.map { "\($0.percent)%" }),
            ("--max-trash", maxTrash.map { "\($0.bytes)" }), ("--trash-age", trashAge?.description),
        ]
        let named = [
            ("--app", app), ("--group", group), ("--state", state), ("--profile", profile),
            ("--config", config),
        ]
        let flags = (guardLastDocument ? ["--guard-last-document"] : []) + (polling ? ["--polling"] : [])
        let options = (named + settings).flatMap { CommandHint.option($0.0, $0.1) } + flags
        // Beside an agent a state directory alone may name it.
        let isAddressed = app == nil && group == nil && config == nil && state != nil
        return CommandHint(
            options: options,
            bridge: bridge,
            namesContainers: !isAddressed || ConfigurationSearch.ofThisProcess.first != nil
        )
    }
}

/// A command for bridges.
protocol BridgeCommand: Command {
    var options: BridgeOptions { get }
}

extension BridgeCommand {
    var hint: CommandHint { options.hint }
}

/// One of the bridges a command is for.
struct NamedBridge: Sendable {
    /// `nil` where there is only one, and it needs no name.
    var name: String?
    var settings: BridgeSettings
}

extension BridgeOptions {
    /// What the command line says stands over what the file says.
    ///
    /// An agent knows its containers: where it may be asked, a state directory alone names a bridge.
    func bridges(besideAgent: Bool = false) throws -> [NamedBridge] {
        try chosenEntries(partial).map { entry in
            var settings = try partial.over(entry.settings).complete(besideAgent: besideAgent)
            settings.engine.changesProfile = changeProfile
            return NamedBridge(name: entry.name, settings: settings)
        }
    }

    /// The bridges of an agent, with what else it serves of them.
    func servedBridges(listen: String?, tokenFile: String?) throws -> [ServedSettings] {
        var partial = partial
        (partial.listen, partial.tokenFile) = (listen, tokenFile)
        let served = try chosenEntries(partial).map { entry in
            let written = partial.over(entry.settings)
            return try ServedSettings(name: entry.name, written, changingProfile: changeProfile)
        }
        let ports = Dictionary(grouping: served.filter { $0.port != nil }) { $0.port?.number }
        if let (port, sharing) = ports.first(where: { $1.count > 1 }), let port, port != 0 {
            throw UsageError.sharedPort(port, sharing.compactMap(\.name))
        }
        return served
    }

    /// The one bridge, for commands that are about one document.
    func onlyBridge() throws -> NamedBridge {
        let bridges = try bridges(besideAgent: true)
        guard bridges.count == 1, let bridge = bridges.first else {
            throw UsageError.severalBridges("this command", known: bridges.compactMap(\.name))
        }
        return bridge
    }

    /// What the current directory's file says of every bridge, for files beside it.
    func standardProfile() throws -> String? {
        let profiles = Set(try configuration()?.entries.map(\.settings.profile) ?? [])
        return profiles.count == 1 ? profiles.first ?? nil : nil
    }

    private func chosenEntries(_ partial: PartialSettings) throws -> [Configuration.Entry] {
        guard let configuration = try configuration() else {
            return [Configuration.Entry(name: nil, settings: PartialSettings())]
        }
        var entries = configuration.entries
        let names = entries.compactMap(\.name)
        if let bridge {
            entries = entries.filter { $0.name == bridge }
            guard !entries.isEmpty else { throw UsageError.unknownBridge(bridge, known: names) }
        }
        if entries.count > 1, let flag = partial.flagForOneBridge {
            throw UsageError.severalBridges(flag, known: names)
        }
        return entries
    }

    /// Where nothing else names a bridge, the first file that there is.
    func configuration() throws -> Configuration? {
        if let config { return try Configuration(file: NamedFile(config)) }
        if app == nil, group == nil, let found = ConfigurationSearch.ofThisProcess.first {
            return try Configuration(file: NamedFile(found))
        }
        if let bridge { throw UsageError.unknownBridge(bridge, known: []) }
        return nil
    }
}
