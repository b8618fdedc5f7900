import Foundation
import TestBridge
import TestWorld
import Testing

@testable import Commands

/// The original bytes are kept for `rollback`, whatever happens to the trash.
@Suite(.serialized, .timeLimit(.minutes(2))) struct MigrateOriginalsTests {
    private let v1 = LiveApp.first.v1
    private let v2 = LiveApp.first.v2

    private func v1(_ number: Int) -> String { v1.replacing("450.50", with: "\(number).50") }

    /// Runs a script with a small disk at `.state`; `$W` is the program.
    private func run(_ ground: MigrationGround, disk kibibytes: Int, _ script: String) async throws
        -> Running.Ended
    {
        let lines = [
            "cd \(ground.root)", "mkdir -p .state",
            "mount -t tmpfs -o size=\(kibibytes)k,mode=700 none .state",
            "W='\(Binary.path)'; F='--profile budget --state .state'", script,
        ]
        let command = Wrapper.withMounts + ["/bin/sh", "-c", lines.joined(separator: "\n")]
        return try await Running(command: command, environment: [:]).ended()
    }

    private static let fill = "dd if=/dev/zero of=.state/filler bs=4k 2> /dev/null"

    @Test func `Without room for the originals nothing is migrated`() async throws {
        try await MigrationGround.with { ground in
            for number in 1...20 { try ground.put(v1(number), "c\(number).json") }
            let ended = try await run(ground, disk: 256, "\(Self.fill)\n$W migrate apply $F c*.json")
            #expect(ended.status == 1 && ended.errors.contains("No space left on device"), "\(ended)")
            for number in 1...20 { #expect(ground.read("c\(number).json") == v1(number)) }
        }
    }

    /// 512 documents are migrated together; there is room for the first group.
    @Test func `If room runs out it is status 6, and can be continued or rolled back`()
        async throws
    {
        try await MigrationGround.with { ground in
            try FileManager.default.createDirectory(
                atPath: ground.path("c"),
                withIntermediateDirectories: false
            )
            for number in 1...600 { try ground.put(v1(number), "c/n\(number).json") }
            let script = """
                $W migrate apply $F --document budget.json c/*.json > /dev/null
                echo $?; grep -l '"version"' c/*.json | wc -l
                mount -o remount,size=16m .state
                $W migrate finish $F c/n1.json 2> /dev/null; echo $?
                $W migrate apply $F --document budget.json c/*.json > /dev/null; echo $?
                grep -l '"version"' c/*.json | wc -l
                $W migrate rollback $F --document budget.json c/*.json > /dev/null; echo $?
                """
            let ended = try await run(ground, disk: 2_400, script)
            let lines = ended.output.split(separator: "\n").map(String.init)
            #expect(lines == ["6", "512", "6", "0", "600", "0"], "\(ended)")
            #expect((1...600).allSatisfy { ground.read("c/n\($0).json") == v1($0) })
        }
    }

    @Test func `Originals are kept until the migration is finished`() async throws {
        try await MigrationGround.with { ground in
            try ground.put(v1, "a.json")
            #expect(await ground.migrate("finish", "D/a.json").output == "nothing is kept for `rollback`\n")
            _ = await ground.migrate("apply", "D/a.json")
            let status = await ground.migrate("status", "D/a.json")
            #expect(
                status.output.contains(
                    "1 original document (4 KiB) kept for `rollback`; `widgetbridge migrate finish "
                )
            )
            let finished = await ground.migrate("finish", "D/a.json")
            let words = "1 original document (4 KiB) deleted: `rollback` is no longer possible\n"
            #expect(finished.status == .done && finished.output == words)
            let again = await ground.migrate("finish", "--json", "D/a.json")
            #expect(again.status == .done && again.output == #"{"freedFiles":0,"freedBytes":0}"# + "\n")
            let refused = await ground.migrate("rollback", "D/a.json")
            #expect(
                refused.status == .failed && refused.errors.contains("D/a.json; its old bytes were deleted")
            )
            #expect(ground.read("a.json") == v2)
            try ground.put(v1, "a.json")
            _ = await ground.migrate("apply", "D/a.json")
            #expect(await ground.migrate("rollback", "D/a.json").status == .done)
            #expect(ground.read("a.json") == v1)
        }
    }

    @Test func `Originals of a migration that was rolled back are not kept for rollback`() async throws {
        try await MigrationGround.with { ground in
            try ground.put(v1, "a.json")
            try ground.put(v1(7), "b.json")
            func status() async -> String {
                await ground.migrate("status", "D/a.json", "D/b.json", "--document", "budget.json").output
            }
            func migrate(_ action: String, _ names: String...) async -> Ran {
                await ground.migrate([action] + names + ["--document", "budget.json"])
            }
            #expect(await migrate("apply", "D/a.json", "D/b.json").status == .done)
            #expect(await status().contains("2 original documents (8 KiB) kept for `rollback`; "))
            #expect(await migrate("rollback", "D/a.json").status == .done)
            #expect(await status().contains("2 original documents (8 KiB) kept, of which 1 for `rollback`; "))
            #expect(await migrate("rollback", "D/b.json").status == .done)
            #expect(await migrate("rollback", "D/a.json", "D/b.json").output == "nothing to bring back\n")
            let none = "2 original documents (8 KiB) kept, and `rollback` needs none of them; "
            #expect(await status().contains(none + "`widgetbridge migrate finish "))
            #expect(await migrate("finish", "D/a.json", "D/b.json").status == .done)
            #expect(await !status().contains("original"))
        }
    }

    @Test func `Named documents are finished, and the others can be rolled back`() async throws {
        try await MigrationGround.with { ground in
            let names = (1...4).map { "c/b\($0).json" }
            func migrate(_ action: String, _ places: String...) async -> Ran {
                let places = places.map { "D/\($0)" }
                return await ground.migrate([action] + places + ["--document", "budget.json"])
            }
            try FileManager.default.createDirectory(
                atPath: ground.path("c"),
                withIntermediateDirectories: false
            )
            // The last two have the same content.
            let old = [1, 2, 3, 3].map { v1($0) }
            for (name, text) in zip(names, old) { try ground.put(text, name) }
            #expect(await migrate("apply", names[0], names[1], names[2], names[3]).status == .done)
            #expect(await migrate("status", names[0]).output.contains("1 original document ("))
            let first = await migrate("finish", names[0])
            #expect(first.status == .done && first.output.hasPrefix("1 original document ("), "\(first)")
            let third = await migrate("finish", names[2])
            #expect(third.output.hasPrefix("0 original documents (0 KiB) deleted: "), "\(third)")
            for name in [names[0], names[2]] {
                let refused = await migrate("rollback", names[1], name)
                #expect(refused.status == .failed && refused.errors.contains("D/\(name); its old bytes were"))
            }
            #expect(ground.read(names[1]) != old[1])
            // Without names, all unfinished documents of the last migration.
            #expect(await migrate("rollback", "c").status == .done)
            #expect(zip(names, old).map { ground.read($0) == $1 } == [false, true, false, true])
            #expect(await migrate("finish", "c").output.hasPrefix("2 original documents ("))
            #expect(ground.state("/originals/").isEmpty)
        }
    }

    @Test func `Originals that an older release left in the trash are restored from there`() async throws {
        try await MigrationGround.with { ground in
            try ground.put(v1, "a.json")
            _ = await ground.migrate("apply", "D/a.json")
            let original = try #require(ground.state("originals/").first)
            let trash = original.replacing("/originals/", with: "/trash/")
            try FileManager.default.moveItem(atPath: original, toPath: trash)
            #expect(await ground.migrate("rollback", "D/a.json").status == .done)
            #expect(ground.read("a.json") == v1)
        }
    }

    @Test func `A finished migration of a bridge is final, and its originals are deleted`()
        async throws
    {
        try await RealBridge.with { bridge in
            func migrate(_ words: String...) async throws -> Binary.Ended {
                try await Binary.run(["migrate"] + words + bridge.flags + ["--profile", "budget"])
            }
            try bridge.save(v1, as: "budget.json", in: bridge.app)
            #expect(try await bridge.run("sync", "--profile", "budget").status == 0)
            #expect(try await migrate("apply").status == 0)
            #expect(try await migrate("finish").status == 0)
            for force in [[], ["--force"]] {
                let words = ["migrate", "rollback", "--profile", "budget"] + force + bridge.flags
                let refused = try await Binary.run(words)
                let reason = "its migration is finished, by `migrate finish`, budget.json; its old bytes were"
                #expect(refused.status == 1 && refused.errors.contains(reason), "\(refused)")
            }
            #expect(bridge.read("budget.json", in: bridge.app) == v2)
            let kept = try ["originals", "trash"].flatMap {
                try FileManager.default.contentsOfDirectory(atPath: "\(bridge.state)/\($0)")
            }
            #expect(kept.isEmpty)
            #expect(try await bridge.run("history", "--profile", "budget").output.contains("budget") == false)
        }
    }

    @Test func `A bridge's originals are not in the trash, which may be emptied`() async throws {
        try await RealBridge.with { bridge in
            let flags = bridge.flags + ["--profile", "budget"]
            try bridge.save(v1, as: "budget.json", in: bridge.app)
            for words in [["sync"], ["migrate", "apply"]] {
                #expect(try await Binary.run(words + flags).status == 0)
            }
            #expect(bridge.read("budget.json", in: bridge.app) == v2)
            try FileManager.default.removeItem(atPath: "\(bridge.state)/trash")
            let back = try await Binary.run(["migrate", "rollback"] + flags)
            #expect(back.status == 0, "\(back)")
            #expect(bridge.read("budget.json", in: bridge.app) == v1)
            let finished = try await Binary.run(["migrate", "finish"] + flags)
            #expect(finished.status == 0 && finished.output.contains("1 original document"))
        }
    }
}
