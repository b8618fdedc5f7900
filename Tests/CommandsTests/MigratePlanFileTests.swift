import DirectoryReplica
import Foundation
import Model
import Replica
import TestBridge
import TestWorld
import Testing

@testable import Commands

/// Saved plans, and changes between a plan and its application.
@Suite struct MigratePlanFileTests {
    private let v1 = LiveApp.first.v1
    private let v2 = LiveApp.first.v2

    private func edited(_ text: String) -> String { text.replacing("800.00", with: "900.00") }

    @Test func `A saved plan is carried out, and only once`() async throws {
        try await MigrationGround.with { ground in
            try ground.put(v1, "a.json")
            try ground.put(v1, "b.json")
            #expect(await ground.migrate("plan", "--out", "D/plan", "D/a.json").status == .changesPending)
            let applied = await ground.migrate("apply", "--plan", "D/plan")
            #expect(applied.status == .done && applied.errors.isEmpty)
            #expect(ground.read("a.json") == v2 && ground.read("b.json") == v1)
            let again = await ground.migrate("apply", "--plan", "D/plan", profile: nil)
            #expect(again == Ran(status: .done, output: "0 migrated, 1 in that version already\n"))
        }
    }

    @Test func `A plan for the bridge of a configuration is carried out without naming the bridge`()
        async throws
    {
        try await withDirectory { directory in
            func run(_ arguments: String...) async throws -> Running.Ended {
                let environment = ["HOME": directory]
                let command = [Binary.path] + arguments
                return await (try Running(command: command, in: directory, environment: environment)).ended()
            }
            for side in ["app", "group"] {
                let path = "\(directory)/\(side)"
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            }
            try write(v1, to: "\(directory)/app/budget.json")
            let configuration = "app: app\ngroup: group\nstate: state\nprofile: budget\n"
            try write(configuration, to: "\(directory)/widgetbridge.yaml")
            #expect(try await run("sync").status == 0)
            #expect(try await run("migrate", "plan", "--out", "plan").status == 2)
            let applied = try await run("migrate", "apply", "--plan", "plan")
            #expect(applied.status == 0 && applied.output.contains("1 migrated"), "\(applied)")
        }
    }

    @Test func `A plan tells directories apart whose names only look alike`() async throws {
        try await MigrationGround.with { ground in
            let directories = ["cafe\u{301}", "caf\u{E9}"]
            for directory in directories {
                let path = ground.path(directory)
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
                try ground.put(v1, "\(directory)/a.json")
            }
            let files = directories.map { "D/\($0)/a.json" }
            #expect(
                await ground.migrate("plan", "--out", "D/plan", files[0], files[1]).status == .changesPending
            )
            let one = await ground.migrate("apply", "--plan", "D/plan", files[1], profile: nil)
            #expect(one.output.contains("1 migrated"), "\(one)")
            #expect(
                ground.read("\(directories[0])/a.json") == v1 && ground.read("\(directories[1])/a.json") == v2
            )
            let rest = await ground.migrate("apply", "--plan", "D/plan", profile: nil)
            #expect(rest.output.contains("1 migrated, 1 in that version already"), "\(rest)")
            #expect(ground.read("\(directories[0])/a.json") == v2)
        }
    }

    @Test func `Only the named files of a plan are migrated`() async throws {
        try await MigrationGround.with { ground in
            for name in ["a.json", "b.json", "c.json"] { try ground.put(v1, name) }
            _ = await ground.migrate("plan", "--out", "D/plan", "D/a.json", "D/b.json", "D/c.json")
            let one = await ground.migrate("apply", "--plan", "D/plan", "D/b.json", profile: nil)
            #expect(one.status == .done && one.errors.isEmpty && one.output.contains("1 migrated"), "\(one)")
            #expect(ground.read("a.json") == v1 && ground.read("b.json") == v2)
            // A change of another document does not matter.
            try ground.put(edited(v1), "c.json")
            let next = await ground.migrate("apply", "--plan", "D/plan", "D/a.json", "D/b.json")
            #expect(next.status == .done && ground.read("a.json") == v2, "\(next)")
            let rest = await ground.migrate("apply", "--plan", "D/plan")
            #expect(
                rest.status == .drift && rest.errors.contains("since the plan was made, D/c.json"),
                "\(rest)"
            )
            try ground.put(v1, "c.json")
            let all = await ground.migrate("apply", "--plan", "D/plan")
            #expect(all.status == .done && ground.read("c.json") == v2, "\(all)")
        }
    }

    /// The edited text, and what replaces it.
    @Test(arguments: [
        (#""b.json""#, #""a.json""#), (#""from" : 1"#, #""from" : 3"#), (#""profile""#, #""profil""#),
        (#"  "digest""#, #"  "digst""#),
    ])
    func `A plan that was edited by hand is refused`(old: String, new: String) async throws {
        try await MigrationGround.with { ground in
            try ground.put(v1, "a.json")
            try ground.put(v1, "b.json")
            _ = await ground.migrate("plan", "--out", "D/plan", "D/a.json", "D/b.json")
            let plan = try #require(ground.read("plan"))
            #expect(plan.contains(old))
            try ground.put(plan.replacing(old, with: new), "plan")
            let ran = await ground.migrate("apply", "--plan", "D/plan")
            let isNone = old == #""profile""#
            #expect(ran.status == (isNone ? .failed : .drift) && ran.output.isEmpty)
            let words = isNone ? "not a migration plan" : "the plan was edited since it was made"
            #expect(ran.errors.contains(words), "\(ran)")
            #expect(ground.read("a.json") == v1 && ground.read("b.json") == v1)
        }
    }

    @Test func `A plan from which a document was removed is refused`() async throws {
        try await MigrationGround.with { ground in
            try ground.put(v1, "a.json")
            try ground.put(v1, "b.json")
            _ = await ground.migrate("plan", "--out", "D/plan", "D/a.json", "D/b.json")
            let plan = try #require(ground.read("plan"))
            let start = try #require(plan.range(of: "        {\n"))
            let end = try #require(plan.range(of: "        },\n"))
            try ground.put(plan.replacing(plan[start.lowerBound..<end.upperBound], with: ""), "plan")
            let ran = await ground.migrate("apply", "--plan", "D/plan")
            #expect(
                ran.status == .drift && ran.errors.contains("the plan was edited since it was made"),
                "\(ran)"
            )
            #expect(ground.read("a.json") == v1 && ground.read("b.json") == v1)
        }
    }

    @Test func `A plan replaces an older plan, and no other file`() async throws {
        try await MigrationGround.with { ground in
            try ground.put(v1, "a.json")
            try ground.put("# notes\n", "notes")
            for file in ["D/a.json", "D/notes"] {
                let ran = await ground.migrate("plan", "--out", file, "D/a.json")
                #expect(ran.status == .usage && ran.output.isEmpty, "\(ran)")
                #expect(ran.errors.contains("the file exists and holds something else, \(file)"), "\(ran)")
            }
            #expect(ground.read("a.json") == v1 && ground.read("notes") == "# notes\n")
            for _ in 0..<2 {
                let ran = await ground.migrate("plan", "--out", "D/plan", "D/a.json")
                #expect(ran.status == .changesPending && ran.errors.isEmpty)
            }
            let device = await ground.migrate("plan", "--out", "/dev/null", "D/a.json")
            #expect(device.status == .changesPending)
            #expect(
                (try FileManager.default.attributesOfItem(atPath: "/dev/null"))[.type] as? FileAttributeType
                    == .typeCharacterSpecial
            )
            try FileManager.default.createDirectory(
                atPath: ground.path("c"),
                withIntermediateDirectories: false
            )
            try ground.put(v1, "c/budget.json")
            let document = await ground.migrate("plan", "--out", "D/c/new.json", "D/c")
            #expect(
                document.status == .usage && document.errors.contains("would be a document"),
                "\(document)"
            )
            #expect(ground.read("c/new.json") == nil)
            #expect(await ground.migrate("plan", "--out", "D/c/plan", "D/c").status == .changesPending)
        }
    }

    @Test func `A saved plan with a changed input is not begun`() async throws {
        try await MigrationGround.with { ground in
            try ground.put(v1, "a.json")
            try ground.put(v1, "b.json")
            _ = await ground.migrate("plan", "--out", "D/plan", "D/a.json", "D/b.json")
            try ground.put(edited(v1), "b.json")
            let dry = await ground.migrate("apply", "--plan", "D/plan", "--dry-run")
            #expect(dry.status == .drift)
            let moved = await ground.migrate("apply", "--plan", "D/plan")
            #expect(moved.status == .drift && moved.output.isEmpty)
            let line =
                "it was changed since the plan was made, D/b.json; look at it and plan again; nothing was written"
            #expect(moved.errors == "widgetbridge: \(line)\n")
            #expect(ground.read("a.json") == v1 && ground.read("b.json") == edited(v1))
            try ground.delete(ground.path("b.json"))
            let gone = await ground.migrate("apply", "--plan", "D/plan")
            #expect(gone.status == .drift && gone.errors.contains("it cannot be read any more, D/b.json"))
        }
    }

    @Test func `A plan of another release, and an invalid plan, are refused`() async throws {
        try await MigrationGround.with { ground in
            try ground.put(v1, "a.json")
            _ = await ground.migrate("plan", "--out", "D/plan", "D/a.json")
            let plan = try #require(ground.read("plan"))
            try ground.put(plan.replacing(#""version" : 2"#, with: #""version" : 1"#), "plan")
            let other = await ground.migrate("apply", "--plan", "D/plan")
            #expect(other.status == .failed)
            let line = "a plan of another release (format 1, this one knows 2), D/plan; plan again"
            #expect(other.errors == "widgetbridge: \(line)\n")
            try ground.put(v1, "plan")
            let none = await ground.migrate("apply", "--plan", "D/plan")
            #expect(none.status == .failed && none.errors.contains("not a migration plan, D/plan"))
            #expect(await ground.migrate("apply", "--plan", "D/no").errors.contains("cannot read the file"))
            #expect(ground.read("a.json") == v1)
        }
    }

    @Test func `Documents edited since are not rolled back without force`() async throws {
        try await MigrationGround.with { ground in
            try ground.put(v1, "a.json")
            try ground.put(v1, "b.json")
            _ = await ground.migrate("apply", "D/a.json", "D/b.json")
            try ground.put(edited(v2), "b.json")
            let refused = await ground.migrate("rollback", "D/a.json", "D/b.json")
            #expect(refused.status == .drift && refused.output.isEmpty)
            #expect(refused.errors.hasPrefix("widgetbridge: edited since it was migrated, D/b.json; --force"))
            #expect(ground.read("a.json") == v2 && ground.read("b.json") == edited(v2))
            let forced = await ground.migrate("rollback", "--force", "D/a.json", "D/b.json")
            #expect(forced.status == .done)
            let kept = try #require(ground.state(Digest(of: Array(edited(v2).utf8)).hex).first)
            #expect(FileManager.default.contents(atPath: kept) == Data(edited(v2).utf8))
            let name = kept.replacing(ground.path(""), with: "D/")
            #expect(
                forced.output.contains(
                    "D/b.json  2 → 1  brought back over an edit, which is kept as \(name)\n"
                )
            )
            #expect(ground.read("a.json") == v1 && ground.read("b.json") == v1)
        }
    }

    @Test func `A rollback without originals is refused, and writes nothing`() async throws {
        try await MigrationGround.with { ground in
            try ground.put(v1, "a.json")
            _ = await ground.migrate("apply", "D/a.json")
            for file in ground.state("originals/") { try ground.delete(file) }
            let gone = await ground.migrate("rollback", "D/a.json")
            #expect(gone.status == .failed && gone.output.isEmpty)
            #expect(gone.errors.hasPrefix("widgetbridge: the old bytes, sha256:"))
            #expect(gone.errors.contains("are no longer kept, D/a.json; take them from a backup"))
            #expect(ground.read("a.json") == v2)
        }
    }

    @Test func `A killed run is continued, and rolled back as one`() async throws {
        try await MigrationGround.with { ground in
            try ground.put(v1, "a.json")
            try ground.put(v1, "b.json")
            _ = await ground.migrate("apply", "D/a.json", "D/b.json")
            // As after a kill behind the first document.
            for file in ground.state(".done") { try ground.delete(file) }
            try ground.put(v1, "b.json")
            let status = await ground.migrate("status", "D/a.json", "D/b.json")
            #expect(status.status == .changesPending)
            #expect(
                status.output.replacing("\n", with: " ").contains(
                    "a migration is incomplete; `widgetbridge migrate apply "
                )
            )
            let applied = await ground.migrate("apply", "D/a.json", "D/b.json")
            #expect(applied.status == .done && ground.read("b.json") == v2)
            #expect(await ground.migrate("status", "D/a.json", "D/b.json").status == .done)
            #expect(await ground.migrate("rollback", "D/a.json", "D/b.json").status == .done)
            #expect(ground.read("a.json") == v1 && ground.read("b.json") == v1)
        }
    }

    @Test func `Files that a killed run left beside a document are removed`() async throws {
        try await MigrationGround.with { ground in
            try FileManager.default.createDirectory(
                atPath: ground.path("c"),
                withIntermediateDirectories: false
            )
            try ground.put(v1, "c/budget.json")
            _ = await ground.migrate("apply", "D/c")
            let name = try #require(ground.state("originals/").first)
            // The old file is still where the exchange put it.
            let old = Digest(of: Array(v1.utf8))
            let temporary = TemporaryName(
                of: try #require(RelativePath("budget.json")),
                content: Digest(of: Array(v2.utf8)),
                expected: old,
                number: 1
            )
            try FileManager.default.moveItem(atPath: name, toPath: ground.path("c/\(temporary.text)"))
            #expect(await ground.migrate("rollback", "D/c").status == .done)
            #expect(ground.read("c/budget.json") == v1)
            let names = try FileManager.default.contentsOfDirectory(atPath: ground.path("c"))
            #expect(names == ["budget.json"])
        }
    }
}
