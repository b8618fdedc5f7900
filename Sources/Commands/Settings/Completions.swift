import ArgumentParser
import BridgeRuntime
import Documents
import Glibc
import Logging
import RaceLab
import StoreReplica
import SyncEngine

// Completions for the shell. On an error they are empty: the user has not run a command yet.

extension CompletionKind {
    static let documents = ofBridge { bridge, _ in try await bridge.status().documents.map(\.name) }
    static let trashIDs = ofBridge { bridge, _ in try await bridge.history(of: nil).map(\.id) }
    static let conflictIDs = ofBridge { bridge, _ in try await bridge.conflicts().map(\.id) }
    static let widgetIDs = ofBridge { bridge, _ in try await bridge.widgets().map(\.id) }
    static let haltID = ofBridge { bridge, _ in [try await bridge.status().allow].compactMap(\.self) }

    /// The kinds of the profile; without a profile, a kind is named like its document.
    static let kinds = ofBridge { bridge, settings in
        guard let profile = settings.profile else { return try await bridge.status().documents.map(\.name) }
        return profile.documents.flatMap(\.kinds).map(\.name)
    }

    static let bridges = CompletionKind.custom { words, place, prefix in
        let options = CompletedLine(words, without: place).options
        let names = (try? options?.address.configuration()?.entries.compactMap(\.name)) ?? []
        return names.offered(behind: prefix)
    }

    static let profiles = CompletionKind.custom { _, _, prefix in
        (Profile.builtInNames + files(behind: prefix, endings: [".yaml", ".yml"])).offered(behind: prefix)
    }

    static let presets = CompletionKind.custom { _, _, prefix in
        (Preset.names + Preset.appNames).offered(behind: prefix)
    }

    static let scenarios = CompletionKind.custom { _, _, prefix in
        (Preset.names + Preset.appNames + files(behind: prefix, endings: [".yaml"])).offered(behind: prefix)
    }

    static let storeKeys = CompletionKind.custom { words, place, prefix in
        let store = CompletedLine(words, without: place).store
        let listing = try? store?.withStore { (store) throws(StoreFileFault) in try store.list() }
        return (listing?.entries.map(\.key) ?? []).offered(behind: prefix)
    }

    private static func ofBridge(
        _ names: @escaping @Sendable (any BridgeAccess, BridgeSettings) async throws -> [String]
    ) -> CompletionKind {
        .custom { words, place, prefix in
            guard let options = CompletedLine(words, without: place).options,
                let bridge = try? options.onlyBridge()
            else { return [] }
            let found = await beforePatienceEnds {
                try await withBridge(bridge.settings, .silent, on: .silent, toLook: true) {
                    try await names($0, bridge.settings)
                }
            }
            return (found ?? []).offered(behind: prefix)
        }
    }

    /// Includes directories, so that a path can be completed step by step.
    private static func files(behind prefix: String, endings: [String]) -> [String] {
        var found = unsafe glob_t()
        defer { unsafe globfree(&found) }
        let pattern = prefix.map { "*?[\\".contains($0) ? "\\\($0)" : "\($0)" }.joined() + "*"
        guard unsafe glob(pattern, GLOB_MARK, nil, &found) == 0 else { return [] }
        let paths = unsafe (0..<Int(found.gl_pathc)).compactMap { index in
            unsafe found.gl_pathv[index].flatMap { unsafe String(validatingCString: $0) }
        }
        return paths.filter { path in path.hasSuffix("/") || endings.contains(where: path.hasSuffix) }
    }
}

/// A command line that is still incomplete.
private struct CompletedLine {
    private var words: [String]

    /// - Parameter place: index of the word under the cursor.
    init(_ words: [String], without index: Int) {
        self.words = words.enumerated().filter { $0.offset != index }.map { Self.unquoted($0.element) }
    }

    /// Parses only the options that name a bridge, because others may still lack their value.
    var options: ClientOptions? {
        var found: [String] = []
        for name in ["--app", "--group", "--state", "--profile", "--config", "--bridge"] {
            if let value = value(of: name) { found.append("\(name)=\(value)") }
        }
        return try? ClientOptions.parse(found)
    }

    /// The store of a command line such as `store get FILE`.
    var store: StoreOptions? {
        guard let start = words.firstIndex(of: StoreCommand.page.name),
            let file = words.dropFirst(start + 2).first(where: { !$0.hasPrefix("-") })
        else { return nil }
        let flags = ["--as", "--prefix", "--table", "--key-column", "--value-column"].compactMap { name in
            value(of: name).map { "\(name)=\($0)" }
        }
        return try? StoreOptions.parse([file] + flags)
    }

    /// Some shells split words at an equals sign.
    private func value(of name: String) -> String? {
        if let whole = words.first(where: { $0.hasPrefix(name + "=") }) {
            let value = String(whole.dropFirst(name.count + 1))
            return value.isEmpty ? nil : value
        }
        guard let index = words.firstIndex(of: name) else { return nil }
        return words[(index + 1)...].first { $0 != "=" }
    }

    /// Removes quotes: a completion gets the words as they are typed.
    private static func unquoted(_ word: String) -> String {
        let text = word.filter { !"'\"\\".contains($0) }
        guard text == "~" || text.hasPrefix("~/"), let home = unsafe getenv("HOME") else { return text }
        return unsafe String(cString: home) + text.dropFirst()
    }
}

extension [String] {
    /// The candidates with this prefix that need no quoting. ArgumentParser's script for bash passes them to
    /// `compgen -W`, which expands them, so a command in a document's name would run.
    func offered(behind prefix: String) -> [String] {
        filter { $0.hasPrefix(prefix) && $0.unicodeScalars.allSatisfy(\.isPlainInShells) }
    }
}

extension Unicode.Scalar {
    /// Whether the character is a letter or a digit of any script, or has no special meaning in shells.
    fileprivate var isPlainInShells: Bool {
        guard isASCII else { return properties.isAlphabetic }
        let byte = UInt8(ascii: self)
        return byte.isLetter || byte.isDigit || "-_./:+@%,=".utf8.contains(byte)
    }
}

/// `nil` if `body` fails or takes longer than a user would wait.
private func beforePatienceEnds(_ body: @escaping @Sendable () async throws -> [String]) async -> [String]? {
    await withTaskGroup(of: [String]?.self) { group in
        group.addTask { try? await body() }
        group.addTask {
            try? await Task.sleep(for: .seconds(5))
            return nil
        }
        defer { group.cancelAll() }
        return await group.next() ?? nil
    }
}

extension Logger {
    fileprivate static var silent: Logger { Logger(label: "widgetbridge") { _ in SwiftLogNoOpLogHandler() } }
}

extension Terminal {
    fileprivate static var silent: Terminal { Terminal(output: { _ in .all }, errors: { _ in .all }) }
}
