import Documents
import Model
import StateStore
import SyncEngine
import Testing

/// Which version of a document a side is made to speak, without an engine.
@Suite struct DocumentRulesTests {
    private let profile: Profile
    private let path = inApp("a.json").path

    init() throws { profile = try ViewWorld(views: "{group: [1]}").profile }

    private func pinned(
        _ pins: String?,
        fixed: BothSides<Int?> = BothSides(app: nil, group: nil)
    ) -> BothSides<Int?> {
        DocumentRules(profile, fixed: fixed, pins: pins).pinnedVersions(of: path)
    }

    @Test func `what the profile says binds where nothing else does`() {
        #expect(pinned(nil) == BothSides(app: profile.appVersion, group: profile.groupVersion))
    }

    @Test func `a migration binds one document, as long as the profile knows the version`() {
        #expect(pinned("1\t-\ta.json\n") == BothSides(app: 1, group: profile.groupVersion))
        #expect(pinned("99\t-\ta.json\n") == pinned(nil))
        #expect(pinned("1\t1\tother.json\n") == pinned(nil))
    }

    @Test func `the settings go before a migration`() {
        #expect(pinned("1\t1\ta.json\n", fixed: BothSides(app: 2, group: nil)) == BothSides(app: 2, group: 1))
    }

    @Test func `what is a document, and what a view of one, the profile says`() {
        let rules = DocumentRules(profile, pins: nil)
        let view = inGroup("a.v1.json").path
        #expect(rules.isDocument(path) && rules.document(ofView: view) == path)
        #expect(rules.document(ofView: path) == nil && !rules.rule(for: path).views.isEmpty)
        let none = DocumentRules(nil, pins: nil)
        #expect(none.isDocument(view) && none.document(ofView: view) == nil)
    }
}
