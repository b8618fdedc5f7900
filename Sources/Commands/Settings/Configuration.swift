import BridgeRuntime
import Documents
import FoundationEssentials
import Glibc
import Logging
import SyncEngine

/// A `widgetbridge.yaml`: the settings of one bridge, or of several under `bridges:`, which inherit the
/// settings above them. Relative paths start at the file's directory.
struct Configuration: Hashable {
    struct Entry: Hashable {
        /// `nil` for the only bridge of a file without `bridges:`.
        var name: String?
        var settings: PartialSettings
    }

    var entries: [Entry]

    /// The file decides which paths are written, so it must be writable by its owner only.
    init(file: NamedFile) throws {
        if file.mode & 0o022 != 0 { throw UsageError.writableConfiguration(file.path) }
        guard file.owner == geteuid() || file.owner == 0 else {
            throw UsageError.foreignConfiguration(file.path, owner: file.owner)
        }
        try self.init(yaml: file.text(), file: file.path)
    }

    init(yaml: String, file: String) throws {
        let root = try YAMLField.root(of: yaml, file: file)
        let fields = try root.fields(PartialSettings.keys + ["bridges"])
        var shared = try PartialSettings(fields)
        guard let bridges = fields["bridges"] else {
            shared.place = root.position
            entries = [Entry(name: nil, settings: shared)]
            return
        }
        entries = []
        for (name, bridge, fields) in try Self.named(bridges) {
            var settings = try PartialSettings(fields).over(shared)
            settings.place = bridge.position
            entries.append(Entry(name: name, settings: settings))
        }
        guard !entries.isEmpty else { throw bridges.fail(.expected(.bridge)) }
        try checkShared()
    }

    /// One name would choose two bridges. Two bridges with one state directory, or with the same containers,
    /// would take each other's records for their own; one inside the other would be published by it.
    private func checkShared() throws(UsageError) {
        for (index, entry) in entries.enumerated() {
            for earlier in entries[..<index] {
                guard let setting = earlier.shared(with: entry) else { continue }
                let names = setting == .name ? [entry.name] : [earlier.name, entry.name]
                throw .sharedByBridges(setting, names.compactMap(\.self), at: entry.settings.place)
            }
        }
    }

    /// Each bridge is named by its key, or in a list by its `name:`.
    private static func named(
        _ bridges: YAMLField
    ) throws(ProfileError) -> [(name: String, bridge: YAMLField, fields: [String: YAMLField])] {
        var named: [(name: String, bridge: YAMLField, fields: [String: YAMLField])] = []
        guard bridges.isList else {
            for (name, bridge) in try bridges.members() {
                named.append((name, bridge, try bridge.fields(PartialSettings.keys)))
            }
            return named
        }
        for bridge in try bridges.list() {
            let fields = try bridge.fields(PartialSettings.keys + ["name"])
            guard let name = fields["name"] else { throw bridge.fail(.missing("name")) }
            named.append((try name.text(), bridge, fields))
        }
        return named
    }
}

extension Configuration.Entry {
    fileprivate func shared(with other: Self) -> SharedSetting? {
        if name == other.name { return .name }
        if settings.state != nil, settings.state == other.settings.state { return .state }
        let isSame = settings.containers == other.settings.containers && settings.containers.count == 2
        if isSame { return .containers }
        return isInside(other) || other.isInside(self) ? .nested : nil
    }

    /// Whether the other bridge would sync what is in a directory of this one.
    private func isInside(_ other: Self) -> Bool {
        [settings.app, settings.group, settings.state].compactMap(\.self).contains { directory in
            other.settings.containers.contains { directory.hasPrefix($0 + "/") }
        }
    }
}

extension PartialSettings {
    fileprivate var containers: Set<String> { Set([app, group].compactMap(\.self)) }

    static let keys = [
        "app", "group", "state", "profile", "app-version", "group-version", "stores", "app-stores",
        "group-stores", "durability", "commit", "max-document", "max-depth", "max-directories", "include",
        "exclude", "guard-last-document", "halt-threshold", "max-trash", "trash-age",
        "rescan", "polling", "time-zone", "listen", "token-file", "log-level", "hooks",
    ]

    fileprivate init(_ fields: [String: YAMLField]) throws(ProfileError) {
        app = try fields["app"]?.path()
        group = try fields["group"]?.path()
        state = try fields["state"]?.path()
        profile = try fields["profile"]?.profile()
        profilePlace = fields["profile"]?.position
        appVersion = try fields["app-version"]?.written(VersionNumber.self).value
        groupVersion = try fields["group-version"]?.written(VersionNumber.self).value
        let stores: StorePlatform? = try fields["stores"]?.choice()
        appStores = try fields["app-stores"]?.choice() ?? stores
        groupStores = try fields["group-stores"]?.choice() ?? stores
        durability = try fields["durability"]?.choice()
        commit = try fields["commit"]?.choice()
        maxDocument = try fields["max-document"]?.written(ByteCount.self).bytes
        maxDepth = try fields["max-depth"]?.number()
        maxDirectories = try fields["max-directories"]?.number()
        include = try fields["include"]?.patterns()
        exclude = try fields["exclude"]?.patterns()
        guardLastDocument = try fields["guard-last-document"]?.value(.either("true", "false")) { Bool($0) }
        haltThreshold = try fields["halt-threshold"]?.written(Percentage.self).percent
        maxTrash = try fields["max-trash"]?.written(ByteCount.self).bytes
        trashAge = try fields["trash-age"]?.written(TimeSpan.self).duration
        rescan = try fields["rescan"]?.written(RescanInterval.self).duration
        polling = try fields["polling"]?.value(.either("true", "false")) { Bool($0) }
        timeZone = try fields["time-zone"]?.value(.timeZone) { MachineTimeZone.zone(named: $0) }
        listen = try fields["listen"]?.value(.socketAddress) { text in
            loopbackPort(text).map { _ in text }
        }
        tokenFile = try fields["token-file"]?.path()
        logLevel = try fields["log-level"]?.choice()
        hooks = try fields["hooks"]?.hooks()
        hookPlaces = try fields["hooks"]?.list().map(HookPlace.init)
    }
}

extension YAMLField {
    fileprivate func value<Value>(
        _ expected: ProfileError.Expected,
        _ parse: (String) -> Value?
    ) throws(ProfileError) -> Value {
        let text = try text(expected)
        guard let value = parse(text) else { throw fail(.expected(expected, .text(text))) }
        return value
    }

    func written<Value: WrittenValue>(_ type: Value.Type) throws(ProfileError) -> Value {
        try value(Value.form) { Value(argument: $0) }
    }

    fileprivate func number() throws(ProfileError) -> Int {
        try written(PositiveNumber.self).value
    }

    fileprivate func choice<Choice: RawRepresentable & CaseIterable>() throws(ProfileError) -> Choice
    where Choice.RawValue == String {
        try value(.oneOf(Choice.allCases.map(\.rawValue))) { Choice(rawValue: $0) }
    }

    func path() throws(ProfileError) -> String {
        try value(.path) { $0.isEmpty ? nil : resolved($0) }
    }

    /// A built-in name is kept; a relative path starts at the file's directory.
    fileprivate func profile() throws(ProfileError) -> String {
        let text = try text()
        return Profile.isPath(text) ? resolved(text) : text
    }

    private func resolved(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        if path.hasPrefix("~/"), let home = ProcessInfo.processInfo.environment["HOME"] {
            return home + path.dropFirst()
        }
        guard let slash = file.lastIndex(of: "/") else { return path }
        return file[...slash] + path
    }
}
