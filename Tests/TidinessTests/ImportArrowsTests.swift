import Foundation
import Testing

/// Who may import whom. What is not here may not be imported; a module that is not here may not exist.
private let mayImport: [String: Set<String>] = [
    "Reconciliation": [],
    "Documents": ["Yams"],
    "Storage": ["CLinux", "Crypto", "Foundation", "Glibc", "GRDB", "Reconciliation"],
    "FileSystemSimulation": ["Glibc", "Reconciliation", "Storage"],
    "Processes": ["CLinux", "Glibc"],
    "Watching": ["Glibc", "Processes", "Reconciliation", "Storage"],
    "SyncEngine": ["Documents", "Reconciliation", "Storage"],
    "BackgroundAgent": [
        "CLinux", "Documents", "Glibc", "Reconciliation", "Storage", "SyncEngine", "Watching",
        "AsyncAlgorithms", "Foundation", "FoundationEssentials", "HTTPTypes", "Hummingbird",
        "HummingbirdCore", "Logging",
        "NIOCore", "NIOHTTP1", "NIOHTTPTypes", "NIOPosix", "ServiceLifecycle",
    ],
    "WidgetBridge": ["BackgroundAgent", "Documents", "Logging", "Reconciliation", "SyncEngine"],
    "RaceLab": [
        "CLinux", "Documents", "FileSystemSimulation", "Glibc", "Processes", "Reconciliation", "Storage",
        "SyncEngine", "Watching",
    ],
    "WatchHelper": ["CInotifyTools", "CWatchShim", "Glibc"],
    "Commands": [
        "BackgroundAgent", "Documents", "Processes", "RaceLab", "Reconciliation", "Storage", "SyncEngine",
        "Watching", "ArgumentParser", "FoundationEssentials", "Glibc", "Logging", "ServiceLifecycle",
        "UnixSignals",
        "Yams",
    ],
]

/// Written in C, and importing nothing of Swift's.
private let inC: Set<String> = ["CInotifyTools", "CLinux", "CWatchShim"]

/// Part of the standard library, and so free to all.
private let everywhere: Set<String> = ["Swift", "Synchronization"]

/// What would let the outer world into the modules that are to have none.
private let noClockNorTask = ["Reconciliation", "Documents", "SyncEngine"]
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

private func wrongImports(in files: [SourceFile]) -> [String] {
    files.flatMap { file in
        imports(of: file)
            .filter { !everywhere.contains($0) && !(mayImport[file.module]?.contains($0) ?? false) }
            .map { "\(file.path) imports \($0)" }
    }
}

private func wordsOfTheWorld(in files: [SourceFile]) -> [String] {
    files.filter { noClockNorTask.contains($0.module) }.flatMap { file in
        SwiftCode(file.text).words.filter { ofClocksAndTasks.contains($0.text) }
            .map { "\(file.path):\($0.line) speaks of \($0.text)" }
    }
}

@Suite("Import arrows")
struct ImportArrowsTests {
    @Test("point the one way they may")
    func point() throws {
        expectNone(wrongImports(in: try Project.swiftFiles(in: "Sources")))
    }

    @Test("are stated for every module, and for no other")
    func complete() throws {
        let modules = try Project.names(in: "Sources").filter { $0 != "LICENSE" }
        #expect(Set(modules) == Set(mayImport.keys).union(inC))
    }

    @Test("that point the wrong way are caught, however they are written")
    func caught() {
        let text = """
            import Swift
            @testable import Watching
            package import struct BackgroundAgent.Bridge
            // import Glibc
            let note = "import Crypto"
            """
        let file = SourceFile(path: "Sources/SyncEngine/Turn.swift", text: text)
        #expect(
            wrongImports(in: [file]) == [
                "Sources/SyncEngine/Turn.swift imports Watching",
                "Sources/SyncEngine/Turn.swift imports BackgroundAgent",
            ]
        )
        #expect(wrongImports(in: [SourceFile(path: "Sources/New/A.swift", text: "import Glibc")]).count == 1)
    }

    @Test("let no clock and no task into the pure modules")
    func pure() throws {
        expectNone(wordsOfTheWorld(in: try Project.swiftFiles(in: "Sources")))
    }

    @Test("let a clock in a pure module be caught")
    func impure() {
        let file = SourceFile(
            path: "Sources/SyncEngine/Turn.swift",
            text: "// await\nlet now = ContinuousClock.now\n"
        )
        #expect(wordsOfTheWorld(in: [file]) == ["Sources/SyncEngine/Turn.swift:2 speaks of ContinuousClock"])
    }
}
