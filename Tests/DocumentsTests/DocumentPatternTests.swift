import Testing

@testable import Documents

/// Keys of `documents:` with `*`.
@Suite("Patterns of documents")
struct DocumentPatternTests {
    private func profile(_ documents: String) throws -> Profile {
        try Profile(yaml: "profile: p\ndocuments:\n" + documents, file: "p.yaml")
    }

    @Test(
        "a star matches any characters within one component",
        arguments: [
            ("notes/*.json", "notes/a.json", true), ("notes/*.json", "notes/.json", true),
            ("notes/*.json", "notes/b/a.json", false), ("notes/*.json", "notes/a.jsonx", false),
            ("*/*.json", "a/b.json", true), ("*/*.json", "b.json", false), ("*a*b*", "xaabab", true),
            ("*a*b*", "xbxa", false), ("a*/b", "a/b", true), ("a*/b", "ax/b/b", false), ("*", "a/b", false),
        ]
    )
    func fits(_ pattern: String, _ path: String, _ expected: Bool) throws {
        let pattern = try #require(DocumentPattern(pattern))
        #expect(pattern.fits(path) == expected)
    }

    @Test("an exact name precedes a pattern, and a more specific pattern a less specific one")
    func order() throws {
        let profile = try profile("  '*.json': {}\n  todo-*.json: {}\n  todo-x.json: {}\n")
        let found = ["a.json", "todo-a.json", "todo-x.json", "a/b.json"].map { profile.named($0)?.path }
        #expect(found == ["*.json", "todo-*.json", "todo-x.json", nil])
    }

    @Test("two equally specific patterns are refused if they match a common document")
    func ties() throws {
        _ = try profile("  a-*.json: {}\n  b-*.json: {}\n")
        #expect(throws: ProfileError.self) { try profile("  a-*.json: {}\n  '*-a.json': {}\n") }
        #expect(throws: ProfileError.self) { try profile("  '**.json': {}\n") }
    }

    @Test("views and kinds belong to each document")
    func documents() throws {
        let profile = try profile(
            """
              notes/*.json:
                version: {field: version, missing: 1}
                views: [1]
                versions: {1: {}, 2: {}}
            """
        )
        let rule = profile.rule(for: "notes/a.json")
        #expect(rule.views.map(\.path) == ["notes/a.v1.json"] && rule.kinds.map(\.name) == ["notes/a.json"])
        #expect(profile.document(ofView: "notes/a.v1.json") == "notes/a.json")
        #expect(profile.hasView("notes/a.v1.json", in: .group))
        #expect(!profile.hasView("notes/a.v1.json", in: .app))
        #expect(!profile.isDocument("notes/a.v1.json") && profile.isDocument("notes/a.json"))
        for name in ["notes/a.v2.json", "notes/a.v01.json", "notes/b/a.v1.json", "a.v1.json"] {
            #expect(profile.document(ofView: name) == nil)
        }
    }
}
