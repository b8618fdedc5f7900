import BackgroundAgent
import FoundationEssentials
import SyncEngine
import Yams

/// A `widgetbridge.yaml`: the settings of one bridge, or of several under `bridges:`, which inherit what stands
/// above them. Relative paths are taken from where the file is.
struct Configuration: Hashable {
    struct Entry: Hashable {
        /// `nil` for the only bridge of a file without `bridges:`.
        var name: String?
        var settings: PartialSettings
    }

    var entries: [Entry]

    /// Looked for in the current directory where no bridge is named otherwise.
    static let standardName = "widgetbridge.yaml"

    init(file: NamedFile) throws {
        try self.init(yaml: file.text(), file: file.path)
    }

    init(yaml: String, file: String) throws(ConfigError) {
        entries = try ConfigurationReader(file: file).entries(yaml)
    }
}

struct ConfigurationReader {
    static let keys = [
        "app", "group", "state", "profile", "app-version", "group-version", "durability", "commit",
        "max-document",
        "max-depth", "rescan", "polling",
    ]

    let file: String

    func entries(_ yaml: String) throws(ConfigError) -> [Configuration.Entry] {
        guard let root = try compose(yaml) else { throw error(nil, .noBridge) }
        let members = try members(root, of: "the file")
        let shared = try settings(members.filter { $0.key != "bridges" }, otherKeys: ["bridges"])
        guard let bridges = members.first(where: { $0.key == "bridges" }) else {
            return [Configuration.Entry(name: nil, settings: shared)]
        }
        let entries = try named(bridges.node).map { name, node throws(ConfigError) in
            let own = try settings(self.members(node, of: name), otherKeys: [])
            return Configuration.Entry(name: name, settings: own.over(shared))
        }
        guard !entries.isEmpty else { throw error(bridges.node.mark, .noBridge) }
        return entries
    }

    private func compose(_ yaml: String) throws(ConfigError) -> Node? {
        do {
            return try Yams.compose(yaml: yaml)
        } catch let YamlError.scanner(_, problem, mark, _), let YamlError.parser(_, problem, mark, _),
            let YamlError.composer(_, problem, mark, _)
        {
            throw error(mark, .notYAML(problem))
        } catch YamlError.duplicatedKeysInMapping(let keys, let context) {
            throw error(context.mark, .notYAML("`\(keys.sorted().joined(separator: "`, `"))` stands twice"))
        } catch {
            throw self.error(nil, .notYAML("it cannot be read"))
        }
    }

    /// `bridges:` names each by its key, or is a list of settings with a `name:`.
    private func named(_ node: Node) throws(ConfigError) -> [(String, Node)] {
        guard case .sequence(let list) = node else {
            return try members(node, of: "bridges").map { ($0.key, $0.node) }
        }
        var named: [(String, Node)] = []
        for element in list {
            guard case .mapping(var members) = element, let name = members["name"]?.scalar?.string else {
                throw error(element.mark, .wrongValue(key: "bridges", expected: "a bridge with a `name`"))
            }
            members["name"] = nil
            named.append((name, .mapping(members)))
        }
        return named
    }

    private func members(_ node: Node, of owner: String) throws(ConfigError) -> [Member] {
        guard case .mapping(let mapping) = node else {
            throw error(node.mark, .wrongValue(key: owner, expected: "keys and values"))
        }
        return mapping.map {
            Member(key: $0.key.scalar?.string ?? "", mark: $0.key.mark, node: $0.value, reader: self)
        }
    }

    private func settings(_ members: [Member], otherKeys: [String]) throws(ConfigError) -> PartialSettings {
        var settings = PartialSettings()
        for member in members {
            switch member.key {
            case "app": settings.app = try member.path()
            case "group": settings.group = try member.path()
            case "state": settings.state = try member.path()
            case "profile": settings.profile = try member.profile()
            case "app-version": settings.appVersion = try member.number()
            case "group-version": settings.groupVersion = try member.number()
            case "durability": settings.durability = try member.choice()
            case "commit": settings.commit = try member.choice()
            case "max-document":
                settings.maxDocument = try member.value("a size like `8MiB`") {
                    ByteCount(argument: $0)?.bytes
                }
            case "max-depth": settings.maxDepth = try member.number()
            case "rescan": settings.rescan = try member.value("a time like `60s`") { Duration(words: $0) }
            case "polling": settings.polling = try member.value("`true` or `false`") { Bool($0) }
            default: throw error(member.mark, .unknownKey(member.key, known: Self.keys + otherKeys))
            }
        }
        return settings
    }

    fileprivate func error(_ mark: Mark?, _ fault: ConfigError.Fault) -> ConfigError {
        ConfigError(file: file, line: mark?.line ?? 1, column: mark?.column ?? 1, fault: fault)
    }
}

/// One key and what stands behind it. Scalars are taken as the text they are: `no` stays a word.
private struct Member {
    var key: String
    var mark: Mark?
    var node: Node
    var reader: ConfigurationReader

    func value<Value>(_ expected: String, _ parse: (String) -> Value?) throws(ConfigError) -> Value {
        guard case .scalar(let scalar) = node, let value = parse(scalar.string) else {
            throw reader.error(node.mark, .wrongValue(key: key, expected: expected))
        }
        return value
    }

    func number() throws(ConfigError) -> Int {
        try value("a number, at least 1") { PositiveNumber(argument: $0)?.value }
    }

    func choice<Choice: RawRepresentable & CaseIterable>() throws(ConfigError) -> Choice
    where Choice.RawValue == String {
        let choices = Choice.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        return try value("one of \(choices)") { Choice(rawValue: $0) }
    }

    func path() throws(ConfigError) -> String {
        try value("a path") { $0.isEmpty ? nil : resolved($0) }
    }

    /// A built-in name stays one; a path is taken from where the file is.
    func profile() throws(ConfigError) -> String {
        try value("a name or a path") { $0.contains("/") || $0.hasSuffix(".yaml") ? resolved($0) : $0 }
    }

    private func resolved(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        if path.hasPrefix("~/"), let home = ProcessInfo.processInfo.environment["HOME"] {
            return home + path.dropFirst()
        }
        guard let slash = reader.file.lastIndex(of: "/") else { return path }
        return reader.file[...slash] + path
    }
}
