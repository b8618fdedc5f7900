import Model
import Testing

@Suite("A relative path")
struct RelativePathTests {
    @Test(arguments: ["", "/", "/a", "a/", "a//b", ".", "..", "a/../b", "./a", "a/.", "nul\u{0}"])
    func cannotLeaveItsContainer(text: String) {
        #expect(RelativePath(text) == nil)
    }

    @Test(arguments: ["a", "a.json", "a/b.json", "...", ".hidden", "é.json", "with space/x y.json"])
    func keepsWhatItWasGiven(text: String) {
        #expect(RelativePath(text)?.description == text)
    }

    @Test func isComparedByBytesAsTheKernelDoesIt() throws {
        let composed = try #require(RelativePath("\u{e9}.json"))
        let decomposed = try #require(RelativePath("e\u{301}.json"))
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
        #expect(decomposed < composed)
    }

    @Test func knowsItsNameItsDirectoryAndItsNeighbours() throws {
        let path = try #require(RelativePath("a/b/c.json"))
        #expect(path.name == "c.json")
        #expect(path.directory?.description == "a/b")
        #expect(path.directory?.directory?.directory == nil)
        #expect(path.sibling("d.json")?.description == "a/b/d.json")
        #expect(path.sibling("../d.json") == nil)
    }

    @Test func isInsideOnlyWhatItIsBeneath() throws {
        let path = try #require(RelativePath("a/b/c.json"))
        #expect(path.isInside(try #require(RelativePath("a"))))
        #expect(path.isInside(try #require(RelativePath("a/b"))))
        #expect(!path.isInside(try #require(RelativePath("a/b/c.json"))))
        #expect(!path.isInside(try #require(RelativePath("a/bb"))))
        #expect(!(try #require(RelativePath("ab/c"))).isInside(try #require(RelativePath("a"))))
    }
}
