import Model
import Testing

/// The words that people and programs have for what became of a document.
@Suite struct ChangeReasonTextTests {
    private static let path = RelativePath("d/a.json")

    static let crossings: [(ChangeReason, String)] = [
        (.created(in: .app), "created in app"),
        (.created(in: .group, version: 1), "created in group, said in version 1"),
        (.changed(in: .group), "changed in group"),
        (.changed(in: .app, version: 2), "changed in app, said in version 2"),
        (.deleted(in: .group), "deleted in group"),
        (.outlivedDeletion(in: .app), "edited in app, deleted in group: the edit stays"),
        (
            .outlivedDeletion(in: .group, version: 1),
            "edited in group, deleted in app: the edit stays, said in version 1"
        ),
        (.savedUnread(in: .app), "saved in app without having read the last change, which stays"),
        (.same, "both sides hold the same"),
        (.gone, "gone from both sides"),
        (.spelledAnew, "spelled anew"),
    ]

    static let meetings: [(ChangeReason, String)] = [
        (.bothChanged, "both changed"),
        (.merged(), "both changed, merged key by key"),
        (
            .merged(uncomputed: ["/a", "/b"]),
            "both changed, merged key by key; the profile's rule cannot compute /a, /b, which stays as it was"
        ),
        (.conflict(["/a", "/b"], winner: .app), "both changed /a, /b: app's stands, the other is kept"),
        (
            .conflict([""], winner: .group, uncomputed: ["/c"]),
            "both changed the whole document: group's stands, the other is kept; the profile's rule cannot "
                + "compute /c, which stays as it was"
        ),
        (
            .unmerged(.cannotBeMerged),
            "both changed and cannot be merged: app's stands, the other is kept"
        ),
        (
            .unmerged(.breaksSchema),
            "both changed and break the schema together: app's stands, the other is kept"
        ),
    ]

    static let races: [(ChangeReason, String)] = [
        (
            .raced(in: .app, .laterStands),
            "saved in app while another save was published: the later save of app stands, the earlier is kept"
        ),
        (
            .raced(in: .group, .appStands),
            "saved in group while another save was published: app's stands, group's is kept"
        ),
        (
            .raced(in: .group, .unmergeable),
            "saved in group while another save was published, and not to be merged with it: "
                + "app's stands, group's is kept"
        ),
        (
            .raced(in: .app, .tooLarge),
            "saved in app while another save was published, and larger than a document may be: "
                + "group's stands, app's is kept"
        ),
        (
            .leftTooLarge(in: .app),
            "left in app by a run that was killed, and larger than a document may be: it is kept"
        ),
        (
            .leftUnknown(in: .group),
            "left in group by a run that was killed, of no document that is known: it is kept"
        ),
    ]

    static let wishes: [(ChangeReason, String)] = [
        (.undone(generation: 3), "a person took generation 3 back"),
        (.undone(generation: nil), "a person took an overwritten save back"),
        (
            .decided(conflict: "0123456789ab", winner: .group),
            "a person decided conflict 0123456789ab: group's"
        ),
        (
            .decided(conflict: "0123456789ab", winner: nil),
            "a person decided conflict 0123456789ab with a file"
        ),
        (.restated, "said in another version, as it was pinned"),
        (.migrated, "migrated"),
        (
            .both(.undone(generation: 1), .conflict(["/a"], winner: .app)),
            "a person took generation 1 back; both changed /a: app's stands, the other is kept"
        ),
    ]

    @Test(arguments: crossings + meetings + races + wishes)
    func `each reason has its words`(reason: ChangeReason, words: String) {
        #expect(reason.text == words)
    }

    @Test func `a move names where it goes or where it comes from`() throws {
        let path = try #require(Self.path)
        #expect(ChangeReason.movedTo(path, in: .app).text == "moved to d/a.json in app")
        #expect(ChangeReason.movedFrom(path, in: .group).text == "moved from d/a.json in group")
    }
}
