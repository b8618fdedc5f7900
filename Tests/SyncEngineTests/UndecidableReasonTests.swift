import Model
import SyncEngine
import Testing

@Suite("Why something cannot be decided")
struct UndecidableReasonTests {
    @Test("is said with what to do instead")
    func tells() throws {
        let file = try #require(RelativePath("trash/ab"))
        let view = try #require(RelativePath("a.v1.json"))
        let document = try #require(RelativePath("a.json"))
        let told: [(UndecidableReason, text: String, advice: String)] = [
            (
                .conflictOfNoDocument(file: file), "its origin is unknown",
                "put it where it belongs: it is trash/ab in the state directory"
            ),
            (
                .conflictOfNoSide(file: file), "nobody knows which side it comes from",
                "take a file: the kept one is trash/ab in the state directory"
            ),
            (
                .conflictTooLarge(.app, file: file), "what app had is larger than a document may be",
                "take a file, or nothing: the kept one is trash/ab in the state directory"
            ),
            (
                .conflictWithoutContent(.group), "what group had is not known",
                "take a file, or nothing: what stands there stays"
            ),
            (
                .trashOfNoDocument(file: file), "origin unknown",
                "put it where it belongs: it is trash/ab in the state directory"
            ),
            (
                .trashOfView(view, of: document, file: file),
                "a.v1.json is a view of a.json, and only the bridge writes it",
                "put what is missing into a.json: it is trash/ab in the state directory"
            ),
            (
                .trashTooLarge(file: file), "it is larger than a document may be",
                "take what is wanted of it: it is trash/ab in the state directory"
            ),
        ]
        for (reason, text, advice) in told {
            #expect(reason.text == text)
            #expect(reason.advice == advice)
        }
    }
}
