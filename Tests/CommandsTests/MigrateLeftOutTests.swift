import TestBridge
import Testing

@testable import Commands

/// Documents that a migration leaves unchanged, its reports, and the history.
@Suite struct MigrateLeftOutTests {
    private let v1 = LiveApp.first.v1
    private let v2 = LiveApp.first.v2
    private var broken: String { v2.replacing(#""month""#, with: #""mnth""#) }

    @Test(arguments: ["status", "plan", "verify"])
    func `A document of the target version that violates its schema is reported`(_ command: String)
        async throws
    {
        try await MigrationGround.with { ground in
            try ground.put(broken, "a.json")
            let ran = await ground.migrate(command, "D/a.json")
            #expect(ran.status == .needsDecision && ran.output.contains("INVALID"))
            #expect(
                ran.errors.contains("the document has no `month`") || ran.errors.contains("has no `month`")
            )
            #expect(ran.errors.contains("D/a.json:"))
            #expect(ground.read("a.json") == broken)
        }
    }

    @Test func `Documents that cannot be migrated are skipped on request`() async throws {
        try await MigrationGround.with { ground in
            try ground.put(v1, "a.json")
            let wrong = v1.replacing(#""spent""#, with: #""spnt""#)
            try ground.put(wrong, "b.json")
            let refused = await ground.migrate("apply", "D/a.json", "D/b.json")
            #expect(refused.status == .failed && ground.read("a.json") == v1)
            #expect(
                await ground.migrate("plan", "--skip-blocked", "D/a.json", "D/b.json").status
                    == .needsDecision
            )
            let applied = await ground.migrate("apply", "--skip-blocked", "D/a.json", "D/b.json")
            #expect(applied.status == .needsDecision && applied.output.contains("1 migrated, 1 blocked"))
            #expect(applied.errors.contains("D/b.json") && applied.errors.contains("it was left unchanged"))
            #expect(ground.read("a.json") == v2 && ground.read("b.json") == wrong)
        }
    }

    @Test func `A file that the plan does not have is refused`() async throws {
        try await MigrationGround.with { ground in
            try ground.put(v1, "a.json")
            try ground.put(v1, "b.json")
            _ = await ground.migrate("plan", "--out", "D/plan", "D/a.json")
            let other = await ground.migrate("apply", "--plan", "D/plan", "D/b.json")
            #expect(other.status == .usage && other.errors.contains("does not have this document, D/b.json"))
            #expect(ground.read("b.json") == v1)
        }
    }

    @Test func `An edited plan is refused`() async throws {
        try await MigrationGround.with { ground in
            try ground.put(v1, "a.json")
            _ = await ground.migrate("plan", "--out", "D/plan", "D/a.json")
            let plan = try #require(ground.read("plan"))
            try ground.put(plan.replacing(#""to" : 2"#, with: #""to" : 1"#), "plan")
            let edited = await ground.migrate("apply", "--plan", "D/plan")
            #expect(edited.status == .drift && edited.errors.contains("the plan was edited"))
            #expect(ground.read("a.json") == v1)
        }
    }

    @Test func `The history lists each migration and its outcome`() async throws {
        try await MigrationGround.with { ground in
            try ground.put(v1, "a.json")
            try ground.put(v1, "b.json")
            #expect(await ground.migrate("history", "D/a.json").output == "no migration yet\n")
            _ = await ground.migrate("apply", "D/a.json", "D/b.json")
            let applied = await ground.migrate("history", "D/a.json", "D/b.json")
            #expect(
                applied.status == .done && applied.output.contains("  1 → 2  applied  D/a.json, D/b.json")
            )
            _ = await ground.migrate("rollback", "D/a.json")
            let partly = await ground.migrate("history", "D/a.json", "D/b.json")
            #expect(partly.output.contains("partly rolled back"))
            let json = await ground.migrate("history", "--json", "D/a.json")
            #expect(json.output.contains(#""state":"rolledBack""#) && json.output.contains(#""id":1"#))
        }
    }

    @Test func `An unreadable log is reported`() async throws {
        try await MigrationGround.with { ground in
            try ground.put(v1, "a.json")
            _ = await ground.migrate("apply", "D/a.json")
            for log in ground.state(".log") { try write("rubbish\n", to: log) }
            for command in ["history", "rollback", "status"] {
                let ran = await ground.migrate(command, "D/a.json")
                #expect(ran.status == .failed && ran.errors.contains("migrations/1.log"))
            }
        }
    }
}
