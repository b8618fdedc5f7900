import ArgumentParser
import BridgeRuntime
import Logging
import SyncEngine

/// The options of a command for bridges: those that change what it does, and no others.
///
/// The groups stand side by side: the parser checks nested ones again at every level, in debug builds.
protocol BridgeOptions: ParsableArguments {
    var address: BridgeAddress { get }
    var log: LogOptions { get }
    var changesProfile: Bool { get }
    var groups: [any SettingOptions] { get }
}

/// Some settings of a bridge on the command line.
protocol SettingOptions: ParsableArguments {
    func write(to settings: inout PartialSettings)
    /// Builds command lines that name the same bridge with the same options.
    func write(to hint: inout CommandHint)
}

/// The options of a command that opens the bridge itself if no agent runs.
protocol OpeningBridgeOptions: BridgeOptions {
    var opening: OpeningOptions { get }
}

extension OpeningBridgeOptions {
    var changesProfile: Bool { opening.changeProfile }
}

/// For a command that only asks a running agent.
struct ClientOptions: BridgeOptions {
    @OptionGroup(title: "Bridge") var address: BridgeAddress
    @OptionGroup(title: "Bridge") var log: LogOptions
    @OptionGroup(title: "Documents") var documents: DocumentOptions

    /// An agent keeps the profile that it was started with.
    var changesProfile: Bool { false }
    var groups: [any SettingOptions] { [address, log, documents] }
}

/// For a command that shows a part of a bridge's state, and neither plans nor changes anything.
struct ReaderOptions: OpeningBridgeOptions {
    @OptionGroup(title: "Bridge") var address: BridgeAddress
    @OptionGroup(title: "Bridge") var opening: OpeningOptions
    @OptionGroup(title: "Bridge") var log: LogOptions
    @OptionGroup(title: "Documents") var documents: DocumentOptions

    var groups: [any SettingOptions] { [address, log, documents] }
}

/// For a command that reads only a profile, or the history of a bridge.
struct HistoryOptions: OpeningBridgeOptions {
    @OptionGroup(title: "Bridge") var address: BridgeAddress
    @OptionGroup(title: "Bridge") var opening: OpeningOptions
    @OptionGroup(title: "Bridge") var log: LogOptions
    /// Options without effect here: scripts give the options of a bridge to all commands.
    @OptionGroup(visibility: .hidden) var documents: DocumentOptions

    var groups: [any SettingOptions] { [address, log, documents] }
}

/// For a command that plans what the bridge would do, or does it.
struct WriterOptions: OpeningBridgeOptions {
    @OptionGroup(title: "Bridge") var address: BridgeAddress
    @OptionGroup(title: "Bridge") var opening: OpeningOptions
    @OptionGroup(title: "Bridge") var log: LogOptions
    @OptionGroup(title: "Documents") var documents: DocumentOptions
    @OptionGroup(title: "Deletions and trash") var safety: SafetyOptions

    var groups: [any SettingOptions] { [address, log, documents, safety] }
}

/// For the agent, which alone watches.
struct AgentOptions: OpeningBridgeOptions {
    @OptionGroup(title: "Bridge") var address: BridgeAddress
    @OptionGroup(title: "Bridge") var opening: OpeningOptions
    @OptionGroup(title: "Bridge") var log: LogOptions
    @OptionGroup(title: "Documents") var documents: DocumentOptions
    @OptionGroup(title: "Deletions and trash") var safety: SafetyOptions
    @OptionGroup(title: "Watching") var watching: WatchingOptions

    var groups: [any SettingOptions] { [address, log, documents, safety, watching] }

    /// The bridges of an agent, with the ports on which it serves them.
    func servedBridges(listen: String?, tokenFile: String?) throws -> [ServedSettings] {
        var partial = partial
        (partial.listen, partial.tokenFile) = (listen, tokenFile)
        let served = try address.chosenEntries(partial).map { entry in
            let written = partial.over(entry.settings)
            return try ServedSettings(name: entry.name, written, changingProfile: changesProfile)
        }
        let ports = Dictionary(grouping: served.filter { $0.port != nil }) { $0.port?.number }
        if let (port, sharing) = ports.first(where: { $1.count > 1 }), let port, port != 0 {
            throw UsageError.sharedPort(port, sharing.compactMap(\.name))
        }
        return served
    }
}

/// A command that works on bridges.
protocol BridgeCommand: Command {
    associatedtype Options: BridgeOptions

    var options: Options { get }
}

extension BridgeCommand {
    var hint: CommandHint { options.hint }

    static func takes(_ options: any BridgeOptions.Type) -> Bool { Options.self == options }
}

/// A bridge that a command works on.
struct NamedBridge: Sendable {
    /// `nil` if it is the only bridge and has no name.
    var name: String?
    var settings: BridgeSettings
}

extension BridgeOptions {
    var logger: Logger { log.logger }

    /// The settings from the command line.
    var partial: PartialSettings { groups.reduce(into: PartialSettings()) { $1.write(to: &$0) } }

    var hint: CommandHint { groups.reduce(into: CommandHint()) { $1.write(to: &$0) } }

    /// The chosen bridges. Settings of the command line override those of the file.
    ///
    /// - Parameters:
    ///   - besideAgent: accept a state directory alone, because its agent knows the containers.
    ///   - profile: used if neither the command line nor the file names one.
    func bridges(besideAgent: Bool = false, profile: String? = nil) throws -> [NamedBridge] {
        try address.chosenEntries(partial).map { entry in
            var written = partial.over(entry.settings)
            written.profile = written.profile ?? profile
            var settings = try written.complete(besideAgent: besideAgent)
            settings.engine.changesProfile = changesProfile
            return NamedBridge(name: entry.name, settings: settings)
        }
    }

    /// The one bridge, for commands about one document.
    func onlyBridge() throws -> NamedBridge {
        let bridges = try bridges(besideAgent: true)
        guard bridges.count == 1, let bridge = bridges.first else {
            throw UsageError.severalBridges("this command", known: bridges.compactMap(\.name))
        }
        return bridge
    }
}
