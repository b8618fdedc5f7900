import AgentClient
import ArgumentParser
import BridgeRuntime
import Documents
import Glibc
import Model
import Stores
import SyncEngine

/// The target of a migration: files, one container, or a bridge.
struct MigrateOptions: OpeningBridgeOptions {
    @Argument(
        help: "Files, or a container's directory; without any, the bridge that the options name.",
        completion: .file()
    )
    var files: [String] = []

    @Option(help: "Document of the profile that every file is.")
    var document: String?

    @Option(help: "Only this container of the bridge.")
    var side: Side?

    @OptionGroup(title: "Bridge") var address: BridgeAddress
    @OptionGroup(title: "Bridge") var opening: OpeningOptions
    @OptionGroup(title: "Bridge") var log: LogOptions
    @OptionGroup(title: "Documents") var documents: DocumentOptions
    @OptionGroup(title: "Deletions and trash") var safety: SafetyOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    /// Files that the parser did not get: see `ManyFiles`.
    var moreFiles: [String] = []
    /// The version that a command with `TargetVersion` migrates to.
    var to: Int?

    enum CodingKeys: CodingKey {
        case files, document, side, address, opening, log, documents, safety, json
    }

    var groups: [any SettingOptions] { [address, log, documents, safety] }

    /// Builds command lines for the same migration.
    var hint: CommandHint {
        let more = [("--document", document), ("--side", side?.rawValue)]
        var hint = groups.reduce(into: CommandHint()) { $1.write(to: &$0) }
        hint.files = files + moreFiles
        hint.migration = more.flatMap { CommandHint.option($0.0, $0.1) }
        hint.version = CommandHint.option("--to", to.map { "\($0)" })
        return hint
    }

    func request(_ action: MigrationRequest.Action) -> MigrationRequest {
        MigrationRequest(action, to: to, sides: side.map { [$0] } ?? Side.allCases)
    }
}

/// For the commands that plan a migration.
struct TargetVersion: ParsableArguments {
    @Option(help: "Version to migrate to; without it, the newest.", transform: VersionNumber.parsed)
    var to: VersionNumber?
}

enum MigrationTarget {
    case bridge(NamedBridge)
    /// `prefix` is put before a document's name in texts.
    case container(ContainerMigration, prefix: String)

    /// The bridge's name, if there are several.
    var bridge: String? {
        guard case .bridge(let bridge) = self else { return nil }
        return bridge.name
    }

    /// The container's directory, or the bridge's name.
    var place: String? {
        switch self {
        case .container(let container, _): container.directory
        case .bridge(let bridge): bridge.name
        }
    }

    func name(of document: RelativePath, _ side: Side) -> String {
        switch self {
        case .container(_, let prefix): prefix + document.description
        case .bridge(let bridge):
            "\(bridge.name.map { "\($0): " } ?? "")\(side.rawValue):\(document)"
        }
    }
}

extension MigrationTarget {
    /// Whether a new file at `path` would be a document of a container.
    func hasDocument(at path: String) -> Bool {
        let directories =
            switch self {
            case .container(let container, _): container.names == nil ? [container.directory] : []
            case .bridge(let bridge): [bridge.settings.app, bridge.settings.group]
            }
        return directories.contains { ContainerMigration.isDocument(path, of: $0) }
    }
}

extension MigrateOptions {
    /// `profile`: used if the command line names none.
    func targets(_ command: String, profile planned: String? = nil) throws -> [MigrationTarget] {
        var partial = partial
        partial.profile = partial.profile ?? planned
        let files = files + moreFiles
        if !files.isEmpty {
            guard partial.app == nil, partial.group == nil, address.config == nil else {
                throw UsageError.arguments("either files or a bridge is migrated", command: command)
            }
            try refuseBridgeOptions(command, beside: "files are migrated")
            let name = try partial.profile ?? address.standardProfile()
            return try containers(of: files, profile(name), state: partial.state)
        }
        if let only = partial.app ?? partial.group, partial.app == nil || partial.group == nil,
            address.config == nil
        {
            let own = partial.app == nil ? Side.group : .app
            try refuseBridgeOptions(command, beside: "only one container is named", own: own)
            return try containers(of: [only], profile(partial.profile), state: partial.state)
        }
        if document != nil {
            throw UsageError.arguments("--document is for files, and a bridge is migrated", command: command)
        }
        return try bridges(besideAgent: true, profile: planned).map { bridge in
            guard let profile = bridge.settings.profile else { throw UsageError.noProfile }
            try check(profile)
            return .bridge(bridge)
        }
    }

    /// Files are migrated without a bridge: what only a bridge reads would be ignored.
    ///
    /// - Parameter own: the side of a container that is named by itself.
    func refuseBridgeOptions(_ command: String, beside what: String, own: Side? = nil) throws {
        let partial = partial
        let given: [(name: String, isGiven: Bool)] = [
            ("--side", side != nil && side != own), ("--bridge", address.bridge != nil),
            ("--change-profile", changesProfile), ("--app-version", partial.appVersion != nil),
            ("--group-version", partial.groupVersion != nil),
            ("--include", partial.include != nil), ("--exclude", partial.exclude != nil),
            ("--guard-last-document", partial.guardLastDocument != nil),
            ("--halt-threshold", partial.haltThreshold != nil),
        ]
        guard let name = given.first(where: \.isGiven)?.name else { return }
        throw UsageError.arguments("\(name) is for a bridge, and \(what)", command: command)
    }

    /// The targets for the files of a plan, with the profile that the plan names.
    func containers(of directories: [ExactText: [String]], profile name: String) throws -> [MigrationTarget] {
        let profile = try profile(address.profile ?? name)
        return try directories.sorted { $0.key < $1.key }.map { found, names in
            let directory = found.text
            return try container(directory, prefix: directory + "/", names, profile, state: address.state)
        }
    }

    private func profile(_ name: String?) throws -> Profile {
        guard let name else { throw UsageError.noProfile }
        let profile = try NamedProfile(name, at: address.profile.map { _ in "--profile" }).profile()
        try check(profile)
        return profile
    }

    /// A version that no document of the profile has is a usage error.
    private func check(_ profile: Profile) throws(UsageError) {
        let known = Set(profile.documents.flatMap(\.versionNumbers))
        guard let to, !known.contains(to) else { return }
        throw .unknownVersion(to, profile: profile.id, known: known.sorted())
    }

    private func containers(of paths: [String], _ profile: Profile, state: String?) throws
        -> [MigrationTarget]
    {
        var order: [ExactText] = []
        var names: [ExactText: [String]] = [:]
        var given: Set<ExactText> = []
        var wholes: Set<ExactText> = []
        for path in paths {
            let slash = path.lastIndex(of: "/")
            let isWhole = isDirectory(path)
            let above = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
            let directory = ExactText(isWhole ? path : above)
            let name = isWhole ? "" : slash.map { path[path.index(after: $0)...] } ?? path[...]
            // A file that is named twice, in whatever way, is one.
            guard given.insert(ExactText("\(withoutLinks(directory.text))/\(name)")).inserted else {
                continue
            }
            if names[directory] == nil { order.append(directory) }
            names[directory, default: []].append(String(name))
            if isWhole { wholes.insert(directory) }
        }
        return try order.map { found in
            let isWhole = wholes.contains(found)
            let directory = found.text
            let isOnly = isWhole && order.count == 1
            let prefix = isOnly || directory == "." ? "" : directory == "/" ? "/" : directory + "/"
            let all = isWhole ? nil : names[found]
            return try container(directory, prefix: prefix, all, profile, state: state)
        }
    }

    /// Finds the rule by the end of the files' paths, because a pattern may contain directories.
    private func rule(of names: [RelativePath], in directory: String, _ profile: Profile) -> DocumentRule? {
        let parts = directory.split(separator: "/")
        for count in 1...max(1, parts.count) where count <= parts.count {
            let end = parts.suffix(count).joined(separator: "/")
            let rules = names.map { profile.pattern(fitting: "\(end)/\($0)") }
            if let rule = rules[0], rules.allSatisfy({ $0?.path.utf8.elementsEqual(rule.path.utf8) == true })
            {
                return rule
            }
        }
        return nil
    }

    private func isDirectory(_ path: String) -> Bool {
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor >= 0 { close(descriptor) }
        return descriptor >= 0
    }

    private func container(
        _ directory: String,
        prefix: String,
        _ names: [String]?,
        _ profile: Profile,
        state: String?
    ) throws -> MigrationTarget {
        var profile = profile
        let named = try names?.map { name in try documentName(name) }
        profile.ruleForOthers = try ruleForOthers(profile, named, in: directory)
        profile.isRuleForOthersForAll = document != nil
        let container = try ContainerMigration(
            directory: directory,
            names: named,
            state: state,
            profile: profile,
            settings: partial.engine
        )
        return .container(container, prefix: prefix)
    }

    /// If the profile has only one document, files may have any name.
    private func ruleForOthers(
        _ profile: Profile,
        _ names: [RelativePath]?,
        in directory: String
    ) throws -> DocumentRule? {
        let known = profile.documents
        if let document {
            guard let rule = profile.pattern(fitting: document) ?? profile.named(document) else {
                throw UsageError.unknownDocument(document, profile: profile.id, known: known.map(\.path))
            }
            return rule
        }
        guard let names else { return nil }
        if known.count == 1 { return known.first }
        if let other = names.first(where: { profile.named($0.description) == nil }) {
            if let rule = rule(of: names, in: directory, profile) { return rule }
            throw UsageError.unknownDocument(
                other.description,
                profile: profile.id,
                known: known.map(\.path)
            )
        }
        return nil
    }
}
