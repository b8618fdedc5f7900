import Documents
import Testing

/// Which documents `include` and `exclude` leave out.
@Suite struct DocumentFilterTests {
    @Test func `without patterns nothing is left out`() {
        #expect(DocumentFilter().exclusion(of: "a.json") == nil)
        #expect(DocumentFilter().isEmpty && !DocumentFilter(include: []).isEmpty)
    }

    @Test func `exclude wins over include`() {
        let filter = DocumentFilter(include: ["notes/*.json", "a.json"], exclude: ["notes/draft*"])
        #expect(filter.exclusion(of: "a.json") == nil)
        #expect(filter.exclusion(of: "notes/b.json") == nil)
        #expect(filter.exclusion(of: "notes/draft-b.json") == .excluded(by: "notes/draft*"))
        #expect(filter.exclusion(of: "b.json") == .notIncluded)
        #expect(filter.exclusion(of: "notes/deep/b.json") == .notIncluded)
    }

    @Test(arguments: ["private", "private/", "priv*", "*/"])
    func `a directory is left out with everything in it`(_ pattern: String) {
        let filter = DocumentFilter(exclude: [pattern])
        for name in ["private/a.json", "private/deep/b.json"] {
            #expect(filter.exclusion(of: name) == .excluded(by: pattern))
        }
        for name in ["a.json", "x.private"] { #expect(filter.exclusion(of: name) == nil) }
    }

    @Test func `a directory of a directory is one`() {
        let filter = DocumentFilter(exclude: ["*/cache"])
        #expect(filter.exclusion(of: "a/cache/b.json") != nil)
        #expect(filter.exclusion(of: "a/cache.json") == nil)
        #expect(filter.exclusion(of: "cache/b.json") == nil)
        #expect(filter.exclusion(of: "a/b/cache/c.json") == nil)
    }

    @Test func `include has the documents of a directory, if its pattern ends with a slash`() {
        let filter = DocumentFilter(include: ["notes/", "*"])
        for name in ["notes/a.json", "notes/deep/a.json", "a.json"] {
            #expect(filter.exclusion(of: name) == nil)
        }
        #expect(filter.exclusion(of: "others/a.json") == .notIncluded)
    }

    @Test(arguments: ["", "/", "/a.json", "./a.json", "a//b.json", "a/../b.json", "a/**", "a//"])
    func `what can match no document is no pattern`(_ text: String) {
        #expect(!DocumentFilter.isPattern(text))
    }

    @Test func `an empty include leaves out everything`() {
        #expect(DocumentFilter(include: []).exclusion(of: "a.json") == .notIncluded)
    }

    @Test func `a name without a star is compared byte for byte`() {
        let filter = DocumentFilter(exclude: ["caf\u{e9}.json"])
        #expect(filter.exclusion(of: "caf\u{e9}.json") != nil)
        #expect(filter.exclusion(of: "cafe\u{301}.json") == nil)
    }

    @Test func `a profile leaves out documents, also those that it names`() throws {
        let text = """
            profile: notes
            include: ["*.json", "state.dat"]
            exclude: [draft*]
            documents: {state.dat: {}, draft.json: {}}
            """
        let profile = try Profile(yaml: text, file: "notes.yaml")
        for name in ["state.dat", "a.json"] { #expect(profile.isDocument(name)) }
        for name in ["draft.json", "draft-2.json", "notes/a.json"] { #expect(!profile.isDocument(name)) }
    }

    @Test(arguments: [("include: [a/**]", "1"), ("exclude: [\"\"]", "1"), ("exclude: a.json", "1")])
    func `a wrong pattern is refused with its line`(_ line: String, _ number: String) {
        let error = #expect(throws: ProfileError.self) {
            try Profile(yaml: "\(line)\nprofile: x\ndocuments: {}\n", file: "x.yaml")
        }
        #expect(error?.line == Int(number))
    }
}
