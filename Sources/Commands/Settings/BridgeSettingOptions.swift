import ArgumentParser
import BridgeRuntime
import Documents
import Glibc
import Logging
import SyncEngine

// The settings of a bridge, in groups of one meaning each: a command has those that change what it does.

/// How documents are read and written. A command that asks a running agent compares them with the agent's.
struct DocumentOptions: SettingOptions {
    @Option(help: "Version that the app reads and writes.", transform: VersionNumber.parsed)
    var appVersion: VersionNumber?

    @Option(help: "Version that the widgets read and write.", transform: VersionNumber.parsed)
    var groupVersion: VersionNumber?

    @Option(
        help:
            "Where both sides keep the documents of the profile: its stores on this platform. (default: json)"
    )
    var stores: StorePlatform?

    @Option(help: "The same for the app's side alone.")
    var appStores: StorePlatform?

    @Option(help: "The same for the group's side alone.")
    var groupStores: StorePlatform?

    @Option(help: "What is synced to the disk with each write. (default: batch)")
    var durability: Durability?

    @Option(help: "How a document is replaced. (default: exchange)")
    var commit: CommitMode?

    @Option(
        help: "Hold documents that are larger than this. (default: 8MiB)",
        transform: ByteCount.parsed
    )
    var maxDocument: ByteCount?

    @Option(
        help: "Hold documents that are nested deeper than this. (default: 512)",
        transform: PositiveNumber.parsed
    )
    var maxDepth: PositiveNumber?

    @Option(
        help: "Hold documents whose names have more directories than this. (default: 64)",
        transform: PositiveNumber.parsed
    )
    var maxDirectories: PositiveNumber?

    @Option(
        help: "Sync only documents with this name, as `notes/*.json`; may be repeated.",
        transform: NamePattern.parsed
    )
    var include: [NamePattern] = []

    @Option(
        help: "Leave out documents with this name, as `drafts/*`; may be repeated.",
        transform: NamePattern.parsed
    )
    var exclude: [NamePattern] = []

    func write(to settings: inout PartialSettings) {
        settings.include = include.isEmpty ? nil : include.map(\.text)
        settings.exclude = exclude.isEmpty ? nil : exclude.map(\.text)
        (settings.appVersion, settings.groupVersion) = (appVersion?.value, groupVersion?.value)
        (settings.appStores, settings.groupStores) = (appStores ?? stores, groupStores ?? stores)
        (settings.durability, settings.commit) = (durability, commit)
        (settings.maxDocument, settings.maxDepth) = (maxDocument?.bytes, maxDepth?.value)
        settings.maxDirectories = maxDirectories?.value
    }

    func write(to hint: inout CommandHint) {
        let named = [
            ("--app-version", appVersion.map { "\($0.value)" }),
            ("--group-version", groupVersion.map { "\($0.value)" }),
            ("--stores", stores?.rawValue), ("--app-stores", appStores?.rawValue),
            ("--group-stores", groupStores?.rawValue),
            ("--durability", durability?.rawValue), ("--commit", commit?.rawValue),
            ("--max-document", maxDocument.map { "\($0.bytes)" }),
            ("--max-depth", maxDepth.map { "\($0.value)" }),
            ("--max-directories", maxDirectories.map { "\($0.value)" }),
        ]
        hint.options += named.flatMap { CommandHint.option($0.0, $0.1) }
        hint.options += include.flatMap { CommandHint.option("--include", $0.text) }
        hint.options += exclude.flatMap { CommandHint.option("--exclude", $0.text) }
    }
}

/// When deletions halt the bridge, and what the trash keeps.
struct SafetyOptions: SettingOptions {
    @Flag(help: "Hold the deletion of a side's last document until `allow` permits it.")
    var guardLastDocument = false

    @Option(
        help: "Halt when more than this share of ten or more documents disappears from a side, as `50%`.",
        transform: Percentage.parsed
    )
    var haltThreshold: Percentage?

    @Option(
        help: """
            Size that the trash may have, as `256MiB`; beyond it, or beyond a tenth of what its disk has left, \
            the oldest files are deleted.
            """,
        transform: ByteCount.parsed
    )
    var maxTrash: ByteCount?

    @Option(help: "How long files are kept in the trash, as `30d`.", transform: TimeSpan.parsed)
    var trashAge: TimeSpan?

    func write(to settings: inout PartialSettings) {
        settings.guardLastDocument = guardLastDocument ? true : nil
        settings.haltThreshold = haltThreshold?.percent
        (settings.maxTrash, settings.trashAge) = (maxTrash?.bytes, trashAge?.duration)
    }

    func write(to hint: inout CommandHint) {
        let named = [
            ("--halt-threshold", haltThreshold.map { "\($0.percent)%" }),
            ("--max-trash", maxTrash.map { "\($0.bytes)" }), ("--trash-age", trashAge?.description),
        ]
        hint.safety = named.flatMap { CommandHint.option($0.0, $0.1) }
        if guardLastDocument { hint.safety.append("--guard-last-document") }
    }
}

/// How changes are noticed.
struct WatchingOptions: SettingOptions {
    @Option(
        help: "How often all documents are read again, to find changes without events. (default: 60s)",
        transform: RescanInterval.parsed
    )
    var rescan: RescanInterval?

    @Flag(help: "Poll every second instead of watching with inotify.")
    var polling = false

    func write(to settings: inout PartialSettings) {
        settings.rescan = rescan?.duration
        settings.polling = polling ? true : nil
    }

    func write(to hint: inout CommandHint) {
        hint.watching = CommandHint.option("--rescan", rescan?.duration.words)
        if polling { hint.watching.append("--polling") }
    }
}

/// For a process that opens the bridge itself.
struct OpeningOptions: ParsableArguments {
    @Flag(help: "Open a bridge that has worked with another profile, or with none.")
    var changeProfile = false
}

/// Every command of a bridge takes it, as scripts give it to all of them.
struct LogOptions: SettingOptions {
    @Option(help: "Lowest level that is logged, on standard error. (default: warning)")
    var logLevel: LogLevel?

    func write(to settings: inout PartialSettings) { settings.logLevel = logLevel?.level }

    /// A command that is to be pasted logs what it does by itself.
    func write(to hint: inout CommandHint) {}

    /// For a command that ends soon.
    var logger: Logger { logger(.warning) }

    /// - Parameter standard: the level if the command line has none.
    func logger(of bridge: String? = nil, _ standard: Logger.Level) -> Logger {
        let form = LineLogHandler.Form.ofThisProcess
        var logger = Logger(label: "widgetbridge") { _ in
            LineLogHandler(form: form, columns: { terminalColumns(of: STDERR_FILENO) }) {
                _ = Terminal.standard.errors(Array($0.utf8))
            }
        }
        logger.logLevel = logLevel?.level ?? standard
        if let bridge { logger[metadataKey: "bridge"] = "\(bridge)" }
        return logger
    }
}
