import Foundation
import Testing

/// The system modules that each module may import; `Package.swift` declares the others.
private let ofTheSystem: [String: Set<String>] = [
    "AgentAPI": ["FoundationEssentials"],
    "AgentClient": ["FoundationEssentials", "Glibc"],
    "AgentServer": ["FoundationEssentials", "Glibc"],
    "BridgeRuntime": ["Foundation", "FoundationEssentials", "Glibc"],
    "Commands": ["FoundationEssentials", "Glibc"],
    "FileSystemSimulation": ["Glibc"],
    "Hooks": ["Glibc"],
    "Model": ["Glibc"],
    "Presentation": ["Foundation"],
    "Processes": ["Foundation", "Glibc"],
    "RaceLab": ["Dispatch", "Glibc"],
    "RaceLabTesting": ["Testing"],
    "FileSystem": ["Glibc"],
    "StateStore": ["Foundation", "Glibc"],
    "StoreReplica": ["Glibc"],
    "DatabaseStore": ["Glibc"],
    "DirectoryReplica": ["Glibc"],
    "Doctor": ["FoundationEssentials", "Glibc"],
    "WatchHelper": ["Glibc"],
    "Watching": ["Glibc"],
    "WidgetBridge": ["FoundationEssentials"],
    "WidgetBridgeReader": ["FoundationEssentials", "Glibc"],
]

/// Modules that other packages import, and the modules that they must not depend on.
private let keptOut: [String: Set<String>] = [
    "WidgetBridge": ["AgentServer", "FileSystemSimulation", "Hummingbird", "NIOPosix", "RaceLab"],
    "WidgetBridgeClient": ["AgentServer", "FileSystemSimulation", "Hummingbird", "RaceLab"],
    "WidgetBridgeReader": ["BridgeRuntime", "GRDB", "NIOCore", "SyncEngine"],
    "WidgetBridgeTesting": ["AgentServer", "Hummingbird", "NIOPosix", "RaceLab"],
]

/// Modules that a module must never depend on: the engine accesses its sides only through `Replica`.
private let forbidden: [String: Set<String>] = [
    "Replica": ["FileSystem"],
    "SyncEngine": ["DirectoryReplica", "FileSystem", "FileSystemSimulation"],
]

/// The targets, as `swift package dump-package` describes them.
private struct PackageDescription: Decodable {
    var targets: [PackageTarget]

    static func read() async throws -> PackageDescription {
        try await withTemporaryDirectory { scratch in
            // With its own scratch path, because the build has a lock on the default one.
            let command = "swift package --scratch-path '\(scratch.path)' dump-package 2>/dev/null"
            let (status, text) = try await output(of: "/bin/sh", ["-c", command])
            try #require(status == 0)
            return try JSONDecoder().decode(Self.self, from: Data(text.utf8))
        }
    }

    /// The dependencies by name; a product of another package has one module with the same name.
    var dependencies: [String: Set<String>] {
        Dictionary(uniqueKeysWithValues: targets.map { ($0.name, Set($0.dependencies.map(\.name))) })
    }

    /// All modules that are linked with a module.
    func closure(of module: String) -> Set<String> {
        var found: Set<String> = []
        var rest = [module]
        while let next = rest.popLast() {
            for name in dependencies[next] ?? [] where found.insert(name).inserted { rest.append(name) }
        }
        return found
    }
}

private struct PackageTarget: Decodable {
    var name: String
    var path: String?
    var dependencies: [Dependency]

    struct Dependency: Decodable {
        var byName: [String?]?
        var product: [String?]?
        var name: String { (byName ?? product)?.first.flatMap(\.self) ?? "" }
    }
}

/// Part of the standard library, and so allowed everywhere.
private let everywhere: Set<String> = ["Swift", "Synchronization"]

/// Modules that must not access the system.
private let noClockNorTask = ["Model", "Documents", "Reloads", "SyncEngine"]
private let ofClocksAndTasks: Set<String> = [
    "ContinuousClock", "Date", "DispatchQueue", "SuspendingClock", "Thread", "async", "await",
]

private func imports(of file: SourceFile) -> [String] {
    let kinds: Set = ["struct", "class", "enum", "protocol", "typealias", "func", "var", "let"]
    return SwiftCode(file.text).lines.compactMap { line in
        let words = line.split(whereSeparator: { " .".contains($0) }).map(String.init)
        guard let keyword = words.firstIndex(of: "import"),
            words[..<keyword].allSatisfy({ $0.hasPrefix("@") || accessLevels.contains($0) })
        else { return nil }
        return words[(keyword + 1)...].first { !kinds.contains($0) }
    }
}

private let accessLevels: Set = ["public", "package", "internal", "fileprivate", "private"]

private func wrongImports(in files: [SourceFile], declared: [String: Set<String>]) -> [String] {
    files.flatMap { file in
        let allowed = everywhere.union(declared[file.module] ?? []).union(ofTheSystem[file.module] ?? [])
        return imports(of: file).filter { !allowed.contains($0) }.map { "\(file.path) imports \($0)" }
    }
}

private func unusedDependencies(in files: [SourceFile], declared: [String: Set<String>]) -> [String] {
    let used = Dictionary(grouping: files, by: \.module).mapValues { Set($0.flatMap(imports)) }
    return declared.sorted { $0.key < $1.key }.flatMap { module, names in
        names.subtracting(used[module] ?? []).sorted().map { "\(module) does not import \($0)" }
    }
}

private func wordsOfTheWorld(in files: [SourceFile]) -> [String] {
    files.filter { noClockNorTask.contains($0.module) }.flatMap { file in
        SwiftCode(file.text).words.filter { ofClocksAndTasks.contains($0.text) }
            .map { "\(file.path):\($0.line) speaks of \($0.text)" }
    }
}

@Suite("Imports")
struct ImportArrowsTests {
    @Test("are those that Package.swift declares, and all of those")
    func declared() async throws {
        let declared = try await PackageDescription.read().dependencies
        expectNone(wrongImports(in: try Project.swiftFiles(in: "Sources"), declared: declared))
        expectNone(unusedDependencies(in: try Project.swiftFiles(in: "Sources", "Tests"), declared: declared))
    }

    @Test("add nothing to the library that its users do not need", arguments: keptOut.keys)
    func library(_ module: String) async throws {
        let linked = try await PackageDescription.read().closure(of: module)
        expectNone(linked.intersection(keptOut[module] ?? []).sorted().map { "\(module) links \($0)" })
    }

    @Test("keep the engine away from the disk", arguments: forbidden.keys)
    func engine(_ module: String) async throws {
        let declared = try await PackageDescription.read().dependencies[module] ?? []
        expectNone(declared.intersection(forbidden[module] ?? []).sorted().map { "\(module) needs \($0)" })
    }

    @Test("in the wrong direction are detected, however they are written")
    func caught() {
        let text = """
            import Swift
            @testable import Watching
            package import struct BridgeRuntime.Bridge
            // import Glibc
            let note = "import Crypto"
            """
        let file = SourceFile(path: "Sources/SyncEngine/Turn.swift", text: text)
        #expect(
            wrongImports(in: [file], declared: ["SyncEngine": ["StateStore"]]) == [
                "Sources/SyncEngine/Turn.swift imports Watching",
                "Sources/SyncEngine/Turn.swift imports BridgeRuntime",
            ]
        )
        #expect(
            unusedDependencies(in: [file], declared: ["SyncEngine": ["StateStore", "Watching"]]).count == 1
        )
        let new = SourceFile(path: "Sources/New/A.swift", text: "import Glibc")
        #expect(wrongImports(in: [new], declared: [:]).count == 1)
    }

    @Test("keep clocks and tasks out of the pure modules")
    func pure() throws {
        expectNone(wordsOfTheWorld(in: try Project.swiftFiles(in: "Sources")))
    }

    @Test("of a clock in a pure module are detected")
    func impure() {
        let file = SourceFile(
            path: "Sources/SyncEngine/Turn.swift",
            text: "// await\nlet now = ContinuousClock.now\n"
        )
        #expect(wordsOfTheWorld(in: [file]) == ["Sources/SyncEngine/Turn.swift:2 speaks of ContinuousClock"])
    }
}
