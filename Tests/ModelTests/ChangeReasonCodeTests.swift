import Model
import Testing

/// How the journal stores the reason of a change.
@Suite struct ChangeReasonCodeTests {
    private static let all =
        (ChangeReasonTextTests.crossings + ChangeReasonTextTests.meetings + ChangeReasonTextTests.races
        + ChangeReasonTextTests.wishes).map(\.0)

    @Test(arguments: all)
    func `a reason is decoded as it was encoded`(reason: ChangeReason) {
        #expect(ChangeReason(code: reason.code) == reason)
    }

    @Test func `operands may contain any character`() throws {
        let path = try #require(RelativePath(#"a|b\c/ |\\|.json"#))
        let reasons: [ChangeReason] = [
            .movedFrom(path, in: .app), .movedTo(path, in: .group), .text(""), .text(#"\|é"#),
            .conflict([], winner: .app),
            .conflict(["", "|", #"\"#], winner: .group, uncomputed: ["/|", ""]),
            .merged(uncomputed: [""]),
            .both(.both(.movedFrom(path, in: .app), .text(#"|\"#)), .conflict([#"|\|"#], winner: .app)),
        ]
        for reason in reasons { #expect(ChangeReason(code: reason.code) == reason, "\(reason.code)") }
    }

    /// Existing journals contain these.
    @Test(
        arguments: [
            (.created(in: .app), "created|app"), (.changed(in: .group, version: 1), "changed|group|1"),
            (.deleted(in: .app), "deleted|app"), (.outlivedDeletion(in: .app), "outlived|app"),
            (.savedUnread(in: .group), "saved-unread|group"), (.putBack(in: .group), "put-back|group"),
            (.restored(in: .app), "restored|app"), (.same, "same"), (.gone, "gone"),
            (.overwroteUnread(["/a", "/b"], in: .app), "overwrote-unread|app|/a|/b"),
            (.rounded(["/a"], in: .app), "rounded|app|/a"),
            (.keptFields(["/a", "/b"], in: .group), "kept-fields|group|/a|/b"),
            (.reformatted, "spelled-anew"), (.bothChanged, "both-changed"),
            (.merged(uncomputed: ["/a"]), "merged|/a"),
            (.conflict(["/a", "/b"], winner: .app, uncomputed: ["/c"]), "conflict|app|2|/a|/b|/c"),
            (.unmerged(.breaksSchema), "unmerged|breaks-schema"),
            (.raced(in: .app, .laterStands), "raced|app|later-stands"),
            (.leftTooLarge(in: .app), "left-too-large|app"), (.leftUnknown(in: .group), "left-unknown|group"),
            (.undone(generation: 3), "undone|3"),
            (.decided(conflict: "01ab", winner: .app), "decided|01ab|app"),
            (.restated, "restated"), (.linked, "linked"), (.migrated, "migrated"),
            (.text("a|b"), #"text|a\|b"#),
            (.both(.same, .merged(uncomputed: ["/a"])), #"both|same|merged\|/a"#),
        ] as [(ChangeReason, String)]
    )
    func `the codes do not change`(reason: ChangeReason, code: String) {
        #expect(reason.code == code)
    }

    @Test(arguments: [
        "", "of a later release|1", "created", "created|app|x", "conflict|app|9|/a", "undone|x",
    ])
    func `an unknown code is shown as it is`(code: String) {
        #expect(ChangeReason(code: code) == .text(code))
    }
}
