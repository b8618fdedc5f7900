import Model
import Testing

/// The text of a change's reason.
@Suite struct ChangeReasonTextTests {
    private static let path = RelativePath("d/a.json")

    static let crossings: [(ChangeReason, String)] = [
        (.created(in: .app), "created in app"),
        (.created(in: .group, version: 1), "created in group; translated to version 1"),
        (.changed(in: .group), "changed in group"),
        (.changed(in: .app, version: 2), "changed in app; translated to version 2"),
        (.deleted(in: .group), "deleted in group"),
        (.outlivedDeletion(in: .app), "edited in app, deleted in group: the edit wins"),
        (
            .outlivedDeletion(in: .group, version: 1),
            "edited in group, deleted in app: the edit wins; translated to version 1"
        ),
        (.savedUnread(in: .app), "saved in app without having read the last change: merged with it"),
        (
            .overwroteUnread(["/a"], in: .group),
            "saved in group without having read the last value of /a, which its former version lacks: "
                + "group's value wins, the document before is kept"
        ),
        (.putBack(in: .group), "changed in group, but synced only from app: put back"),
        (.restored(in: .app), "deleted in app, but synced only from group: put back"),
        (
            .rounded(["/id", "/no"], in: .group),
            "group's program rounded /id, /no: the exact number stays"
        ),
        (.keptFields(["/a"], in: .app), "app keeps /a, which its program changed: put back"),
        (.same, "both sides have the same content"),
        (.gone, "deleted on both sides"),
        (.reformatted, "only the formatting changed"),
    ]

    static let meetings: [(ChangeReason, String)] = [
        (.bothChanged, "both sides changed"),
        (.merged(), "both sides changed: merged key by key"),
        (
            .merged(uncomputed: ["/a", "/b"]),
            "both sides changed: merged key by key; the profile's merge rule cannot compute /a, /b: left "
                + "unchanged"
        ),
        (
            .conflict(["/a", "/b"], winner: .app),
            "both sides changed /a, /b: app's value wins, group's document is kept"
        ),
        (
            .conflict([""], winner: .group, uncomputed: ["/c"]),
            "both sides changed the whole document: group's value wins, app's document is kept; "
                + "the profile's merge rule cannot compute /c: left unchanged"
        ),
        (
            .unmerged(.cannotBeMerged),
            "both sides changed and cannot be merged: app's document wins, group's is kept"
        ),
        (
            .unmerged(.breaksSchema),
            "both sides changed and violate the schema when merged: app's document wins, group's is kept"
        ),
    ]

    static let races: [(ChangeReason, String)] = [
        (
            .raced(in: .app, .laterStands),
            "saved in app while the bridge published another save: app's later save wins, "
                + "the earlier one is kept"
        ),
        (
            .raced(in: .group, .appStands),
            "saved in group while the bridge published another save: app's wins, group's is kept"
        ),
        (
            .raced(in: .group, .unmergeable),
            "saved in group while the bridge published another save, and the two cannot be merged: "
                + "app's wins, group's is kept"
        ),
        (
            .raced(in: .app, .tooLarge),
            "saved in app while the bridge published another save, above the size limit: "
                + "group's wins, app's is kept"
        ),
        (
            .leftTooLarge(in: .app),
            "found in app after a crash, above the size limit: it is kept"
        ),
        (
            .leftUnknown(in: .group),
            "found in group after a crash, not from a known document: it is kept"
        ),
    ]

    static let wishes: [(ChangeReason, String)] = [
        (.undone(generation: 3), "a person restored generation 3"),
        (.undone(generation: nil), "a person restored an overwritten save"),
        (
            .decided(conflict: "0123456789ab", winner: .group),
            "resolved conflict 0123456789ab: group wins"
        ),
        (
            .decided(conflict: "0123456789ab", winner: nil),
            "resolved conflict 0123456789ab with a file"
        ),
        (.restated, "translated to the pinned version"),
        (.linked, "both containers had hard links to one file: the group gets its own"),
        (.migrated, "migrated"),
        (
            .both(.undone(generation: 1), .conflict(["/a"], winner: .app)),
            "a person restored generation 1; both sides changed /a: app's value wins, "
                + "group's document is kept"
        ),
    ]

    @Test(arguments: crossings + meetings + races + wishes)
    func `each reason has its text`(reason: ChangeReason, words: String) {
        #expect(reason.text == words)
    }

    @Test func `a move names its source or its target`() throws {
        let path = try #require(Self.path)
        #expect(ChangeReason.movedTo(path, in: .app).text == "moved to d/a.json in app")
        #expect(ChangeReason.movedFrom(path, in: .group).text == "moved from d/a.json in group")
    }
}
