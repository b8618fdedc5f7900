import Model
import Testing

/// Why a content went to the trash.
@Suite struct OverwriteReasonTests {
    private static let path = RelativePath("d/a.v1.json")

    private static var all: [(OverwriteReason, code: String, words: String)] {
        let plain: [(OverwriteReason, String, String)] = [
            (.changed(.merged()), "merged", "both sides changed: merged key by key"),
            (.changed(.deleted(in: .app)), "deleted|app", "deleted in app"),
            (.replaced, "replaced", "a person replaced it"),
            (.savedMeanwhile, "saved-meanwhile", "saved while the bridge published another save"),
            (.conflictDecided, "conflict-decided", "lost a conflict that a person resolved"),
            (.conflictDropped, "conflict-dropped", "lost a conflict that nobody resolved"),
        ]
        guard let path else { return plain }
        return plain + [
            (
                .viewPublished(path), "view-published|d/a.v1.json",
                "the bridge overwrote it with the view d/a.v1.json"
            ),
            (.viewRemoved(path), "view-removed|d/a.v1.json", "the bridge removed the view d/a.v1.json"),
            (
                .viewInterrupted(path), "view-interrupted|d/a.v1.json",
                "the bridge was killed while publishing the view d/a.v1.json"
            ),
        ]
    }

    @Test func `each reason has its text and a code that does not change`() {
        #expect(Self.all.count == 9)
        for (reason, code, words) in Self.all {
            #expect(reason.code == code)
            #expect(reason.text == words)
            #expect(OverwriteReason(code: code) == reason)
        }
    }

    @Test func `a deletion requested by a person has a code of its own`() {
        #expect(OverwriteReason.deleted.code == "deleted-by-hand")
        #expect(OverwriteReason(code: "deleted-by-hand") == .deleted)
    }

    @Test func `a path may contain any character`() throws {
        let path = try #require(RelativePath(#"a|b\c/ |\\|.json"#))
        for reason in [OverwriteReason.viewPublished(path), .viewRemoved(path), .viewInterrupted(path)] {
            #expect(OverwriteReason(code: reason.code) == reason)
        }
    }

    @Test(arguments: ["", "of a later release|1", "replaced|1", "view-removed", "view-removed|/a"])
    func `an unknown code is shown as it is`(code: String) {
        #expect(OverwriteReason(code: code).text == code)
    }
}
