import Documents
import Model
import RaceLab
import Testing

@Suite("A field that a save sets")
struct FieldTests {
    /// `place`: its line and column.
    struct Case: Sendable, CustomTestStringConvertible {
        var holds: String?
        var does: String
        var column: Int
        var reason: String
        var testDescription: String { "\(does) in \(holds ?? "the lab's own format")" }
    }

    private static func yaml(_ holds: String?, _ does: String) -> String {
        let document = holds.map { "{name: a.json, holds: '\($0)'}" } ?? "a.json"
        return "documents: [\(document)]\nactors:\n  agent: {}\n  app: {does: [\(does)]}"
    }

    static let unsettable = [
        Case(holds: #"{"a":1}"#, does: "{write: a.json, field: a}", column: 39, reason: "such as `/a`"),
        Case(holds: #"{"a":1}"#, does: "{write: a.json, field: /b/c}", column: 39, reason: "has no `/b`"),
        Case(
            holds: #"{"a":1}"#,
            does: "{edit: a.json, field: /a/b}",
            column: 38,
            reason: "`/a` of `a.json` is neither an object nor a list"
        ),
        Case(holds: #"{"a":1}"#, does: "{edit: a.json, field: /~2}", column: 38, reason: "JSON Pointer"),
        Case(
            holds: #"{"l":[1,2]}"#,
            does: "{write: a.json, field: /l/5}",
            column: 39,
            reason: "is a list without that index, whose end is `/l/-`"
        ),
        Case(holds: "[1]", does: "{write: a.json, field: /x}", column: 39, reason: "`a.json` is a list"),
        Case(holds: #""x""#, does: "{write: a.json, field: /a}", column: 39, reason: "neither an object"),
        Case(
            holds: #"{"a":1}"#,
            does: "{write: a.json, field: /a, second-field: /b/c}",
            column: 57,
            reason: "has no `/b`"
        ),
        Case(holds: "[]", does: "read, write", column: 22, reason: "the field by default, cannot be set"),
        Case(holds: "[]", does: "anything: 2", column: 16, reason: "give it an object in `holds`"),
        Case(
            holds: #"{"a":{"b":1}}"#,
            does: "{write: a.json, field: /a/b}, {write: a.json, field: /a}",
            column: 39,
            reason: "`/a/b` is in `/a`, which `app` sets to a text"
        ),
        Case(holds: nil, does: #"{write: a.json, field: 'a"b'}"#, column: 39, reason: "cannot have quotes"),
        Case(holds: nil, does: #"{write: a.json, field: 'a\b'}"#, column: 39, reason: "backslashes"),
    ]

    @Test("is refused at its place if its document cannot have it", arguments: unsettable)
    func refused(one: Case) {
        let text = Self.yaml(one.holds, one.does)
        let lint = ScenarioLint(yaml: text, file: "a.yaml")
        #expect(lint.mistakes.count == 1)
        do throws(ProfileError) {
            _ = try Scenario(yaml: text, file: "a.yaml")
            Issue.record("it was read")
        } catch {
            #expect(lint.mistakes.first == error)
            #expect((error.line, error.column) == (4, one.column))
            #expect(error.reason.text.contains(one.reason), "\(error.reason.text)")
        }
    }

    static let settable: [(String?, String)] = [
        (#"{"a":1}"#, "{write: a.json, field: /a}"), (#"{"a":1}"#, "{write: a.json, field: /b}"),
        (#"{"a~b/c":1}"#, "{write: a.json, field: /a~0b~1c}"), (#"{"a":1}"#, #"{write: a.json, field: ""}"#),
        ("[1,2]", "{write: a.json, field: /0}"), ("[]", "{edit: a.json, field: /-}"),
        (#"{"a":{},"ab":1}"#, "{write: a.json, field: /a/b}, {write: a.json, field: /ab}"),
        (nil, "{write: a.json, field: limit}"), (#"{"a":1}"#, "{anything: 3}"),
    ]

    @Test("is in a content that some program saved, so that no save counts as lost", arguments: settable)
    func isSet(holds: String?, does: String) throws {
        let scenario = try Scenario(yaml: Self.yaml(holds, does), file: "a.yaml")
        var explorer = Explorer(scenario)
        let report = explorer.explore()
        #expect(report.findings.map(\.anomaly.kind) == [])
        #expect(report.coverage.untouched.isEmpty)
    }

    @Test("has a place again in a document that is saved after its deletion")
    func recreated() throws {
        let verbs = [
            "write", "truncate-and-write", "write-in-place", "unlink-and-write", "read-modify-write",
        ]
        for verb in verbs {
            let save = "{\(verb): a.json, field: /data/x}"
            let yaml = Self.yaml(#"{"data":{}}"#, "delete, \(save), {edit: a.json, field: /data/y}, \(save)")
            var explorer = Explorer(try Scenario(yaml: yaml, file: "a.yaml"))
            let report = explorer.explore()
            #expect(report.findings.map(\.anomaly.sentence) == [])
        }
    }

    @Test(
        "that another save has taken the place of is refused then, and not lost",
        arguments: [
            Operation.Verb.write, .truncateAndWrite, .writeInPlace, .unlinkAndWrite, .readModifyWrite, .edit,
        ]
    )
    func taken(verb: Operation.Verb) throws {
        let path = try #require(RelativePath("a.json"))
        let outer = Operation(.write, path, field: "/a")
        let inner = Operation(verb, path, field: "/a/b")
        let scenario = Scenario(
            name: "taken",
            documents: [ScenarioDocument(path, holds: #"{"a":{"b":1}}"#)],
            actors: [
                ScenarioActor(name: "app", kind: .app, operations: [outer, inner]),
                ScenarioActor(name: "agent", kind: .agent),
            ]
        )
        var explorer = Explorer(scenario)
        let report = explorer.explore()
        #expect(report.findings.map(\.anomaly.sentence) == [])
        let run = Run.replay(scenario, Schedule())
        #expect(run.history.calls.filter(\.isAcknowledged).map(\.name) == [.operation(.write)])
        #expect(run.history.calls.contains { $0.name == .operation(verb) && $0.result == .refused })
        let rest = try #require(run.history.rest?.versions.first)
        #expect(String(decoding: run.history.versions[rest.app].bytes, as: UTF8.self) == #"{"a":"i100001"}"#)
    }
}
