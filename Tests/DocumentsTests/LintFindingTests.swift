import Documents
import Testing

@Suite struct LintFindingTests {
    static let reasons: [(LintFinding.Reason, String)] = [
        (.hurt(.removed, from: 1, to: 2), "FIELD_REMOVED `p`: is removed between versions 1 and 2"),
        (
            .hurt(.required, from: 1, to: 2),
            "REQUIRED_WITHOUT_DEFAULT `p`: becomes required without a default between versions 1 and 2"
        ),
        (
            .hurt(.type(.object, now: .array), from: 1, to: 2),
            "TYPE_CHANGED `p`: changes from an object to an array between versions 1 and 2"
        ),
        (.hurt(.optional, from: 1, to: 2), "FIELD_OPTIONAL `p`: becomes optional between versions 1 and 2"),
        (
            .unrestored(from: 2, to: 1),
            "WAY_BACK_BROKEN `p`: version 1 requires it, and migrating back from version 2 does not restore it; "
                + "give `remove` a `default`"
        ),
        (
            .unrecognized(from: 1, to: 2, document: "{}"),
            "VERSION_UNRECOGNIZED `p`: a document of version 1, such as `{}`, is not recognized as version 2 "
                + "after its migration; a lens must make what `when` requires"
        ),
        (.viewNeeded(version: 1), "VIEW_NEEDED `p`: readers of version 1 need `views`"),
        (.viewUnneeded(version: 1), "VIEW_UNNEEDED `p`: readers of version 1 read the newest one"),
        (.noSchema(version: 1), "SCHEMA_MISSING `p`: version 1 has no schema"),
        (
            .reloads(96, granted: 72),
            "RELOAD_BUDGET `p`: requests 96 reloads a day; the system grants at most 72"
        ),
        (.otherRules(than: "a"), "KIND_RULES `p`: only what `a` says of its reloads counts"),
        (.store(.sharedKey("k", document: "b")), "STORE_SHARED `p`: `b` has the same key `k`"),
        (.name(.temporary), "NAME_UNMATCHED `p`: hidden and temporary files are not documents"),
    ]

    @Test(arguments: reasons)
    func `Each finding of lint has its text`(
        reason: LintFinding.Reason,
        words: String
    ) {
        #expect(LintFinding(document: "d", place: "p", reason: reason).text == "d: \(words)")
    }
}
