import BridgeRuntime
import Model
import TestBridge
import Testing

@Suite(.timeLimit(.minutes(2))) struct HTTPPageTests {
    private let bridge = FakeBridge()

    @Test func `Documents come in pages, in the order of their names`() async throws {
        for name in ["b.json", "a.json", "c.json"] {
            _ = try await bridge.put(
                Array("{}".utf8),
                as: try path(name),
                side: .group,
                expecting: .anything
            )
        }
        let first = try await answer(of: bridge, to: "GET /v1/documents?limit=2")
        #expect(first.contains(#""matching":3,"next":"b.json"}"#), "\(first)")
        #expect(first.contains(#""name":"a.json""#) && !first.contains(#""name":"c.json""#), "\(first)")
        let second = try await answer(of: bridge, to: "GET /v1/documents?limit=2&after=b.json")
        #expect(second.contains(#""matching":3,"next":null}"#), "\(second)")
        #expect(second.contains(#""name":"c.json""#) && !second.contains(#""name":"b.json""#), "\(second)")
        let held = try await answer(of: bridge, to: "GET /v1/documents?state=held,conflict")
        #expect(held.contains(#"{"documents":[],"matching":0,"next":null}"#), "\(held)")
    }

    @Test(arguments: [
        ("state=hold", "did you mean `held`?"), ("state=", "`state` is one of synced, pending"),
        ("limit=0", "`limit` is a whole number of at least 1"), ("limit=x", "`limit` is a whole number"),
    ])
    func `A page that cannot be is refused`(_ query: String, _ expected: String) async throws {
        let answer = try await answer(of: bridge, to: "GET /v1/documents?\(query)")
        #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains(expected), "\(answer)")
    }
}
