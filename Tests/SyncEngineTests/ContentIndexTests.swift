import Model
import SyncEngine
import Testing

/// Names by their content.
@Suite struct ContentIndexTests {
    private let content = Digest(of: [1])
    private let other = Digest(of: [2])

    private func index(_ names: String...) -> ContentIndex {
        var index = ContentIndex()
        for name in names { index.insert(path(name), content) }
        return index
    }

    @Test func `an unknown content has no name`() {
        #expect(ContentIndex().likeliest(content, for: path("a")) == nil)
        #expect(index("a").likeliest(other, for: path("a")) == nil)
    }

    @Test func `of several names the one with the same last component is preferred`() {
        let index = index("d/a", "d/b", "c/b", "a")
        #expect(index.likeliest(content, for: path("e/b")) == path("c/b"))
        #expect(index.likeliest(content, for: path("e/a")) == path("a"))
    }

    @Test func `otherwise the first one is preferred`() {
        #expect(index("d/a", "c/b").likeliest(content, for: path("e/x")) == path("c/b"))
        #expect(index("d/a").likeliest(content, for: path("e/x")) == path("d/a"))
    }

    @Test func `a removed name is no longer found, and a repeated insertion has no effect`() {
        var index = index("a", "b", "b")
        index.remove(path("b"), content)
        #expect(index.likeliest(content, for: path("b")) == path("a"))
        index.remove(path("b"), content)
        index.remove(path("a"), other)
        #expect(index.likeliest(content, for: path("b")) == path("a"))
        index.remove(path("a"), content)
        #expect(index.likeliest(content, for: path("b")) == nil)
    }

    @Test func `only a few candidates are returned, those with the same last component first`() {
        let index = index("d/a", "d/b", "c/b", "c/c", "c/d")
        let likely = index.likely(content, for: path("e/b"), limit: 2)
        #expect(likely.prefix(2) == [path("c/b"), path("d/b")])
        #expect(likely.count <= 4 && Set(likely).count == likely.count)
    }
}

private func path(_ name: String) -> RelativePath { inApp(name).path }
