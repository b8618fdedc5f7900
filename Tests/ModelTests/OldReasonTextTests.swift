import Model
import Testing

/// How earlier releases worded a reason in the journal. None of these changes any more.
@Suite struct OldReasonTextTests {
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

    static let others: [(ChangeReason, String)] = [
        (.bothChanged, "both changed"),
        (.merged(), "both changed, merged key by key"),
        (.unmerged(.cannotBeMerged), "both changed and cannot be merged: app's stands, the other is kept"),
        (
            .unmerged(.breaksSchema),
            "both changed and break the schema together: app's stands, the other is kept"
        ),
        (.undone(generation: 3), "a person took generation 3 back"),
        (.undone(generation: nil), "a person took an overwritten save back"),
        (.restated, "said in another version, as it was pinned"),
        (.migrated, "migrated"),
    ]

    @Test(arguments: crossings + races + others)
    func `a sentence of an older release is read as its reason`(
        reason: ChangeReason,
        text: String
    ) {
        #expect(ChangeReason(oldText: text) == reason)
    }

    @Test func `a move is read as well, whatever its path is`() throws {
        let name = "moved from a in app in group"
        let path = try #require(RelativePath(name))
        #expect(ChangeReason(oldText: "moved to \(name) in app") == .movedTo(path, in: .app))
        #expect(ChangeReason(oldText: "moved from \(name) in group") == .movedFrom(path, in: .group))
    }

    @Test(
        arguments: [
            "", "a person took generation x back", "both changed /a: app's stands, the other is kept",
            "a person decided conflict 0123456789ab: group's", "moved to /a in app",
            "a person took generation 1 back; both changed /a: app's stands, the other is kept",
        ]
    )
    func `an ambiguous sentence is kept`(text: String) {
        #expect(ChangeReason(oldText: text) == .text(text))
        #expect(ChangeReason(code: ChangeReason.text(text).code) == .text(text))
    }

    @Test func `sentences about the trash are read in the same way`() throws {
        let name = #"a|b\c/ |\\|.json"#
        let path = try #require(RelativePath(name))
        let sentences: [(OverwriteReason, String)] = [
            (.changed(.merged()), "both changed, merged key by key"),
            (.changed(.deleted(in: .app)), "deleted in app"),
            (.replaced, "a person put something else over it"),
            (.savedMeanwhile, "saved while another save was published"),
            (.conflictDecided, "lost a conflict that a person decided"),
            (.conflictDropped, "lost a conflict that was never decided"),
            (.viewPublished(path), "the bridge published the view \(name) over it"),
            (.viewRemoved(path), "the view \(name) was taken away"),
            (.viewInterrupted(path), "the bridge was killed while it published the view \(name)"),
        ]
        for (reason, text) in sentences { #expect(OverwriteReason(oldText: text) == reason) }
        for text in ["", "the view  was taken away", "both changed /a: app's stands, the other is kept"] {
            #expect(OverwriteReason(oldText: text) == .changed(.text(text)))
        }
    }
}
