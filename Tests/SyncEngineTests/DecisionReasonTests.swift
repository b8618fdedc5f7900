import Foundation
import Model
import SyncEngine
import Testing

@Suite struct DecisionReasonTests {
    @Test func `Why something is kept is said in these words`() {
        #expect(
            TrashedContent.Reason.overwritten(.savedMeanwhile).text == OverwriteReason.savedMeanwhile.text
        )
        #expect(TrashedContent.Reason.unknown.text == "origin unknown")
        #expect(KeptConflict.Reason.settled(.bothChanged).text == "both sides changed")
        #expect(KeptConflict.Reason.unknown.text == "reason unknown: the journal was lost")
    }

    @Test func `A content of the trash that no document has held says so`() {
        #expect(TrashedContent(id: "0123", hash: "sha256:00").reason == .known(.unknown))
    }

    @Test func `An agent's decision is read with its words`() throws {
        let made = MadeEdit(
            document: "a.json",
            side: .group,
            hash: nil,
            isWritten: true,
            reason: .known(.decided(conflict: "0123", winner: .group))
        )
        var read = made
        read.reason = .told("resolved conflict 0123: group wins")
        #expect(try JSONDecoder().decode(MadeEdit.self, from: JSONEncoder().encode(made)) == read)
    }
}
