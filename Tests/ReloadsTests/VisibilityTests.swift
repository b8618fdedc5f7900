import Documents
import Model
import Reloads
import Testing

@Suite("A reload")
struct VisibilityTests {
    @Test("follows a change that the kind shows, at once")
    func visible() throws {
        var policy = ReloadPolicy.ofOneKind()
        let grants = policy.change(to: .shows(1), at: midnight)
        #expect(grants.map(\.kind) == ["K"] && grants.map(\.at) == [midnight])
        #expect(grants.map(\.cause) == [.change] && grants.map(\.documents) == [["d.json"]])
        #expect(policy.deadline == nil)
    }

    @Test("does not follow a change that the kind does not show")
    func invisible() throws {
        var policy = ReloadPolicy.ofOneKind()
        _ = policy.change(to: .shows(1), at: midnight)
        #expect(policy.change(to: .shows(1), at: midnight + hour) == [])
        let counts = try policy.ledger(at: midnight + hour).counts
        #expect(counts.granted == 1 && counts.invisible == 1 && counts.asks == 1)
    }

    @Test("of several changes within a quarter of a second is one, and shows the newest")
    func coalesced() throws {
        var policy = ReloadPolicy.ofOneKind()
        #expect(policy.change(to: .shows(1), at: midnight).count == 1)
        for number in UInt8(2)...9 {
            #expect(policy.change(to: .shows(number), at: midnight + Int64(number) * 10) == [])
        }
        #expect(policy.deadline == midnight + 250)
        #expect(policy.tick(at: midnight + 249) == [])
        #expect(policy.tick(at: midnight + 250).map(\.isDelayed) == [false])
        #expect(policy.change(to: .shows(9), at: midnight + 300) == [])
        #expect(try policy.ledger(at: midnight + 300).counts.coalesced == 7)
    }

    @Test("is not needed if what it would show is shown already")
    func returned() throws {
        var policy = ReloadPolicy.ofOneKind()
        _ = policy.change(to: .shows(1), at: midnight)
        _ = policy.change(to: .shows(2), at: midnight + 100)
        _ = policy.change(to: .shows(1), at: midnight + 200)
        #expect(policy.deadline == nil)
        #expect(policy.run(until: midnight + hour) == [])
    }

    @Test("names all documents that changed")
    func documents() throws {
        var policy = ReloadPolicy.ofOneKind()
        _ = policy.change("K", document: "a.json", to: .shows(1), at: midnight)
        for name in ["c.json", "b.json"] as [RelativePath] {
            _ = policy.change("K", document: name, to: .shows(1), at: midnight + 1)
        }
        #expect(policy.run(until: midnight + hour).map(\.documents) == [["b.json", "c.json"]])
    }

    @Test("follows a deletion")
    func deleted() throws {
        var policy = ReloadPolicy.ofOneKind()
        #expect(policy.change(to: .missing, at: midnight) == [])
        _ = policy.change(to: .shows(1), at: midnight)
        #expect(policy.change(to: .missing, at: midnight + hour).count == 1)
    }

    @Test("of a kind without rules is granted for each visible change")
    func unknownKind() {
        var policy = ReloadPolicy([])
        for number in UInt8(0)..<100 {
            let at = midnight + Int64(number) * 1000
            #expect(policy.change("a.json", document: "a.json", to: .shows(number), at: at).count == 1)
        }
    }

    @Test("depends on what of a document is shown, and on the error that is shown instead")
    func projection() throws {
        let rule = try Profile(
            yaml: """
                profile: p
                documents:
                  d.json:
                    stale: {field: /at, after: 1 h}
                    errors: {broken: {text: Broken, when: {required: [broken]}}}
                    kinds:
                      K: {shows: [/list, /sum], ignore: [/list/*/at]}
                """,
            file: "p.yaml"
        ).rule(for: "d.json")
        func projection(_ text: String) throws -> Projection {
            let document = try JSON(parsing: Array(text.utf8))
            return Projection(
                of: document,
                in: rule.kinds[0],
                rule,
                saved: midnight,
                for: [WidgetSetting(zone: .utc, now: midnight)]
            )
        }
        let shown = try projection(
            #"{"list":[{"at":1,"a":"é"},{"at":2}],"sum":1.0,"at":"2026-01-18T00:00:00Z"}"#
        )
        #expect(shown.staleAt == midnight + hour)
        for text in [
            #"{"sum":1,"list":[{"a":"\u00e9","at":7},{"at":[]}],"x":0}"#,
            #"{"list":[{"a":"é"},{}],"sum":10e-1}"#,
        ] { #expect(try projection(text).looksLike(shown)) }
        let different = [
            #"{"list":[{"a":"é"}],"sum":1}"#, #"{"list":[{},{"a":"é"}],"sum":1}"#,
            #"{"list":[{"a":"é"},{}]}"#, #"{"list":[{"a":"é"},{}],"sum":null}"#,
            #"{"list":[{"a":"é"},{}],"sum":"1"}"#, #"{"list":[{"a":"é"},{}],"sum":1,"broken":1}"#,
        ]
        for text in different { #expect(try !projection(text).looksLike(shown)) }
        let shownOnes = try different.map { try [projection($0).content, projection($0).state] }
        #expect(Set(shownOnes).count == different.count)
    }
}
