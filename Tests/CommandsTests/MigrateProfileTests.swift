import Testing

@testable import Commands

/// Migrations by a custom profile, and its mistakes.
@Suite struct MigrateProfileTests {
    private static func profile(_ lenses: String) -> String {
        """
        profile: notes
        documents:
          notes.json:
            version: {field: version}
            versions:
              1:
                schema:
                  type: object
                  properties: {version: {const: 1}, a: {type: string}, b: {type: string}}
                  required: [a, b]
                  additionalProperties: false
              2:
                schema:
                  type: object
                  properties: {version: {const: 2}, c: {type: string}, b: {type: string}, n: {type: integer}}
                  required: [c, b, n]
                  additionalProperties: false
                lenses:
        \(lenses)
        """
    }

    private static let good = """
                  - rename: {from: a, to: c}
                  - add: {field: n, value: 1}
        """

    @Test func `A profile edited after its migration is drift, reported by lens`() async throws {
        try await MigrationGround.with { ground in
            try ground.put(Self.profile(Self.good), "p.yaml")
            try ground.put(#"{"version":1,"a":"x","b":"y"}"#, "notes.json")
            let applied = await ground.migrate("apply", "D/notes.json", profile: "D/p.yaml")
            #expect(applied.status == .done)
            #expect(ground.read("notes.json") == #"{"version":2,"c":"x","b":"y","n":1}"#)
            let edit = Self.profile(Self.good.replacing("value: 1", with: "value: 2"))
            try ground.put(edit, "p.yaml")
            try ground.put(#"{"version":1,"a":"x","b":"y"}"#, "more.json")
            for command in ["status", "plan", "apply"] {
                let drift = await ground.migrate(command, "D/notes.json", "D/more.json", profile: "D/p.yaml")
                #expect(drift.status == .drift, "\(command)")
                #expect(
                    drift.errors.contains("the profile was edited after it was applied, notes.json: lens 2")
                )
                #expect(drift.errors.contains("to version 2 was {"))
            }
            #expect(ground.read("more.json") == #"{"version":1,"a":"x","b":"y"}"#)
            let back = await ground.migrate("rollback", "D/notes.json", profile: "D/p.yaml")
            #expect(back.status == .done)
            let again = await ground.migrate("apply", "D/notes.json", "D/more.json", profile: "D/p.yaml")
            #expect(again.status == .done)
            #expect(ground.read("notes.json") == #"{"version":2,"c":"x","b":"y","n":2}"#)
        }
    }

    @Test func `A document without its version field is refused`() async throws {
        try await MigrationGround.with { ground in
            try ground.put(Self.profile(Self.good), "p.yaml")
            try ground.put(#"{"a":"x","b":"y"}"#, "notes.json")
            let ran = await ground.migrate("apply", "D/notes.json", profile: "D/p.yaml")
            #expect(ran.status == .failed)
            #expect(
                ran.errors.contains("it has no `version`, the field that holds its version, D/notes.json; ")
            )
        }
    }

    @Test(arguments: [
        ("          - rename: {from: z, to: c}", "19", "`z`"),
        ("          - rename: {from: a, to: c}", "19", "do not lead from version 1 to 2"),
        ("          - remove: a\n          - remove: a", "20", "`a`"),
        ("          - vanish: a", "19", "unknown lens"),
    ])
    func `Lenses that do not match the schemas are reported with their position`(
        _ lenses: String,
        _ line: String,
        _ words: String
    ) async throws {
        try await MigrationGround.with { ground in
            try ground.put(Self.profile(lenses), "p.yaml")
            try ground.put(#"{"version":1,"a":"x","b":"y"}"#, "notes.json")
            let ran = await ground.migrate("apply", "D/notes.json", profile: "D/p.yaml")
            #expect(ran.status == .usage && ran.output.isEmpty)
            #expect(ran.errors.contains(words), "\(ran.errors)")
            #expect(ran.errors.contains(", D/p.yaml:\(line):"), "\(ran.errors)")
            #expect(ground.read("notes.json") == #"{"version":1,"a":"x","b":"y"}"#)
        }
    }

    @Test func `A schema whose reference consumes nothing is refused with its position`() async throws {
        try await MigrationGround.with { ground in
            let loop = "{$ref: '#/$defs/a', $defs: {a: {$ref: '#/$defs/a'}}}"
            try ground.put(
                """
                profile: loop
                documents:
                  a.json:
                    version: {field: version}
                    versions:
                      1: {schema: \(loop)}
                """,
                "p.yaml"
            )
            try ground.put(#"{"version":1}"#, "a.json")
            let ran = await ground.migrate("plan", "D/a.json", profile: "D/p.yaml")
            #expect(ran.status == .usage && ran.errors.contains("D/p.yaml:6:"), "\(ran.errors)")
        }
    }
}
