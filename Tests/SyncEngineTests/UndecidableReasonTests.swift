import Model
import SyncEngine
import Testing

@Suite("Why a decision is not possible")
struct UndecidableReasonTests {
    @Test("is shown with what to do instead")
    func tells() throws {
        let file = try #require(RelativePath("trash/ab"))
        let view = try #require(RelativePath("a.v1.json"))
        let document = try #require(RelativePath("a.json"))
        let told: [(UndecidableReason, text: String, advice: String)] = [
            (
                .conflictOfNoDocument(file: file), "its document is unknown",
                "copy it to its document by hand: it is trash/ab in the state directory"
            ),
            (
                .conflictOfNoSide(file: file), "the side it comes from is unknown",
                "resolve it with a file: its copy is trash/ab in the state directory"
            ),
            (
                .conflictTooLarge(.app, file: file), "app's content is above the size limit",
                "resolve it with a file, or leave it: its copy is trash/ab in the state directory"
            ),
            (
                .conflictWithoutContent(.group), "group's content was not kept",
                "resolve it with a file, or leave it: the document stays as it is"
            ),
            (
                .trashOfNoDocument(file: file), "origin unknown",
                "copy it to its document by hand: it is trash/ab in the state directory"
            ),
            (
                .trashOfView(view, of: document, file: file),
                "a.v1.json is a view of a.json, and only the bridge writes it",
                "copy what is missing to a.json by hand: it is trash/ab in the state directory"
            ),
            (
                .trashTooLarge(file: file), "it is above the size limit",
                "copy what you need from it by hand: it is trash/ab in the state directory"
            ),
        ]
        for (reason, text, advice) in told {
            #expect(reason.text == text)
            #expect(reason.advice == advice)
        }
    }
}
