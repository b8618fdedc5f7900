import Documents
import Testing

/// Versions that are recognized by their shape.
@Suite struct ShapeVersionTests {
    private static let map = "{map: {field: schema, values: [{old: 1, new: 2}]}}"
    private static let scale = "{scale: {field: price, by: 0.01}}"

    private func profile(
        _ lenses: [String],
        first: String = "{}",
        when: String = "{properties: {schema: {const: 2}}, required: [schema]}"
    ) throws -> Profile {
        try Profile(
            yaml: """
                profile: p
                documents:
                  d.json:
                    version: shapes
                    versions:
                      1: \(first)
                      2: {when: \(when), lenses: [\(lenses.joined(separator: ", "))]}
                """,
            file: "p"
        )
    }

    private func rule(_ lenses: [String], when: String? = nil) throws -> DocumentRule {
        try (when.map { try profile(lenses, when: $0) } ?? profile(lenses)).rule(for: "d.json")
    }

    @Test func `A result that is not recognized as its version is not written`() throws {
        let rule = try rule([Self.map, Self.scale])
        #expect(
            try rule.migration(of: JSON(#"{"schema":1,"price":1000}"#)).result?.string
                == #"{"schema":2,"price":10}"#
        )
        let unmarked = try rule.migration(of: JSON(#"{"price":1000}"#))
        #expect(unmarked.result == nil)
        #expect(unmarked.verdict == .blocked(.untranslatable(.otherVersion(2, .known(1)))))
    }

    @Test func `A way back whose result is still recognized as the newer version is not written`() throws {
        let rule = try rule([Self.scale])
        let back = try rule.migration(of: JSON(#"{"schema":2,"price":10}"#), to: 1)
        #expect(back.verdict == .blocked(.untranslatable(.otherVersion(1, .known(2)))))
    }

    @Test func `A document in which the versions do not differ can be migrated back`() throws {
        let rule = try #require(Profile.builtIn("habits")).rule(for: "habits.json")
        let back = try rule.migration(of: JSON(#"[{"habits":{},"habitGroups":{}},{}]"#), to: 1)
        #expect(back.result?.string == #"[{"habits":{}},{}]"#)
        let again = try rule.migration(of: JSON(#"[{"habits":{}},{}]"#), to: 1)
        #expect(again.verdict == .current && again.result == nil)
    }

    @Test(arguments: [
        (#"{"schema":3,"price":10.5}"#, VersionReading.newer(3)), (#"{"schema":2}"#, .known(2)),
        (#"{"schema":1}"#, .known(1)), (#"{"schema":"3"}"#, .known(1)), ("{}", .known(1)),
    ])
    func `A document with a higher number where the newest version has its own is newer`(
        text: String,
        reading: VersionReading
    ) throws {
        #expect(try rule([Self.map, Self.scale]).version(of: JSON(text)) == reading)
    }

    @Test(arguments: [
        ("1", "1", VersionReading.known(1)), ("1", "2", .known(2)), ("1", "3", .newer(3)),
        ("2", "1", .newer(3)), ("7", "2", .newer(7)), ("0", "9", .unreadable(.noShape(path: "a.json"))),
        ("1", "99999999999999999999", .newer(.max)), ("1", "2.5", .unreadable(.noShape(path: "a.json"))),
    ])
    func `The first part of a version in two fields comes before the second`(
        first: String,
        second: String,
        reading: VersionReading
    ) throws {
        func shape(_ minor: Int) -> String {
            "{properties: {version: {const: 1}, minor: {const: \(minor)}}, required: [minor]}"
        }
        let text = """
            profile: x
            documents:
              a.json:
                version: shapes
                versions: {1: {when: \(shape(1))}, 2: {when: \(shape(2))}}
            """
        let rule = try Profile(yaml: text, file: "x.yaml").rule(for: "a.json")
        let document = try JSON(#"{"version":\#(first),"minor":\#(second)}"#)
        #expect(rule.version(of: document) == reading)
    }

    @Test func `A constant that is not the version's number tells nothing of newer documents`() throws {
        let rule = try rule([], when: "{properties: {size: {const: 7}}, required: [size]}")
        #expect(try rule.version(of: JSON(#"{"size":8}"#)) == .known(1))
    }

    @Test(arguments: [
        ([map, scale], "{}", ["a document of version 1, such as `{}`,"]),
        (
            [map, scale],
            "{when: {properties: {schema: {const: 1}}, required: [schema]}}", []
        ),
        (["{add: {field: schema, value: 2}}", scale], "{}", []),
        (["{add: {field: schema, value: 3}}"], "{}", ["a document of version 1, such as `{}`,"]),
    ])
    func `Lint finds lenses whose result is not recognized`(
        lenses: [String],
        first: String,
        found: [String]
    ) throws {
        let findings = try profile(lenses, first: first).lint().filter { $0.rule == .versionUnrecognized }
        #expect(findings.count == found.count, "\(findings.map(\.text))")
        for (finding, words) in zip(findings, found) { #expect(finding.reason.text.hasPrefix(words)) }
    }

    @Test func `The results of the built-in profiles are recognized`() throws {
        for name in Profile.builtInNames {
            let findings = try #require(Profile.builtIn(name)).lint()
            #expect(findings.filter { $0.rule == .versionUnrecognized } == [])
        }
    }
}
