import Foundation
import Synchronization
import TestBridge

@testable import Commands

/// The result of a command line.
struct Ran: Equatable {
    var status: CommandStatus
    var output = ""
    var errors = ""
}

/// Runs a command line in this process.
func run(_ arguments: [String], interactive: Bool = false, columns: Int? = nil) async -> Ran {
    let output = Collector()
    let errors = Collector()
    let terminal = Terminal(
        columns: columns,
        isInteractive: interactive,
        output: { output.take($0) },
        errors: { errors.take($0) }
    )
    let status = await Program.run(arguments, on: terminal)
    return Ran(status: status, output: output.text, errors: errors.text)
}

private final class Collector: Sendable {
    private let bytes = Mutex<[UInt8]>([])

    func take(_ more: [UInt8]) -> Terminal.Written {
        bytes.withLock { $0 += more }
        return .all
    }

    var text: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }
}

/// Creates an empty directory for `body`, and removes it.
func withDirectory<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let path = "/tmp/wb-commands-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try await body(path)
}

func write(_ text: String, to path: String) throws {
    guard FileManager.default.createFile(atPath: path, contents: Data(text.utf8)) else { throw Gone() }
}

/// Calls `body` with the options of a bridge whose agent is the fake.
func withAgent<Result: Sendable>(
    of bridge: FakeBridge,
    _ body: @Sendable @escaping (_ flags: [String]) async throws -> Result
) async throws -> Result {
    try await withServer(of: bridge) { socketPath in
        let state = String(socketPath.dropLast("/agent.sock".count))
        return try await body(["--app", "/app", "--group", "/group", "--state", state])
    }
}
