import Foundation
import Model
import Reloads
import Testing

/// Two documents whose names look the same, as their letters are composed in one and decomposed in the other.
@Suite struct AlikeNamesTests {
    private let names: [RelativePath] = ["cafe\u{301}.json", "caf\u{E9}.json"]

    @Test func `A kind shows each of them, also after a restart`() throws {
        var policy = ReloadPolicy.ofOneKind()
        var grants: [ReloadGrant] = []
        for name in names { grants += policy.change("K", document: name, to: .shows(1), at: midnight) }
        grants += policy.run(until: midnight + hour)
        #expect(grants.flatMap(\.documents) == names)
        let data = try JSONEncoder().encode(policy.state)
        let state = try JSONDecoder().decode(ReloadPolicy.State.self, from: data)
        #expect(state == policy.state)
        var again = ReloadPolicy([KindRules(kind: "K")], state: state)
        #expect(again.documents(of: "K") == names)
        #expect(again.drop(names[0], from: "K", at: midnight + 2 * hour).flatMap(\.documents) == [])
        #expect(again.documents(of: "K") == [names[1]])
    }

    @Test func `Documents are stored by their names as one object`() throws {
        var policy = ReloadPolicy.ofOneKind()
        for name in ["d.json", names[0]] {
            _ = policy.change("K", document: name, to: .shows(1), at: midnight)
        }
        let data = try JSONEncoder().encode(policy.state(of: "K"))
        let members = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        let documents = try #require(members["documents"] as? [String: Any])
        #expect(documents.keys.sorted() == [names[0].description, "d.json"])
    }
}
