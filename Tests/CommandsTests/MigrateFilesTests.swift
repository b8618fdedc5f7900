import Documents
import FileSystem
import Foundation
import Model
import StateStore
import Testing

@testable import Commands

@Suite struct MigrateFilesTests {
    private let v1 = LiveApp.first.v1
    private let v2 = LiveApp.first.v2

    @Test func `A plan says what would be done, and that nothing was written`() async throws {
        try await MigrationGround.with { ground in
            try ground.put(v1, "budget.json")
            let plan = await ground.migrate("plan", "D/budget.json")
            #expect(plan.status == .changesPending && plan.errors.isEmpty)
            #expect(plan.output.hasPrefix("D/budget.json  1 → 2  LOSSLESS\n"))
            #expect(plan.output.contains("\n  + add `expenseCount`: 0\n"))
            #expect(plan.output.contains(#"{"op":"test","path":"","value":{"spent":450.50,"#))
            #expect(plan.output.contains("\n1 to migrate\nD: nothing was written: tree sha256:"))
            #expect(plan.output.hasSuffix(" before and after\n"))
            #expect(ground.read("budget.json") == v1)
            #expect(ground.state("").isEmpty)
            #expect(await ground.migrate("apply", "--dry-run", "D/budget.json") == plan)
        }
    }

    @Test func `A file that is named twice is one`() async throws {
        try await MigrationGround.with { ground in
            try ground.put(v1, "budget.json")
            let name = "D/budget.json"
            for command in ["plan", "apply"] {
                let ran = await ground.migrate(command, name, "D/./budget.json", name)
                #expect(
                    ran.output.contains(command == "plan" ? "\n1 to migrate\n" : "\n1 migrated\n"),
                    "\(ran)"
                )
            }
        }
    }

    @Test func `A plan's patch produces the document that it announces`() async throws {
        try await MigrationGround.with { ground in
            try ground.put(v1, "budget.json")
            let plan = await ground.migrate("plan", "--json", "D/budget.json")
            let json = try JSON(parsing: Array(plan.output.utf8))
            #expect(plan.status == .changesPending && json.warnings.isEmpty)
            let patch = try #require(
                plan.output.split(separator: #""patch":"#).last?.split(separator: "}],\"s")
                    .first
            )
            try ground.put("\(patch)", "patch.json")
            let patched = await run(["json", "patch", ground.path("budget.json"), ground.path("patch.json")])
            #expect(patched.output == v2)
            #expect(plan.output.contains(#""after":"\#(Digest(of: Array(v2.utf8)))""#))
            #expect(plan.output.contains(#""class":"LOSSLESS""#))
        }
    }

    @Test(arguments: LiveApp.all)
    func `Each app's documents are migrated to version 2 and back to the same bytes`(_ app: LiveApp)
        async throws
    {
        try await MigrationGround.with { ground in
            try ground.put(app.v1, app.document)
            let file = "D/\(app.document)"
            let verified = await ground.migrate("verify", file, profile: app.name)
            #expect(verified.status == .done, "\(verified)")
            #expect(verified.output.contains("1 → 2 → 1 → 2  SAME"))
            let applied = await ground.migrate("apply", file, profile: app.name)
            #expect(applied == Ran(status: .done, output: "\(file)  1 → 2  LOSSLESS  done\n1 migrated\n"))
            #expect(ground.read(app.document) == app.v2)
            let again = await ground.migrate("apply", file, profile: app.name)
            let nothing = "0 migrated, 1 in that version already\n"
            #expect(again == Ran(status: .done, output: nothing))
            let back = await ground.migrate("rollback", file, profile: app.name)
            #expect(back == Ran(status: .done, output: "\(file)  2 → 1  brought back\n"))
            #expect(ground.read(app.document) == app.v1)
            let none = await ground.migrate("rollback", file, profile: app.name)
            #expect(none == Ran(status: .done, output: "nothing to bring back\n"))
        }
    }

    @Test func `Every document of a container is migrated, and nothing else`() async throws {
        try await MigrationGround.with { ground in
            try FileManager.default.createDirectory(
                atPath: ground.path("c"),
                withIntermediateDirectories: false
            )
            try ground.put(v1, "c/budget.json")
            try ground.put("{}", "c/other.json")
            try ground.put("x", "c/note.txt")
            let status = await ground.migrate("status", "D/c")
            #expect(status.status == .changesPending)
            let lines = "budget.json  1 → 2  LOSSLESS\n1 to migrate, 1 without versions\n"
            #expect(status.output == lines)
            #expect(await ground.migrate("apply", "D/c").status == .done)
            #expect(ground.read("c/budget.json") == v2 && ground.read("c/other.json") == "{}")
            #expect(await ground.migrate("rollback", "D/c").status == .done)
            #expect(ground.read("c/budget.json") == v1)
        }
    }

    @Test func `A renamed directory is still known as migrated`() async throws {
        try await MigrationGround.with { ground in
            let files = FileManager.default
            try files.createDirectory(atPath: ground.path("old"), withIntermediateDirectories: false)
            try ground.put(v1, "old/budget.json")
            #expect(await ground.migrate("rollback", "D/old").output == "nothing to bring back\n")
            #expect(await ground.migrate("apply", "D/old").status == .done)
            try files.moveItem(atPath: ground.path("old"), toPath: ground.path("new"))
            let refused = await ground.migrate("rollback", "D/new")
            let advice =
                "a renamed directory is known by its former path: rename it back; known are D/old"
            let line = "widgetbridge: no migration is known of this directory, D/new; \(advice)\n"
            #expect(refused == Ran(status: .failed, output: "", errors: line))
            let unfinished = await ground.migrate("finish", "D/new")
            #expect(unfinished == Ran(status: .failed, output: "", errors: line))
            #expect(ground.read("new/budget.json") == v2)
            try files.moveItem(atPath: ground.path("new"), toPath: ground.path("old"))
            #expect(await ground.migrate("rollback", "D/old").status == .done)
            #expect(ground.read("old/budget.json") == v1)
        }
    }

    @Test func `The originals that a migration keeps in the trash are private`() async throws {
        try await MigrationGround.with { ground in
            try ground.put(v1, "budget.json")
            #expect(await ground.migrate("apply", "D/budget.json").status == .done)
            #expect(await ground.migrate("rollback", "D/budget.json").status == .done)
            let trashed = ground.state("trash/")
            #expect(trashed.count == 1)
            for path in trashed {
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                #expect(attributes[.posixPermissions] as? Int == 0o600)
            }
        }
    }

    @Test func `Values that the older version cannot represent are lost only if that is allowed`()
        async throws
    {
        try await MigrationGround.with { ground in
            let mine = v2.replacing(#""expenseCount":0"#, with: #""expenseCount":23"#)
            try ground.put(mine, "budget.json")
            let plan = await ground.migrate("plan", "--to", "1", "D/budget.json")
            #expect(plan.status == .lossy)
            #expect(plan.output.contains("2 → 1  LOSSY\n"))
            #expect(plan.output.contains("\n  loses `/data/expenseCount`: "))
            #expect(plan.output.contains("\n1 to migrate; 1 lossy\n"))
            let refused = await ground.migrate("apply", "--to", "1", "D/budget.json")
            #expect(refused.status == .lossy && refused.output.isEmpty)
            #expect(refused.errors.hasPrefix("widgetbridge: something would be lost, D/budget.json; "))
            #expect(ground.read("budget.json") == mine && ground.state("").isEmpty)
            let allowed = await ground.migrate("apply", "--to", "1", "--allow-lossy", "D/budget.json")
            #expect(allowed.status == .done && ground.read("budget.json") == v1)
            #expect(await ground.migrate("rollback", "D/budget.json").status == .done)
            #expect(ground.read("budget.json") == mine)
        }
    }

    @Test func `A loss of the whole document is named in words`() {
        let loss = Loss(pointer: "", reason: .changed)
        #expect(loss.line == "the whole document: comes back as another value")
    }

    @Test func `A newer document stays unchanged, and the others are migrated`() async throws {
        try await MigrationGround.with { ground in
            try ground.put(v1, "a.json")
            try ground.put(#"{"version":3}"#, "b.json")
            let plan = await ground.migrate("plan", "D/a.json", "D/b.json")
            #expect(plan.status == .newerVersion)
            #expect(plan.output.contains("\n1 to migrate, 1 newer (left as they are)\n"))
            let line =
                "version 3 is newer than the profile knows, D/b.json; take a newer profile; it was left unchanged"
            #expect(plan.errors == "widgetbridge: \(line)\n")
            let applied = await ground.migrate("apply", "D/a.json", "D/b.json")
            #expect(applied.status == .newerVersion && applied.errors == plan.errors)
            #expect(ground.read("a.json") == v2 && ground.read("b.json") == #"{"version":3}"#)
        }
    }

    @Test(arguments: [
        (#"{"version":"2"}"#, "determined: `version` is a string, not a version, D/bad.json:1:12; "),
        (
            #"{"version":-1}"#,
            "`version` is -1, a version that the profile does not know; it knows 1, 2, D/bad.json:1:12; "
        ),
        (#"{"version":1e2}"#, "`version` is 1e2, not a whole number, D/bad.json:1:12; "),
        ("{\n  \"version\": 2,\n}", "not JSON: expected a key, found `}`, D/bad.json:3:1; "),
        ("", "empty, D/bad.json; "),
        (
            #"{"spent":-1,"limit":800}"#,
            "it violates the schema of version 1: the document has no `month` (/required), D/bad.json:1:1; "
        ),
        (#"{"version":1,"version":2}"#, "duplicate key `version`"),
    ])
    func `A document that cannot be migrated is reported with its position, and nothing is written`(
        _ text: String,
        _ reason: String
    ) async throws {
        try await MigrationGround.with { ground in
            try ground.put(v1, "good.json")
            try ground.put(text, "bad.json")
            let plan = await ground.migrate("plan", "D/good.json", "D/bad.json")
            #expect(plan.status == .failed && plan.output.contains("BLOCKED"))
            let applied = await ground.migrate("apply", "D/good.json", "D/bad.json")
            #expect(applied.status == .failed && applied.output.isEmpty)
            #expect(applied.errors.hasPrefix("widgetbridge: cannot be migrated: "))
            #expect(applied.errors.contains(reason), "\(applied.errors)")
            #expect(applied.errors.hasSuffix("; correct it; nothing was written\n"))
            #expect(ground.read("good.json") == v1 && ground.read("bad.json") == text)
            #expect(ground.state("").isEmpty)
        }
    }

    @Test func `A missing file and a link are refused`() async throws {
        try await MigrationGround.with { ground in
            #expect(await ground.migrate("apply", "D/none.json").errors.contains("it does not exist, D/none"))
            try ground.put(v1, "real.json")
            try FileManager.default.createSymbolicLink(
                atPath: ground.path("link.json"),
                withDestinationPath: ground.path("real.json")
            )
            let linked = await ground.migrate("apply", "D/link.json")
            #expect(linked.status == .failed && linked.errors.contains("a symbolic link"))
            #expect(ground.read("real.json") == v1)
            let nowhere = await ground.migrate("plan", "D/no/where.json")
            #expect(nowhere.status == .failed && nowhere.errors.contains("no such directory, D/no"))
        }
    }

    @Test func `Wrong usage is reported as such`() async throws {
        try await MigrationGround.with { ground in
            try ground.put(v1, "budget.json")
            let cases: [(Ran, String)] = [
                (await ground.migrate("plan", "D/budget.json", profile: nil), "no profile is named; "),
                (await ground.migrate("plan", "--to", "9", "D/budget.json"), "has no such version, 9; "),
                (await ground.migrate("plan", "--app", "D", "D/budget.json"), "either files or a bridge"),
                (await ground.migrate("plan"), "no app container is named"),
                (await ground.migrate("plan", profile: "none"), "unknown profile, --profile `none`"),
                (
                    await ground.migrate("plan", "D/budget.json", profile: "none"),
                    "unknown profile, --profile `none`"
                ),
                (
                    await ground.migrate("plan", "--document", "x.json", "D/budget.json"),
                    "no such document, `x.json`"
                ),
                (await ground.migrate("plan", "--diff", "xml", "D/budget.json"), "'xml' is invalid"),
                (await ground.migrate("apply", "D"), "state directory is inside a container"),
            ]
            for (ran, words) in cases {
                #expect(ran.status == .usage && ran.errors.contains(words), "\(ran)")
                #expect(ran.errors.split(separator: "\n").count == 1)
            }
        }
    }

    @Test func `Lint reports what would break an older reader`() async throws {
        let lint = await run(["migrate", "lint", "--profile", "habits"])
        #expect(lint.status == .done)
        #expect(lint.output.contains("FIELD_REMOVED `/0/habits/*/group`"))
        #expect(lint.output.contains("VIEW_NEEDED `1`"))
        #expect(!lint.output.contains("RELOAD_BUDGET"))
    }
}
