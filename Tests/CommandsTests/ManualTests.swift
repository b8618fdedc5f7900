import Documents
import RaceLab
import Testing

@testable import Commands

/// The blocks of a manual page below a heading of its guide, up to the next one.
private func blocks(_ heading: String, in page: ManualPage) throws -> ArraySlice<ManualBlock> {
    let all = page.sections.flatMap { [.heading($0.title)] + $0.blocks }
    let start = all.firstIndex {
        if case .heading(let text) = $0 { text.lowercased() == heading.lowercased() } else { false }
    }
    let rest = all[(try #require(start, "no heading \(heading)") + 1)...]
    return rest.prefix { if case .heading = $0 { false } else { true } }
}

/// The tables and the items of lists below a heading.
private func tables(_ heading: String, in page: ManualPage) throws -> [[ManualTerm]] {
    try blocks(heading, in: page).compactMap { if case .terms(let terms) = $0 { terms } else { nil } }
}

/// The first words of what is code in a text.
private func words(_ text: String) -> [String] {
    text.matches(of: /`([A-Za-z0-9-]+)[^`]*`/).map { String($0.1) }
}

private func words(ofTable heading: String, in page: ManualPage) throws -> [String] {
    try #require(try tables(heading, in: page).first).flatMap { words($0.tag) }
}

@Suite("Manual")
struct ManualTests {
    /// A mapping of a configuration, a profile or a scenario: a text with an unknown key, and where the guide
    /// has the known ones.
    struct Place: CustomTestStringConvertible {
        enum File {
            case configuration, profile, scenario
        }

        var heading: String
        var yaml: String
        var file = File.profile
        /// Whether a table below the heading has them, and nothing else.
        var isTable = true

        /// Of a document.
        init(_ heading: String, _ yaml: String, isTable: Bool = true) {
            (self.heading, self.isTable) = (heading, isTable)
            self.yaml = "profile: a\ndocuments: {a.json: {\(yaml)}}"
        }

        init(_ heading: String, whole yaml: String, of file: File = .profile) {
            (self.heading, self.yaml, self.file) = (heading, yaml, file)
        }

        var page: ManualPage { file == .scenario ? .scenario : .configuration }
        var testDescription: String { heading }
    }

    private static let versions = "versions: {1: {}}"

    @Test(
        "has exactly the keys that are read",
        arguments: [
            Place("Keys", whole: "unknown: 1", of: .configuration),
            Place("Key of a hook", whole: "hooks: [{unknown: 1}]", of: .configuration),
            Place("Key of `signal`", whole: "hooks: [{signal: {unknown: 1}}]", of: .configuration),
            Place("Key of `post`", whole: "hooks: [{post: {unknown: 1}}]", of: .configuration),
            Place("Keys of a profile", whole: "unknown: 1"),
            Place("Keys of a document", "unknown: 1"),
            Place("Assets", whole: "profile: a\ndocuments: {}\nassets: {a.png: {unknown: 1}}"),
            Place("Key of `version`", "version: {unknown: 1}, \(versions)"),
            Place("Key of a version", "version: shapes, versions: {1: {unknown: 1}}"),
            Place("Key of a kind", "kinds: {A: {unknown: 1}}"),
            Place("Key of `refresh`", "kinds: {A: {refresh: {unknown: 1}}}"),
            Place("Key of `retry`", "kinds: {A: {retry: {unknown: 1}}}"),
            Place("Key of an activity", "activities: {A: {unknown: 1}}"),
            Place("Key of `start`", "activities: {A: {list: /a, start: {unknown: 1}}}"),
            Place(
                "Key of `end`",
                "activities: {A: {list: /a, start: {before: /a, times: [1 d]}, end: {unknown: 1}}}"
            ),
            Place("Key of `stale`", "stale: {unknown: 1}"),
            Place("Key of `errors`", "errors: {a: {unknown: 1}}"),
            Place("Keys of a document", "views: {unknown: 1}", isTable: false),
            Place("Merging", "identity: {/a: {unknown: 1}}", isTable: false),
            Place("Merging", "ownership: {unknown: 1}", isTable: false),
            Place("Merging", "merge: {/a: {derived: {unknown: 1}}}", isTable: false),
            Place("Stores", "stores: {unknown: 1}", isTable: false),
            Place("Stores", "stores: {ios: {unknown: 1}}", isTable: false),
            Place("Stores", "stores: {ios: {app: {unknown: 1}}}"),
            Place(
                "Stores",
                "stores: {ios: {app: {format: sqlite, file: f, table: t, columns: {unknown: 1}}}}",
                isTable: false
            ),
            Place("Keys of a scenario", whole: "unknown: 1", of: .scenario),
            Place("Key of a document", whole: "documents: [{unknown: 1}]", of: .scenario),
            Place("Key of a widget", whole: "documents: [a.json]\nwidgets: {K: {unknown: 1}}", of: .scenario),
            Place("Key of `machine`", whole: "machine: {unknown: 1}", of: .scenario),
            Place("Key of `settings`", whole: "settings: {unknown: 1}", of: .scenario),
            Place("Key of an actor", whole: "actors: {app: {unknown: 1}}", of: .scenario),
        ]
    )
    func keys(place: Place) throws {
        let known = try knownKeys(place)
        if place.isTable {
            #expect(try words(ofTable: place.heading, in: place.page).sorted() == known.sorted())
        } else {
            let text = try blocks(place.heading, in: place.page).map { "\($0)" }.joined()
            for key in known { #expect(text.contains(try Regex("`[^`]*\\b\(key)\\b[^`]*`")), "\(key)") }
        }
    }

    @Test("has the keys of a bridge in a list")
    func bridges() throws {
        let keys = try words(ofTable: "Keys", in: .configuration).filter { $0 != "bridges" } + ["name"]
        let known = try knownKeys(Place("", whole: "bridges: [{unknown: 1}]", of: .configuration))
        #expect(keys.sorted() == known.sorted())
    }

    @Test("has exactly the words and the bounds of scenarios")
    func scenarios() throws {
        let operation = Place("", whole: "actors: {app: {does: [{unknown: 1}]}}", of: .scenario)
        let verbs = Operation.Verb.allCases.map(\.rawValue)
        let keys = try words(ofTable: "Key of an operation", in: .scenario)
        #expect(try knownKeys(operation).sorted() == (verbs + keys).sorted())
        #expect(try words(ofTable: "Operation", in: .scenario).sorted() == verbs.sorted())
        let engines = try words(ofTable: "Engines", in: .scenario)
        #expect(engines.sorted() == EngineKind.allCases.map(\.rawValue).sorted())
        let kinds = try words(ofTable: "What counts as an anomaly", in: .scenario)
        #expect(kinds.sorted() == AnomalyKind.allCases.map(\.rawValue).sorted())
        let page = "\(ManualPage.scenario.sections)"
        let bounds = [
            ScenarioLimits.documents, ScenarioLimits.actors, ScenarioLimits.operations,
            ScenarioLimits.padding, ScenarioLimits.faults, ScenarioLimits.contents >> 20,
            Int(ScenarioLimits.grain.components.seconds), Int(ScenarioLimits.wait.components.seconds),
        ]
        for bound in bounds { #expect(page.contains(try Regex("\\b\(bound)")), "\(bound)") }
        for kind in ScenarioActor.Kind.allCases { #expect(page.contains("`\(kind.rawValue)`")) }
    }

    @Test("has exactly the formats and types of stores that are read")
    func stores() throws {
        let formats = try words(ofTable: "Format", in: .configuration)
        #expect(formats == StoreFormat.allCases.map(\.rawValue))
        let text = try blocks("Format", in: .configuration).map { "\($0)" }.joined()
        for type in StoreFieldType.allCases { #expect(text.contains("`\(type.rawValue)`")) }
    }

    @Test("has exactly the lenses that are read")
    func lenses() throws {
        let error = try #require(throws: ProfileError.self) { try profile(lenses: ["unknown: 1"]) }
        guard case .lens(.unknown(_, let known)) = error.reason else { throw error }
        #expect(Set(try words(ofTable: "Lenses", in: .configuration)).sorted() == known.sorted())
        let examples = try blocks("Lenses", in: .configuration).compactMap { block in
            if case .code(let text) = block { text } else { nil }
        }
        for lens in known {
            let example = try Regex("[-{] ?\(lens):")
            #expect(examples.joined().contains(example), "no example of \(lens)")
            try keys(ofLens: lens)
        }
    }

    private func keys(ofLens name: String) throws {
        let wrong = "\(name): {unknown: 1}"
        let error = try #require(throws: ProfileError.self) { try profile(lenses: [wrong]) }
        // Others have no keys.
        guard case .unknownKey(_, let known) = error.reason else { return }
        let lenses = try tables("Lenses", in: .configuration)
        // These two have the keys of `add`.
        let names = ["copy", "default"].contains(name) ? [name, "add"] : [name]
        let rows = lenses[0].filter { row in names.contains(where: words("\(row.tag) \(row.text)").contains) }
        let text = (rows + (name == "convert" ? lenses[1] : [])).map { "\($0.tag) \($0.text)" }.joined()
        for key in known { #expect(text.contains(try Regex("\\b\(key)\\b")), "\(key) of \(name)") }
    }

    @Test("has each form of a time")
    func times() throws {
        let conversions = try tables("Lenses", in: .configuration)[1].flatMap { words($0.tag) }
        for form in TimeForm.allCases { #expect(conversions.contains(form.rawValue)) }
    }

    @Test("has valid merge rules")
    func mergeRules() throws {
        let rules = try #require(try tables("Merging", in: .configuration).first)
        for rule in rules.flatMap({ $0.tag.split(separator: "`") }) where rule != ", " {
            let text = rule.replacing("SCHEMA", with: "{required: [a]}")
            _ = try Profile(yaml: "profile: a\ndocuments: {a.json: {merge: {/a: \(text)}}}", file: "a")
        }
    }

    @Test("has only supported schema keywords")
    func keywords() throws {
        let keywords = try tables("Schemas", in: .configuration).joined().flatMap { item in
            item.text.matches(of: /`([^`]+)`/).map { String($0.1) }
        }
        #expect(keywords.count > 40)
        for keyword in keywords {
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

    private static let guide = """
        # Some page

        What it is.

        ## Overview

        A *base* is `a*b*`, see
        <doc:OtherPage> and <doc:Profiles>.

        - one
          item
        2. two

        ### A heading

        ```console
        $ widgetbridge status
        ```

        | key of a hook | value | meaning | default |
        | --- | --- | --- | --- |
        | `a|b` | text | what it is | – |
        | `c` | | `x` is it. | `1` |
        | `d` | | so | required |

        | name | written by |
        | --- | --- |
        | `e` | Vim |

        ## See also

        - <doc:OtherPage>
        """

    private static let sections = [
        ManualSection(
            "SOME PAGE",
            [
                .text("What it is."),
                .text("A base is `a*b*`, see the guide OtherPage and `widgetbridge.yaml`(5)."),
                .terms([ManualTerm("•", "one item")]), .terms([ManualTerm("2.", "two")]),
            ]
        ),
        ManualSection(
            "A HEADING",
            [
                .code("$ widgetbridge status"), .heading("Key of a hook"),
                .terms([
                    ManualTerm("`a|b`", "What it is. Value: text."),
                    ManualTerm("`c`", "`x` is it. Default: `1`."), ManualTerm("`d`", "So. Required."),
                ]),
                .heading("Name"), .terms([ManualTerm("`e`", "Written by: Vim.")]),
            ]
        ),
    ]

    @Test("is read from the Markdown that the guides use")
    func markdown() {
        #expect("\(GuideReader.sections(of: Self.guide.utf8))" == "\(Self.sections)")
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
    @Test func `help scenario has every key and word of the manual page`() async {
        let ended = await run(["help", "scenario"])
        #expect(ended.status == .done)
        for block in ManualPage.scenario.sections.flatMap(\.blocks) {
            guard case .terms(let terms) = block else { continue }
            for word in terms.flatMap({ words($0.tag) }) { #expect(ended.output.contains(word), "\(word)") }
        }
        #expect(!ended.output.contains("`"))
    }

    @Test func `help of a word that is neither a command nor a topic is refused`() async {
        #expect(await run(["help", "scenari"]).status == .usage)
    }
}
