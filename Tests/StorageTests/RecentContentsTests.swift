import Model
import Testing

@testable import StateStore

@Suite("Recent agreed contents")
struct RecentContentsTests {
    private static let record = DocumentRecord(
        generation: 1,
        version: nil,
        sides: BothSides { _ in SideRecord(digest: Digest(of: []), signature: nil, version: nil) }
    )

    private static func agreed(_ path: RelativePath, _ bytes: [UInt8]) -> JournalEntry {
        .agreed(path, record, BaseContent(newest: bytes))
    }

    @Test("are the newest of each document, and none of a deleted one")
    func newest() throws {
        let (a, b) = (try #require(RelativePath("a.json")), try #require(RelativePath("b.json")))
        var recent = RecentContents()
        recent.record(Self.agreed(a, [1]))
        recent.record(Self.agreed(b, [2]))
        recent.record(Self.agreed(a, [3]))
        recent.record(.touched(a, Self.record))
        #expect(recent[a] == BaseContent(newest: [3]))
        recent.record(.gone(b, generation: 2))
        #expect(recent[a] != nil && recent[b] == nil)
    }

    @Test("stay within their size limit")
    func bounded() throws {
        var recent = RecentContents()
        let paths = (0..<100).compactMap { RelativePath("\($0).json") }
        for path in paths { recent.record(Self.agreed(path, Array(repeating: 0, count: 40 << 10))) }
        #expect(paths.filter { recent[$0] != nil }.count < 7)
        #expect(recent[paths[99]] != nil)
        recent.record(Self.agreed(paths[99], Array(repeating: 0, count: 1 << 20)))
        #expect(recent[paths[99]] == nil)
    }
}
