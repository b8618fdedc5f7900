import Model
import Testing

@Suite struct SubtreesTests {
    private func path(_ text: String) throws -> RelativePath { try #require(RelativePath(text)) }

    @Test func `Of a chain of directories only the outermost is listed`() throws {
        let chain = try ["a/b/c", "a", "a/b", "a-b", "b/c"].map { try path($0) }
        #expect(Subtrees(chain).outermost.map { $0?.description } == ["a", "a-b", "b/c"])
        #expect(Subtrees(chain + [nil]).outermost == [nil])
        #expect(Subtrees().outermost.isEmpty && Subtrees().isEmpty)
    }

    @Test func `A path is in a directory, or is it`() throws {
        let trees = Subtrees([try path("a/b")])
        for name in ["a/b", "a/b/c", "a/b/c/d"] { #expect(trees.contains(try path(name))) }
        for name in ["a", "a/bc", "b"] { #expect(!trees.contains(try path(name))) }
        #expect(Subtrees([nil]).contains(try path("a")))
    }
}
