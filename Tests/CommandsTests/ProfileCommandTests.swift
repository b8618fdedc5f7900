import Documents
import Testing

@testable import Commands

@Suite struct ProfileCommandTests {
    @Test func `The list has the five apps`() async throws {
        let list = await run(["profile", "list"])
        #expect(list.status == .done && list.errors.isEmpty)
        let lines = list.output.split(separator: "\n")
        #expect(lines.count == 6 && lines[0].hasPrefix("PROFILE   DOCUMENT       VERSIONS  KINDS"))
        #expect(lines[1].hasPrefix("budget    budget.json    1, 2      BudgetWidget"))
        let names = ["budget", "habits", "todo", "finance", "balances"]
        #expect(lines.dropFirst().map { $0.split(separator: " ")[0] } == names.map { $0[...] })
    }

    @Test func `The list as JSON has one object per profile`() async throws {
        let list = await run(["profile", "list", "--json"])
        let lines = list.output.split(separator: "\n")
        #expect(list.status == .done && lines.count == 5)
        #expect(lines[0].hasPrefix(#"{"name":"budget","about":""#))
        #expect(
            lines[0].hasSuffix(
                #""documents":[{"name":"budget.json","versions":[1,2],"kinds":["BudgetWidget"]}]}"#
            )
        )
        for line in lines { _ = try JSON(parsing: Array(line.utf8)) }
    }

    @Test(arguments: Profile.builtInNames)
    func `The text of a built-in profile can be used as a custom one`(
        _ name: String
    ) async throws {
        let shown = await run(["profile", "show", name])
        #expect(shown.status == .done && shown.errors.isEmpty)
        #expect(shown.output.hasPrefix("format: 1\nprofile: \(name)\n") && shown.output.hasSuffix("\n"))
        try await withDirectory { directory in
            try write(shown.output, to: "\(directory)/mine.yaml")
            let mine = await run(["profile", "show", "\(directory)/mine.yaml"])
            #expect(mine.status == .done && mine.errors.isEmpty)
            #expect(mine.output.hasPrefix("\(name)\nabout:"))
            #expect(mine.output.contains("\n\(name).json\n  versions 1, 2\n  1 → 2  "))
            let json = await run(["profile", "show", "\(directory)/mine.yaml", "--json"])
            #expect(await run(["profile", "show", name, "--json"]) == json)
            _ = try JSON(parsing: Array(json.output.utf8))
            #expect(json.output.hasPrefix(#"{"name":"\#(name)","about":""#))
        }
    }

    @Test(arguments: Profile.builtInNames)
    func `The built-in profiles are valid`(_ name: String) async throws {
        let lint = await run(["profile", "lint", name])
        #expect(lint.status == .done && lint.errors.isEmpty)
        for line in lint.output.split(separator: "\n") { #expect(line.hasPrefix("\(name) (built in):")) }
    }

    @Test func `A change that would break an older reader is a warning with its line`() async throws {
        let profile = """
            profile: x
            documents:
              a.json:
                version: {field: version, missing: 1}
                versions:
                  1: {schema: {type: object, properties: {a: {type: string}}}}
                  2:
                    schema: {type: object, properties: {b: {type: string}}, additionalProperties: false}
                    lenses: [{rename: {from: a, to: b}}]

            """
        try await withDirectory { directory in
            try write(profile, to: "\(directory)/x.yaml")
            let lint = await run(["profile", "lint", "\(directory)/x.yaml"])
            #expect(lint.status == .done && lint.errors.isEmpty)
            #expect(lint.output.contains("\(directory)/x.yaml:6: a.json: FIELD_REMOVED `/a`: "))
            #expect(lint.output.contains("\(directory)/x.yaml:6: a.json: VIEW_NEEDED `1`: "))
            let json = await run(["profile", "lint", "\(directory)/x.yaml", "--json"])
            #expect(json.status == .done)
            let start = #"{"file":"\#(directory)/x.yaml","line":6,"rule":"FIELD_REMOVED","#
            #expect(json.output.hasPrefix(start + #""document":"a.json","place":"/a","reason":""#))
        }
    }

    @Test(arguments: ["show", "lint"])
    func `An invalid profile is status 1, with its position`(_ command: String) async throws {
        try await withDirectory { directory in
            try write("profile: x\ndocuments:\n  a.json: {kindz: {}}\n", to: "\(directory)/x.yaml")
            let ran = await run(["profile", command, "\(directory)/x.yaml"])
            #expect(ran.status == .failed && ran.output.isEmpty)
            #expect(ran.errors.contains("`documents.a.json.kindz`: unknown key, "))
            #expect(ran.errors.contains(", \(directory)/x.yaml:3:"))
        }
    }

    @Test(arguments: [
        ["profile", "show", "P"], ["profile", "lint", "P"], ["profile", "test", "P", "/"],
        ["migrate", "lint", "--profile", "P"],
    ])
    func `A profile that cannot be read is wrong usage, as the help says`(_ line: [String]) async {
        let ran = await run(line.map { $0 == "P" ? "/nowhere/x.yaml" : $0 })
        #expect(ran.status == .usage && ran.output.isEmpty)
        #expect(ran.errors.hasPrefix("widgetbridge: cannot read the profile: No such file or directory, "))
        let help = await run(line.prefix(2) + ["--help"]).output
        #expect(help.contains("64  wrong usage, or a profile that is unknown or cannot be read"))
    }

    @Test func `An unknown profile is wrong usage`() async {
        let ran = await run(["profile", "show", "bugdet"])
        #expect(ran.status == .usage && ran.output.isEmpty)
        #expect(ran.errors.hasPrefix("widgetbridge: unknown profile, `bugdet`; built in are budget, "))
    }
}
