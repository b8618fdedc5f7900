import Testing

@testable import Documents

/// A profile proposed from samples.
@Suite("Drafts of profiles")
struct ProfileDraftTests {
    private func draft(_ pairs: (String, String)...) throws -> String {
        let pairs = try pairs.map { old, new in
            ProfileDraft.Pair(
                old: try JSON(parsing: Array(old.utf8)),
                new: try JSON(parsing: Array(new.utf8))
            )
        }
        return try ProfileDraft(name: "p", document: "d.json", pairs: pairs).yaml
    }

    @Test(
        "unambiguous samples give lenses without open questions",
        arguments: [
            (#"{"a":"x1"}"#, #"{"version":2,"b":"x1"}"#, "- rename: {from: a, to: b}"),
            (#"{"a":1}"#, #"{"version":2,"a":true}"#, "- convert: {field: a, from: 0/1, to: boolean}"),
            (#"{"a":"1.5"}"#, #"{"version":2,"b":1.5}"#, "- convert: {field: b, from: text, to: number}"),
            (#"{"a":"x1"}"#, #"{"version":2,"a":"x1","b":[]}"#, #"- add: {field: b, value: []}"#),
            (#"{"a":"x1"}"#, #"{"version":2,"d":{"a":"x1"}}"#, "- wrap: d"),
            (#"{"d":{"a":"x1"}}"#, #"{"version":2,"a":"x1"}"#, "- unwrap: d"),
            (
                #"{"o":{"a":"x1","b":2}}"#, #"{"version":2,"o":{"b":2},"a":"x1"}"#,
                "- move: {from: \"/o/a\", to: \"/a\"}"
            ),
            // The same name at another place is no chance.
            (
                #"{"a":"x1","done":true}"#, #"{"version":2,"a":"x1","state":{"done":true}}"#,
                "- move: {from: \"/done\", to: \"/state/done\"}"
            ),
            (#"{"l":[{"a":"x1"}]}"#, #"{"version":2,"l":[{"b":"x1"}]}"#, "- each:"),
        ]
    )
    func lenses(_ old: String, _ new: String, _ lens: String) throws {
        let yaml = try draft((old, new))
        #expect(yaml.contains(lens) && !yaml.contains("DECIDE:"), "\(yaml)")
        let profile = try Profile(yaml: yaml, file: "")
        #expect(profile.rule(for: "d.json").versionNumbers == [1, 2])
    }

    @Test func `A number that every pair raises by one is the version, whatever its name`() throws {
        let pairs = ["x1", "x2"].map { (#"{"level":4,"a":"\#($0)"}"#, #"{"level":5,"b":"\#($0)"}"#) }
        let yaml = try draft(pairs[0], pairs[1])
        #expect(yaml.contains("version: {field: level}") && yaml.contains("- rename: {from: a, to: b}"))
        #expect(!yaml.contains("DECIDE:"), "\(yaml)")
        // One pair may do so by chance, unless the name tells.
        #expect(try draft(pairs[0]).contains("version: shapes"))
        let schema = try draft((#"{"schema":1,"a":"x1"}"#, #"{"schema":2,"b":"x1"}"#))
        #expect(schema.contains("version: {field: schema}"))
    }

    @Test("questions for a person become comments")
    func decisions() throws {
        let differing = try draft(
            (#"{"a":"x1"}"#, #"{"version":2,"a":"x1","c":"red"}"#),
            (#"{"a":"x2"}"#, #"{"version":2,"a":"x2","c":"blue"}"#)
        )
        #expect(differing.contains("# DECIDE: `c` is new, and the samples have \"red\", \"blue\""))
        let gone = try draft((#"{"a":"x1","b":3}"#, #"{"version":2,"a":"x1"}"#))
        #expect(gone.contains("# DECIDE: `b` is removed") && gone.contains("- remove: b"))
        let other = try draft((#"{"a":"x1"}"#, #"{"version":2,"a":"y"}"#))
        #expect(other.contains("# DECIDE: `a` changes") && other.contains("lenses: []"))
    }

    /// Old and new document, and what is to be decided.
    @Test(arguments: [
        (#"{"a":"x1","b":0}"#, #"{"version":2,"a":"x1","c":0,"d":0}"#, "`c` may be `b` renamed"),
        (#"{"a":"x1","b":1,"e":1}"#, #"{"version":2,"a":"x1","c":true}"#, "`c` may be `b` renamed"),
        (#"{"a":"x1","b":"","e":""}"#, #"{"version":2,"a":"x1","c":""}"#, "`c` may be `b` renamed"),
        (#"{"a":"x1","b":[]}"#, #"{"version":2,"a":"x1","c":{}}"#, "`b` is removed, and the samples have []"),
        (#"{"a":"x1","b":0}"#, #"{"version":2,"a":"x1"}"#, "`b` is removed, and the samples have 0"),
        (#"{"a":"x1"}"#, #"{"version":2,"a":"x1","c":1}"#, "`c` is new, and one sample has 1"),
        (#"{"a":"x1"}"#, #"{"version":2,"a":"x1","c":true}"#, "`c` is new, and one sample has true"),
    ])
    func `A value that proves nothing is for a person to decide`(
        old: String,
        new: String,
        words: String
    ) throws {
        let yaml = try draft((old, new))
        #expect(yaml.contains("# DECIDE: \(words)"), "\(yaml)")
        #expect(try draft((old, new), (old, new)).contains("# DECIDE: ") || !words.contains("removed"))
    }

    @Test("versions without a field are distinguished by shape")
    func shapes() throws {
        let yaml = try draft((#"{"a":"x1"}"#, #"{"a":"x1","b":0}"#))
        #expect(yaml.contains("version: shapes") && yaml.contains(#"when: {required: ["b"]}"#))
        #expect(throws: ProfileDraft.Fault.indistinct) { try draft((#"{"a":1}"#, #"{"a":2}"#)) }
        #expect(throws: ProfileDraft.Fault.noObject) { try draft(("[]", "[]")) }
    }
}
