import Foundation
import Model
import SyncEngine
import Testing

@Suite struct DecisionReasonTests {
    @Test func `Each reason why something is kept has its text`() {
        #expect(
            TrashedContent.Reason.overwritten(.savedMeanwhile).text == OverwriteReason.savedMeanwhile.text
        )
        #expect(TrashedContent.Reason.unknown.text == "origin unknown")
        #expect(KeptConflict.Reason.settled(.bothChanged).text == "both sides changed")
        #expect(KeptConflict.Reason.unknown.text == "reason unknown: the journal has no record of it")
    }

    @Test func `A content of the trash that was never a document's says so`() {
        #expect(TrashedContent(id: "0123", hash: "sha256:00").reason == .known(.unknown))
    }

    @Test func `A decision is read from an agent with its text`() throws {
        let made = MadeEdit(
            document: "a.json",
            side: .group,
            hash: nil,
            isWritten: true,
            reason: .known(.decided(conflict: "0123", winner: .group))
        )
        var read = made
        read.reason = .reported("resolved conflict 0123: group wins")
        #expect(try JSONDecoder().decode(MadeEdit.self, from: JSONEncoder().encode(made)) == read)
    }
}
