import BridgeRuntime
import CLinux
import Foundation
import Glibc
import TestBridge
import TestWorld

/// Two containers and a state directory on the disk.
struct RealBridge: Sendable {
    let root: String

    var app: String { "\(root)/app" }
    var group: String { "\(root)/group" }
    var state: String { "\(root)/state" }
    var places: [String] { ["--app", app, "--group", group, "--state", state] }
    var flags: [String] { places + ["--durability", "none"] }

    /// The options as a hint repeats them.
    var hintFlags: String { flags.joined(separator: " ") }

    /// As version 1 of the budget app writes it.
    static let oldBudget = """
        {"spent":450.50,"limit":800,"month":"Gennaio 2026","currency":"€","isDarkMode":false,\
        "lastUpdated":"2026-01-18T14:30:00.000Z","groupId":"0b8f1d8e-3f5c-4a5e-9d55-000000000001"}
        """

    /// Runs `body` in a new directory, which is removed afterwards.
    static func with<Result>(_ body: (RealBridge) async throws -> Result) async throws -> Result {
        try await withDirectory { root in
            let bridge = RealBridge(root: root)
            for directory in [bridge.app, bridge.group] {
                try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
            }
            return try await body(bridge)
        }
    }

    /// Runs `body` with an agent that is ready.
    static func withAgent<Result>(
        _ moreFlags: String...,
        body: (RealBridge) async throws -> Result
    ) async throws -> Result {
        try await with { bridge in
            let agent = try await bridge.startAgent(moreFlags)
            let result = try await body(bridge)
            try await bridge.end(agent)
            return result
        }
    }

    func end(_ agent: Running) async throws {
        agent.send(SIGTERM)
        guard await agent.ended().status == 0 else { throw Gone() }
    }

    func startAgent(_ moreFlags: [String] = [], through wrapper: [String] = []) async throws -> Running {
        let agent = try Running(["agent"] + flags + moreFlags, through: wrapper)
        guard await agent.line() == "ready" else {
            throw Failed(ended: await agent.ended())
        }
        return agent
    }

    struct Failed: Error { var ended: Binary.Ended }

    func run(_ arguments: String..., input: String = "") async throws -> Binary.Ended {
        try await Binary.run(arguments + flags, input: input)
    }

    /// With a timeout longer than any machine needs.
    func wait() async throws -> Binary.Ended { try await run("wait", "--timeout", "60s") }

    /// Saves as an app should: to a temporary file, which is renamed.
    /// `isOld`: last modified an hour ago, as documents usually are.
    func save(_ text: String, as name: String, in container: String, isOld: Bool = false) throws {
        let temporary = "\(container)/.\(UUID().uuidString).tmp"
        try write(text, to: temporary)
        if isOld {
            let past: [FileAttributeKey: Any] = [.modificationDate: Date(timeIntervalSinceNow: -3_600)]
            try FileManager.default.setAttributes(past, ofItemAtPath: temporary)
        }
        guard unsafe rename(temporary, "\(container)/\(name)") == 0 else { throw Gone() }
    }

    func read(_ name: String, in container: String) -> String? {
        FileManager.default.contents(atPath: "\(container)/\(name)").map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// What `stat` tells of the directories and of all that is beneath them, except when it was read.
    func allFiles() throws -> [String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: root).sorted()
        return ([""] + names).map { name in
            var status = stat()
            let isThere = unsafe lstat("\(root)/\(name)", &status) == 0
            return "\(name) \(isThere) \(status.st_ino) \(status.st_mode) \(status.st_size) "
                + "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) "
                + "\(status.st_ctim.tv_sec).\(status.st_ctim.tv_nsec)"
        }
    }

    func status() async throws -> BridgeStatus {
        let ended = try await run("status", "--json")
        return try JSONDecoder().decode(BridgeStatus.self, from: Data(ended.output.utf8))
    }
}
