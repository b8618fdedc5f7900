import Foundation
import TestWorld
import Testing

/// The files of this project.
enum Project {
    /// The directory that holds `Package.swift`.
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The directory of the programs that were built with these tests.
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

    /// All files beneath these directories with one of these endings.
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
    /// The module: `StateStore` for `Sources/StateStore/Journal/Journal.swift`.
    var module: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
}

/// Reports each of these as a separate failure.
func expectNone(_ found: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    for violation in found { Issue.record(Comment(rawValue: violation), sourceLocation: sourceLocation) }
}

/// Runs a program to its end and returns its output. It blocks no other test.
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

/// Creates a directory for `body`, and removes it.
func withTemporaryDirectory<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let directory = FileManager.default.temporaryDirectory.appending(path: "tidiness-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    return try await body(directory)
}
