import AgentClient
import BridgeRuntime
import Foundation
import GRDB
import Glibc
import Model
import TestWorld
import Testing

/// A journal that is locked by another process, or damaged.
@Suite(.timeLimit(.minutes(2))) struct JournalTests {
    private func journal(_ bridge: RealBridge) -> String { "\(bridge.state)/journal.sqlite" }

    @Test func `a lock of another process delays no document, and is reported`() async throws {
        try await RealBridge.withAgent { bridge in
            try bridge.save("[1]", as: "a.json", in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            let other = try locked(journal(bridge))
            for number in 2...4 {
                try bridge.save("[\(number)]", as: "a.json", in: bridge.app)
                #expect(try await eventually { bridge.read("a.json", in: bridge.group) == "[\(number)]" })
            }
            let reason = "the journal cannot be written: another process has locked it"
            #expect(try await eventually { try await bridge.status().reason?.text == reason })
            let told = try await bridge.wait()
            #expect(told == Binary.Ended(status: 1, errors: advice(bridge)))
            try release(other)
            #expect(try await bridge.wait().status == 0)
            let row = try #require(try await bridge.status().documents.first)
            #expect(row.generation == 4 && row.state == .synced)
        }
    }

    @Test
    func `a lock of another process is reported without an agent, and without advice to move the journal`()
        async throws
    {
        try await RealBridge.with { bridge in
            try bridge.save("[1]", as: "a.json", in: bridge.app)
            #expect(try await bridge.run("sync").status == 0)
            let other = try locked(journal(bridge))
            for command in ["sync", "status", "history"] {
                let told = try await bridge.run(command)
                #expect(told == Binary.Ended(status: 1, errors: advice(bridge)))
            }
            try release(other)
            #expect(try await bridge.run("sync").status == 0)
        }
    }

    private func advice(_ bridge: RealBridge) -> String {
        "widgetbridge: another process has locked the journal, \(journal(bridge)); "
            + "try again once the process that has it open has ended\n"
    }

    private func locked(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: path, configuration: configuration)
        try other.inDatabase { try $0.beginTransaction(.immediate) }
        return other
    }

    private func release(_ other: DatabaseQueue) throws {
        try other.inDatabase { try $0.rollback() }
        try other.close()
    }

    @Test func `a state restored from a copy continues above the published generations`() async throws {
        try await RealBridge.with { bridge in
            let backup = "\(bridge.root)/backup"
            try bridge.save("[1]", as: "a.json", in: bridge.group)
            #expect(try await bridge.run("sync").status == 0)
            _ = try await Attacked.shell("cp -a state backup", in: bridge.root)
            let first = try await bridge.startAgent()
            for number in 2...5 {
                try bridge.save("[\(number)]", as: "a.json", in: bridge.group)
                #expect(try await bridge.wait().status == 0)
            }
            let before = try await bridge.run("subscribe", "--count", "1").output
            try await bridge.end(first)
            _ = try await Attacked.shell("rm -rf state && mv \(backup) state", in: bridge.root)
            try bridge.save("[6]", as: "a.json", in: bridge.group)
            let second = try await bridge.startAgent()
            #expect(bridge.read("a.json", in: bridge.app) == "[6]")
            #expect(bridge.read("a.json", in: bridge.group) == "[6]")
            #expect(try await bridge.status().documents.map(\.generation) == [6])
            let cursor = try #require(before.split(separator: "\"").dropFirst(3).first)
            let after = try await bridge.run("subscribe", "--since", String(cursor), "--count", "1").output
            #expect(after.hasPrefix(#"{"gap":true,"#) && after.contains(#""generation":6"#), "\(after)")
            #expect(after.contains(cursor.prefix { $0 != ":" }) == false)
            try await bridge.end(second)
        }
    }

    @Test func `a damaged page ends a sync, and the next one sets the journal aside`() async throws {
        try await RealBridge.with { bridge in
            try bridge.save("[1]", as: "a.json", in: bridge.app)
            #expect(try await bridge.run("sync").status == 0)
            try damage("eventOfPath", journal(bridge))
            try bridge.save("[2]", as: "a.json", in: bridge.app)
            let ended = try await bridge.run("sync")
            #expect(ended.status == 1)
            #expect(ended.errors.contains("cannot use the journal: database disk image is malformed"))
            #expect(bridge.read("a.json", in: bridge.group) == "[2]")
            let next = try await bridge.run("sync")
            #expect(next.status == 0 && next.errors.contains("was set aside"))
            let names = try FileManager.default.contentsOfDirectory(atPath: bridge.state)
            #expect(names.contains("journal-broken.sqlite"))
            #expect(try await bridge.run("sync").errors == "")
        }
    }

    @Test func `a journal that cannot be read at the start is set aside by the next sync`() async throws {
        try await RealBridge.with { bridge in
            for name in ["a.json", "b.json"] { try bridge.save("[1]", as: name, in: bridge.app) }
            #expect(try await bridge.run("sync").status == 0)
            try damage("sqlite_autoindex_document_1", journal(bridge))
            try bridge.save("[2]", as: "a.json", in: bridge.app)
            let ended = try await bridge.run("sync")
            #expect(ended.status == 1 && ended.errors.contains("malformed"))
            // Without a base both sides would have changed; but the group's file has the bridge's own mark.
            let next = try await bridge.run("sync")
            #expect(next.status == 0 && next.errors.contains("was set aside"))
            #expect(bridge.read("a.json", in: bridge.group) == "[2]")
        }
    }

    @Test func `a dry run leaves a broken journal unchanged, and reports what a sync will do`() async throws {
        try await RealBridge.with { bridge in
            try bridge.save("[1]", as: "a.json", in: bridge.app)
            #expect(try await bridge.run("sync").status == 0)
            try Data("garbage".utf8).write(to: URL(filePath: journal(bridge)))
            let before = try FileManager.default.contentsOfDirectory(atPath: bridge.state).sorted()
            let looks = [
                ["sync", "--dry-run"], ["status"], ["history"], ["conflicts"], ["why", "a.json"],
                ["get", "a.json"],
            ]
            for look in looks {
                let ended = try await Binary.run(look + bridge.flags)
                #expect(ended.errors.contains("the next sync sets it aside"), "\(look): \(ended)")
                #expect(bridge.read("journal.sqlite", in: bridge.state) == "garbage", "\(look)")
                let after = try FileManager.default.contentsOfDirectory(atPath: bridge.state).sorted()
                #expect(after == before, "\(look)")
            }
            #expect(try await bridge.run("sync").errors.contains("was set aside"))
            #expect(try await bridge.run("status").errors == "")
        }
    }

    @Test func `each broken journal that was set aside is kept`() async throws {
        try await RealBridge.with { bridge in
            for text in ["first", "second", "third"] {
                #expect(try await bridge.run("sync").status == 0)
                for suffix in ["-wal", "-shm"] {
                    try? FileManager.default.removeItem(atPath: journal(bridge) + suffix)
                }
                try Data(text.utf8).write(to: URL(filePath: journal(bridge)))
            }
            #expect(try await bridge.run("sync").status == 0)
            let kept = ["", "-2", "-3"].map {
                bridge.read("journal-broken\($0).sqlite", in: bridge.state)
            }
            #expect(kept == ["first", "second", "third"])
        }
    }

    @Test func `an agent whose state is removed ends with a message, and nothing is lost`() async throws {
        try await RealBridge.with { bridge in
            let agent = try await bridge.startAgent()
            for name in ["a.json", "b.json"] { try bridge.save("[1]", as: name, in: bridge.app) }
            #expect(try await bridge.wait().status == 0)
            try FileManager.default.removeItem(atPath: bridge.state)
            try bridge.save("[2]", as: "a.json", in: bridge.app)
            let ended = await agent.ended()
            #expect(ended.status == 1)
            #expect(ended.errors.contains("journal: it was removed or replaced while the bridge was running"))
            #expect(bridge.read("b.json", in: bridge.group) == "[1]")
            let next = try await bridge.startAgent()
            for container in [bridge.app, bridge.group] {
                #expect(bridge.read("a.json", in: container) == "[2]")
                #expect(bridge.read("b.json", in: container) == "[1]")
            }
            try await bridge.end(next)
        }
    }

    /// Overwrites the first page of a table or an index with noise.
    private func damage(_ name: String, _ path: String) throws {
        let database = try DatabaseQueue(path: path)
        let (page, size) = try database.read { database in
            (
                try Int64.fetchOne(
                    database,
                    sql: "SELECT rootpage FROM sqlite_master WHERE name = ?",
                    arguments: [name]
                ) ?? 0, try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0
            )
        }
        try database.close()
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seek(toOffset: UInt64((page - 1) * size))
        try file.write(contentsOf: Data(repeating: 0x55, count: Int(size)))
        try file.close()
    }
}
