import Foundation
import TestBridge
import Testing

@testable import Commands

/// A program has a file open for writing while it is migrated or rolled back.
@Suite struct MigrateRaceTests {
    private let v1 = LiveApp.first.v1
    private let v2 = LiveApp.first.v2

    /// Writes in place after another content has got the name.
    private func write(
        _ text: String,
        once isReplaced: () async throws -> Bool,
        into file: FileHandle
    ) async throws {
        #expect(try await eventually(isReplaced))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }

    @Test func `A save that cannot be merged is kept, and reported with its path`() async throws {
        try await MigrationGround.with { ground in
            try ground.put(v1, "a.json")
            let file = try #require(FileHandle(forUpdatingAtPath: ground.path("a.json")))
            async let applied = ground.migrate("apply", "D/a.json")
            try await write(#"{"half"#, once: { ground.read("a.json") == v2 }, into: file)
            let ended = await applied
            #expect(ended.status == .needsDecision && ended.output.contains("done"))
            let told =
                "widgetbridge: a save made meanwhile cannot be merged with the document, D/a.json; "
            #expect(ended.errors.hasPrefix(told + "it is kept as D/.state/"))
            let words = ended.errors.split(whereSeparator: \.isWhitespace)
            let kept = String(try #require(words.last)).replacing("D/", with: "\(ground.root)/")
            #expect(FileManager.default.contents(atPath: kept) == Data(#"{"half"#.utf8))
        }
    }

    @Test func `A save merged by a later run is reported, even if that run migrates nothing`() async throws {
        try await MigrationGround.with { ground in
            try ground.put(v1, "a.json")
            let file = try #require(FileHandle(forUpdatingAtPath: ground.path("a.json")))
            let first = await ground.migrate("apply", "D/a.json")
            #expect(
                first.status == .partlyDone && first.errors.contains("still has the replaced file open"),
                "\(first)"
            )
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: Data(v1.replacing("800.00", with: "777.00").utf8))
            try file.close()
            let next = await ground.migrate("apply", "D/a.json")
            #expect(next.status == .done && next.output.hasPrefix("0 migrated"), "\(next)")
            let line = "widgetbridge: a save that was made meanwhile was merged into it, D/a.json\n"
            #expect(next.errors == line)
            #expect(ground.read("a.json")?.contains("777.00") == true)
        }
    }

    @Test func `A save of a deleted document is kept, and reported without the name of a temporary file`()
        async throws
    {
        try await MigrationGround.with { ground in
            try ground.put(v1, "a.json")
            let file = try #require(FileHandle(forUpdatingAtPath: ground.path("a.json")))
            #expect(await ground.migrate("apply", "D/a.json").status == .partlyDone)
            try ground.delete(ground.path("a.json"))
            let saved = v1.replacing("800.00", with: "777.00")
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: Data(saved.utf8))
            try file.close()
            try ground.put(v2, "b.json")
            let next = await ground.migrate("apply", "D/b.json")
            #expect(next.status == .needsDecision && !next.errors.contains(".widgetbridge-"), "\(next)")
            let told = "a save that was made meanwhile is of a document that no longer exists, D"
            #expect(next.errors.hasPrefix("widgetbridge: \(told); it is kept as D/.state/"), "\(next)")
            let kept = String(try #require(next.errors.split(whereSeparator: \.isWhitespace).last))
            let path = kept.replacing("D/", with: "\(ground.root)/")
            #expect(FileManager.default.contents(atPath: path) == Data(saved.utf8))
        }
    }

    @Test func `A document saved during a rollback is not reported as rolled back`() async throws {
        try await MigrationGround.with { ground in
            try ground.put(v1, "a.json")
            _ = await ground.migrate("apply", "D/a.json")
            let file = try #require(FileHandle(forUpdatingAtPath: ground.path("a.json")))
            async let brought = ground.migrate("rollback", "D/a.json")
            let edited = v2.replacing("800.00", with: "777.00")
            try await write(edited, once: { ground.read("a.json") == v1 }, into: file)
            let ended = await brought
            #expect(ended.status == .partlyDone)
            #expect(ended.output.contains("not brought back: it was changed meanwhile"))
            #expect(ground.read("a.json")?.contains("777.00") == true)
            // The original is still available.
            let forced = await ground.migrate("rollback", "--force", "D/a.json")
            #expect(forced.status == .done && ground.read("a.json") == v1)
        }
    }
}
