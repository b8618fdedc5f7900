import Documents
import RaceLab
import Testing

@testable import Commands

@Suite("Manual")
struct ManualTests {
    /// A mapping of a configuration, a profile or a scenario: the manual's text, and a text with an unknown
    /// key.
    struct Place: CustomTestStringConvertible {
        enum File {
            case configuration, profile, scenario
        }

        var name: String
        var table: ManualTable
        var yaml: String
        var file = File.profile

        init(_ name: String, _ table: ManualTable, _ yaml: String) {
            self.name = name
            self.table = table
            self.yaml = "profile: a\ndocuments: {a.json: {\(yaml)}}"
        }

        init(configuration name: String, _ table: ManualTable, _ yaml: String) {
            (self.name, self.table, self.yaml, file) = (name, table, yaml, .configuration)
        }

        init(scenario name: String, _ table: ManualTable, _ yaml: String) {
            (self.name, self.table, self.yaml, file) = (name, table, yaml, .scenario)
        }

        init(asset table: ManualTable) {
            (name, self.table) = ("assets", table)
            yaml = "profile: a\ndocuments: {}\nassets: {a.png: {unknown: 1}}"
        }

        init(profile table: ManualTable) { (name, self.table, yaml) = ("profile", table, "unknown: 1") }

        var testDescription: String { name }
    }

    private static let versions = "versions: {1: {}}"
    private static let verbs = Operation.Verb.allCases.map { ManualTable.Key($0.rawValue, "", "") }
    private static let listKeys =
        ConfigurationManual.bridgeNames.keys
        + ConfigurationManual.settings.keys.filter { $0.name != "bridges" }

    @Test(
        "has exactly the keys that are read",
        arguments: [
            Place(configuration: "configuration", ConfigurationManual.settings, "unknown: 1"),
            Place(configuration: "bridges", ManualTable(listKeys), "bridges: [{unknown: 1}]"),
            Place(configuration: "hooks", HookManual.keys, "hooks: [{unknown: 1}]"),
            Place(configuration: "signal", HookManual.signalKeys, "hooks: [{signal: {unknown: 1}}]"),
            Place(configuration: "post", HookManual.postKeys, "hooks: [{post: {unknown: 1}}]"),
            Place(profile: ProfileManual.profileKeys),
            Place("documents", ProfileManual.documentKeys, "unknown: 1"),
            Place(asset: AssetManual.keys),
            Place("version", ProfileManual.versionMarkKeys, "version: {unknown: 1}, \(versions)"),
            Place("versions", ProfileManual.versionKeys, "version: shapes, versions: {1: {unknown: 1}}"),
            Place("kinds", ProfileManual.kindKeys, "kinds: {A: {unknown: 1}}"),
            Place("refresh", ProfileManual.refreshKeys, "kinds: {A: {refresh: {unknown: 1}}}"),
            Place("retry", ProfileManual.retryKeys, "kinds: {A: {retry: {unknown: 1}}}"),
            Place("activities", ActivityManual.keys, "activities: {A: {unknown: 1}}"),
            Place(
                "start",
                ActivityManual.startKeys,
                "activities: {A: {list: /a, start: {unknown: 1}}}"
            ),
            Place(
                "end",
                ActivityManual.endKeys,
                "activities: {A: {list: /a, start: {before: /a, times: [1 d]}, end: {unknown: 1}}}"
            ),
            Place("stale", ProfileManual.staleKeys, "stale: {unknown: 1}"),
            Place("errors", ProfileManual.errorKeys, "errors: {a: {unknown: 1}}"),
            Place("views", ProfileManual.viewKeys, "views: {unknown: 1}"),
            Place("identity", ProfileManual.identityKeys, "identity: {/a: {unknown: 1}}"),
            Place("ownership", ProfileManual.ownershipKeys, "ownership: {unknown: 1}"),
            Place("stores", ProfileManual.platformKeys, "stores: {unknown: 1}"),
            Place("sides", ProfileManual.sideKeys, "stores: {ios: {unknown: 1}}"),
            Place("store", ProfileManual.storeKeys, "stores: {ios: {app: {unknown: 1}}}"),
            Place(
                "columns",
                ProfileManual.columnKeys,
                "stores: {ios: {app: {format: sqlite, file: f, table: t, columns: {unknown: 1}}}}"
            ),
            Place(scenario: "scenario", ScenarioManual.scenarioKeys, "unknown: 1"),
            Place(scenario: "documents", ScenarioManual.documentKeys, "documents: [{unknown: 1}]"),
            Place(
                scenario: "widgets",
                ScenarioManual.widgetKeys,
                "documents: [a.json]\nwidgets: {K: {unknown: 1}}"
            ),
            Place(scenario: "machine", ScenarioManual.machineKeys, "machine: {unknown: 1}"),
            Place(scenario: "settings", ScenarioManual.settingKeys, "settings: {unknown: 1}"),
            Place(scenario: "actors", ScenarioManual.actorKeys, "actors: {app: {unknown: 1}}"),
            Place(
                scenario: "operations",
                ManualTable(verbs + ScenarioManual.operationKeys.keys),
                "actors: {app: {does: [{unknown: 1}]}}"
            ),
            Place("derived", ProfileManual.derivedKeys, "merge: {/a: {derived: {unknown: 1}}}"),
        ]
    )
    func keys(place: Place) throws {
        let known = try knownKeys(place)
        #expect(place.table.keys.map(\.name).sorted() == known.sorted())
    }

    @Test("has exactly the words of scenarios, and a sample without mistakes and warnings")
    func scenarios() throws {
        let page = ScenarioManual.page.roff
        let words: [[String]] = [
            ScenarioActor.Kind.allCases.map(\.rawValue), EngineKind.allCases.map(\.rawValue),
            AnomalyKind.allCases.map(\.rawValue), Operation.Verb.allCases.map(\.rawValue),
        ]
        for word in words.joined() {
            let tag = word.replacing("-", with: "\\-")
            #expect(page.contains("\n.TP\n\\fB\(tag)\\fR"), "\(word)")
        }
        let lint = ScenarioLint(yaml: ScenarioManual.sample, file: "a.yaml")
        #expect(lint.mistakes.isEmpty && lint.warnings.isEmpty, "\(lint)")
    }

    @Test("has exactly the formats and types of stores that are read")
    func stores() {
        #expect(ProfileManual.storeFormats.map(\.format) == StoreFormat.allCases.map(\.rawValue))
        #expect(ProfileManual.fieldTypes.map(\.type) == StoreFieldType.allCases.map(\.rawValue))
    }

    @Test("has exactly the lenses that are read")
    func lenses() throws {
        let error = try #require(throws: ProfileError.self) { try profile(lenses: ["unknown: 1"]) }
        guard case .lens(.unknown(_, let known)) = error.reason else { throw error }
        #expect(DescribedLens.all.map(\.name).sorted() == known.sorted())
    }

    @Test("has the keys of each lens, and valid examples", arguments: DescribedLens.all.map(\.name))
    func lens(name: String) throws {
        let lens = try #require(DescribedLens.all.first { $0.name == name })
        for line in lens.lines { _ = try profile(lenses: [line]) }
        let error = try #require(throws: ProfileError.self) { try profile(lenses: ["\(name): {unknown: 1}"]) }
        // Others have no keys.
        guard case .unknownKey(_, let known) = error.reason else { return }
        let said = "\(lens.text) \(lens.lines)"
        for key in known where name != "default" { #expect(said.contains("\(key)")) }
    }

    @Test("has each conversion, and valid examples")
    func conversions() throws {
        for conversion in ProfileManual.conversions {
            _ = try profile(lenses: ["convert: \(conversion.example)"])
        }
        #expect(ProfileManual.timeForms.map(\.name) == TimeForm.allCases.map(\.rawValue))
    }

    @Test("has valid merge rules", arguments: ProfileManual.mergeRules.map(\.rule))
    func mergeRules(rule: String) throws {
        _ = try Profile(yaml: "profile: a\ndocuments: {a.json: {merge: {/a: \(rule)}}}", file: "a")
    }

    @Test("has only supported schema keywords")
    func keywords() throws {
        for keyword in SchemaManual.keywords.flatMap(\.words) {
            let yaml = "profile: a\ndocuments: {a.json: {\(Self.schema(keyword))}}"
            do {
                _ = try Profile(yaml: yaml, file: "a")
            } catch {
                // If only the value is wrong, the keyword is supported.
                guard case .schema(.unsupported) = error.reason else { continue }
                Issue.record("\(keyword): \(error.reason)")
            }
        }
    }

    @Test("has a valid sample profile")
    func sample() throws {
        #expect(try Profile(yaml: ConfigurationManual.sampleProfile, file: "a").documents.count == 1)
    }

    @Test("explains each shared option once")
    func options() throws {
        // Two of them are equal in commands without another option of the group.
        let shared = try SharedOptions.all().flatMap(\.arguments).filter {
            !["json", "profile"].contains($0.preferredName?.name)
        }
        let explained = try ProgramManual.page().sections.flatMap(\.blocks).flatMap { block in
            guard case .terms(let terms) = block else { return [] as [ManualTerm] }
            return terms
        }
        for term in shared.map(\.term) {
            #expect(explained.filter { $0.tag == term.tag && $0.text == term.text }.count == 1, "\(term.tag)")
        }
    }

    @Test("has every command with its example")
    func commands() async throws {
        let page = await run(["manual"]).output
        for heading in ["sync", "json patch", "migrate apply", "race explore"] {
            #expect(page.contains("\n.SS widgetbridge \(heading)\n"))
        }
        #expect(page.contains("\n.SS widgetbridge manual\n") == false)
    }

    @Test("lists the pages when an unknown one is requested")
    func unknownPage() async {
        let ran = await run(["manual", "foo"])
        #expect(ran.status == .usage)
        #expect(
            ran.errors.contains("'widgetbridge', 'widgetbridge.yaml' or 'widgetbridge-scenario'"),
            "\(ran)"
        )
    }

    @Test("escapes what troff would interpret")
    func escapes() {
        let page = ManualPage(
            name: .widgetbridge,
            abstract: "a",
            sections: [
                .init(
                    "A",
                    [
                        .text(#".a 'b' `-c` <d>\e ~f^ → Next one."#), .text("Next one. And `.b`."),
                        .code(".x\n'y `z`"),
                    ]
                )
            ]
        )
        let roff = page.roff
        #expect(
            roff.hasSuffix(
                #"""
                .SH A
                \&.a \(aqb\(aq \fB\-c\fR \fId\fR\(rse \(tif\(ha \[u2192] Next one.
                .PP
                Next one.
                And \fB.b\fR.
                .PP
                .RS 4
                .EX
                \&.x
                \(aqy \(gaz\(ga
                .EE
                .RE

                """#
            )
        )
    }

    private func knownKeys(_ place: Place) throws -> [String] {
        do {
            switch place.file {
            case .configuration: _ = try Configuration(yaml: place.yaml, file: "a")
            case .profile: _ = try Profile(yaml: place.yaml, file: "a")
            case .scenario:
                let mistakes = ScenarioLint(yaml: place.yaml, file: "a").mistakes
                throw try #require(mistakes.first { $0.reason.unknownWord?.word == "unknown" })
            }
            return []
        } catch let error as ProfileError {
            guard case .unknownKey("unknown", let known) = error.reason else { throw error }
            return known
        }
    }

    private func profile(lenses: [String]) throws(ProfileError) -> Profile {
        let list = lenses.map { "          - \($0)" }.joined(separator: "\n")
        return try Profile(
            yaml: """
                profile: a
                timeZone: {name: Europe/Rome, rule: "CET-1CEST,M3.5.0,M10.5.0/3"}
                documents:
                  a.json:
                    version: {field: version, missing: 1}
                    versions:
                      1: {}
                      2:
                        lenses:
                \(list)
                """,
            file: "a"
        )
    }

    private static func schema(_ keyword: String) -> String {
        "version: shapes, versions: {1: {schema: {\(keyword): 1}}}"
    }
}

@Suite struct HelpTopicTests {
    @Test func `help scenario has every key and word that the reader of scenarios knows`() async {
        let ended = await run(["help", "scenario"])
        #expect(ended.status == .done)
        let tables = [
            ScenarioManual.scenarioKeys, ScenarioManual.documentKeys, ScenarioManual.widgetKeys,
            ScenarioManual.actorKeys, ScenarioManual.machineKeys, ScenarioManual.settingKeys,
            ScenarioManual.operationKeys,
        ]
        for key in tables.flatMap(\.keys) { #expect(ended.output.contains("  \(key.name):"), "\(key.name)") }
        let words =
            Operation.Verb.allCases.map(\.rawValue) + EngineKind.allCases.map(\.rawValue)
            + AnomalyKind.allCases.map(\.rawValue) + ScenarioActor.Kind.allCases.map(\.rawValue)
        for word in words { #expect(ended.output.contains("  \(word)"), "\(word)") }
        #expect(!ended.output.contains("`"))
    }

    @Test func `The sample that it prints is a scenario`() throws {
        _ = try Scenario(yaml: ScenarioManual.sample, file: "sample")
    }

    @Test func `help of a word that is neither a command nor a topic is refused`() async {
        #expect(await run(["help", "scenari"]).status == .usage)
    }
}
