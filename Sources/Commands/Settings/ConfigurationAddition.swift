import Documents

/// Adds a bridge to the text of a configuration, which keeps its comments.
struct ConfigurationAddition {
    /// The lines of the bridge's settings.
    private let settings: [String]

    init(_ settings: [String]) { self.settings = settings }

    /// The name of the bridge that a configuration without `bridges:` has, once it has several.
    private static let only = "main"

    /// Throws where the bridges of the file are not written one below the other, or one has this name.
    func text(adding name: String, to text: String, file: String) throws -> String {
        let before = try Configuration(yaml: text, file: file).entries
        if before.contains(where: { $0.name == name }) {
            throw UsageError.sharedByBridges(.name, [name], at: file)
        }
        let isAlone = before.map(\.name) == [nil]
        guard let added = isAlone ? start(name, in: text) : list(name, in: text),
            let entries = try entries(of: added, file),
            entries.count == before.count + 1,
            zip(before, entries).allSatisfy({ old, new in
                new.name == old.name ?? Self.first(besides: name) && new.settings.app == old.settings.app
            }),
            entries.last?.name == name
        else { throw UsageError.notAdded(name, to: file) }
        return added
    }

    /// `nil` for a file of another form than was expected, which would be changed in another place. A setting
    /// that two bridges would share is an error of its own.
    private func entries(of text: String, _ file: String) throws -> [Configuration.Entry]? {
        do {
            return try Configuration(yaml: text, file: file).entries
        } catch UsageError.sharedByBridges(let setting, let names, _) {
            throw UsageError.sharedByBridges(setting, names, at: file)
        } catch {
            return nil
        }
    }

    private static func first(besides name: String) -> String { name == only ? "first" : only }

    /// The bridge of the file gets a name, and inherits its settings, which stay where they are.
    private func start(_ name: String, in text: String) -> String? {
        let end = text.hasSuffix("\n") || text.isEmpty ? "" : "\n"
        let lines = ["", "bridges:", "  \(Self.first(besides: name)): {}"] + entry(name, indented: "  ")
        return text + end + lines.map { "\($0)\n" }.joined()
    }

    /// Behind the last bridge.
    private func list(_ name: String, in text: String) -> String? {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
        guard let head = lines.firstIndex(where: { $0.hasPrefix("bridges:") }) else { return nil }
        let isInside = { (line: String) in line.hasPrefix(" ") && line.contains { $0 != " " } }
        let rest = lines[(head + 1)...]
        let end =
            rest.firstIndex { !$0.isEmpty && !$0.hasPrefix(" ") && !$0.hasPrefix("#") } ?? lines.endIndex
        guard let last = lines[(head + 1)..<end].lastIndex(where: isInside),
            let first = rest.first(where: { isInside($0) && !$0.drop { $0 == " " }.hasPrefix("#") })
        else { return nil }
        let indent = String(first.prefix { $0 == " " })
        lines.insert(contentsOf: entry(name, indented: indent), at: last + 1)
        return lines.joined(separator: "\n")
    }

    private func entry(_ name: String, indented indent: String) -> [String] {
        ["\(indent)\(yamlScalar(name, plain: "._-")):"] + settings.map { "\(indent)  \($0)" }
    }
}
