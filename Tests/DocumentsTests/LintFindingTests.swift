import Documents
import Testing

@Suite struct LintFindingTests {
    static let reasons: [(LintFinding.Reason, String)] = [
        (.hurt(.removed, from: 1, to: 2), "FIELD_REMOVED `p`: is no more there from version 1 to 2"),
        (
            .hurt(.required, from: 1, to: 2),
            "REQUIRED_WITHOUT_DEFAULT `p`: is required, and has no default, from version 1 to 2"
        ),
        (
            .hurt(.type(.object, now: .array), from: 1, to: 2),
            "TYPE_CHANGED `p`: was an object and is an array from version 1 to 2"
        ),
        (.hurt(.optional, from: 1, to: 2), "FIELD_OPTIONAL `p`: is no more required from version 1 to 2"),
        (
            .unrestored(from: 2, to: 1),
            "WAY_BACK_BROKEN `p`: version 1 requires it, and nothing brings it back from version 2; "
                + "`remove` takes a `default`"
        ),
        (.viewNeeded(version: 1), "VIEW_NEEDED `p`: readers of version 1 need `views`"),
        (.viewUnneeded(version: 1), "VIEW_UNNEEDED `p`: readers of version 1 read the newest one"),
        (.noSchema(version: 1), "SCHEMA_MISSING `p`: version 1 has no schema"),
        (.reloads(96, granted: 72), "RELOAD_BUDGET `p`: asks for 96 reloads a day; at most 72 come"),
        (.name(.temporary), "NAME_UNMATCHED `p`: hidden and temporary files are no documents"),
    ]

    @Test(arguments: reasons)
    func `What a profile would do to its readers is said in these words`(
        reason: LintFinding.Reason,
        words: String
    ) {
        #expect(LintFinding(document: "d", place: "p", reason: reason).text == "d: \(words)")
    }
}
