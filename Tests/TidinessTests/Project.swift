import Foundation
import TestWorld
import Testing

/// This project's own files.
enum Project {
    /// The directory that holds `Package.swift`.
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Where the programs are that were built together with these tests.
    static var binaries: URL {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    }

    static func text(of path: String) throws -> String {
        String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
    }

    /// The names in a directory, sorted, without hidden ones.
    static func names(in directory: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appending(path: directory).path)
            .filter { !$0.hasPrefix(".") }.sorted()
    }

    /// All files beneath these directories that end so.
    static func files(in directories: [String], endingIn endings: [String]) throws -> [SourceFile] {
        try directories.flatMap { directory in
            try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: directory).path)
                .filter { path in endings.contains { path.hasSuffix($0) } }
                .sorted()
                .map { SourceFile(path: "\(directory)/\($0)", text: try text(of: "\(directory)/\($0)")) }
        }
    }

    static func swiftFiles(in directories: String...) throws -> [SourceFile] {
        try files(in: directories, endingIn: [".swift"])
    }
}

/// A file, with its path from the project's root.
struct SourceFile: Sendable {
    var path: String
    var text: String

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
    /// Of `Sources/StateStore/Journal/Journal.swift` it is `StateStore`.
    var module: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
}

/// Reports each of these as a failure of its own.
func expectNone(_ found: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    for violation in found { Issue.record(Comment(rawValue: violation), sourceLocation: sourceLocation) }
}

/// Runs a program to its end and gives all it printed. Nothing is blocked meanwhile: other tests go on.
func output(
    of program: String,
    _ arguments: [String] = [],
    in directory: URL = Project.root,
    environment: [String: String] = [:]
) async throws -> (status: Int32, text: String) {
    let running = try Running(
        command: [program] + arguments,
        in: directory.path,
        environment: environment,
        isMixed: true
    )
    running.write("")
    let ended = await running.ended()
    return (ended.status, ended.output)
}

/// A directory that is gone again after `body`.
func withTemporaryDirectory<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let directory = FileManager.default.temporaryDirectory.appending(path: "tidiness-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    return try await body(directory)
}
