import Documents
import Model
import StateStore
import SyncEngine
import Testing

/// The version of a document that each side gets; without an engine.
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

    @Test func `the profile's rules apply unless something overrides them`() {
        #expect(pinned(nil) == BothSides(app: profile.appVersion, group: profile.groupVersion))
    }

    @Test func `a migration pins one document, as long as the profile has the version`() {
        #expect(pinned("1\t-\ta.json\n") == BothSides(app: 1, group: profile.groupVersion))
        #expect(pinned("99\t-\ta.json\n") == pinned(nil))
        #expect(pinned("1\t1\tother.json\n") == pinned(nil))
    }

    @Test func `the settings override a migration`() {
        #expect(pinned("1\t1\ta.json\n", fixed: BothSides(app: 2, group: nil)) == BothSides(app: 2, group: 1))
    }

    @Test func `the profile determines what is a document, and what is a view of one`() {
        let rules = DocumentRules(profile, pins: nil)
        let view = inGroup("a.v1.json").path
        #expect(rules.isDocument(path) && rules.document(ofView: view) == path)
        #expect(rules.document(ofView: path) == nil && !rules.rule(for: path).views.isEmpty)
        let none = DocumentRules(nil, pins: nil)
        #expect(none.isDocument(view) && none.document(ofView: view) == nil)
    }
}
