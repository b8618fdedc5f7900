import AgentClient
import BridgeRuntime
import StateStore
import TestBridge
import Testing

/// Events over HTTP.
@Suite struct HTTPEventTests {
    let bridge = FakeBridge()

    private func request(_ head: String, body: String = "") async throws -> String {
        try await answer(of: bridge, to: head, body: body)
    }

    private static let tap = #"{"id":"a","kind":"K","name":"tap","data":{"n": 1.50}}"#

    @Test func `A new event is 201, the same again 200, another one with its ID 409`() async throws {
        let created = try await request("POST /v1/events", body: Self.tap)
        #expect(created.hasPrefix("HTTP/1.1 201 "))
        #expect(created.contains(#"{"id":"a","seq":1,"kind":"K","name":"tap","data":{"n":1.50},"at":""#))
        let same = #"{"name":"tap","kind":"K","data":{"n":15e-1},"id":"a"}"#
        #expect(try await request("POST /v1/events", body: same).hasPrefix("HTTP/1.1 200 "))
        let other = try await request("POST /v1/events", body: #"{"id":"a","kind":"K","name":"swipe"}"#)
        #expect(other.hasPrefix("HTTP/1.1 409 ") && other.contains(":other-event"))
        let list = try await request("GET /v1/events")
        #expect(list.hasPrefix("HTTP/1.1 200 ") && list.contains(#"{"events":[{"id":"a","seq":1,"#))
        #expect(try await request("POST /v1/events/ack", body: #"{"ids":["a"]}"#).contains(" 204 "))
        #expect(try await request("GET /v1/events").contains(#"{"events":[]}"#))
        #expect(try await request("POST /v1/events/ack", body: #"{"ids":["b"]}"#).contains(" 404 "))
    }

    @Test(arguments: [
        ("POST /v1/events", "[]"), ("POST /v1/events", #"{"kind":"K"}"#),
        ("POST /v1/events", #"{"kind":"K","name":"n","date":1}"#),
        ("POST /v1/events", #"{"kind":"","name":"n"}"#), ("POST /v1/events/ack", #"{"ids":"a"}"#),
        ("GET /v1/events?limit=0", ""), ("GET /v1/events?after=-1", ""),
    ])
    func `A malformed request is 400`(_ head: String, _ body: String) async throws {
        let answer = try await request(head, body: body)
        #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains("application/problem+json"))
    }

    @Test func `An event of a megabyte is 413`() async throws {
        let data = String(repeating: "x", count: 1 << 20)
        let answer = try await request(
            "POST /v1/events",
            body: #"{"kind":"K","name":"n","data":"\#(data)"}"#
        )
        #expect(answer.hasPrefix("HTTP/1.1 413 ") && answer.contains(#""limit":65536"#))
    }

    @Test func `The client waits for an event, and acknowledges it`() async throws {
        let bridge = bridge
        try await withServer(of: bridge) { socketPath in
            let client = AgentClient(socketPath: socketPath)
            async let awaited = client.events(EventRequest(waits: true))
            let draft = EventDraft(id: "ü", kind: "K", name: "tap", data: Array("[0.10]".utf8))
            let pushed = try await bridge.push(draft)
            #expect(try await awaited == [pushed.event])
            #expect(try await client.push(draft) == PushedEvent(event: pushed.event, isNew: false))
            try await client.acknowledge(["ü"])
            #expect(try await client.events(EventRequest()) == [])
        }
    }

    @Test(arguments: [
        BridgeError.event(.unusable(.name)), .event(.tooLarge(bytes: 9, limit: 8)),
        .event(.invalidData(.reported("no"))), .event(.unknownLink("a://b", known: ["a://c"])),
        .event(.linkNotText), .event(.misplaced(.file, path: "/q")),
        .event(.misplaced(.directory, path: "/")),
        .event(.queue(.locked, path: "/q")), .event(.queue(.otherSchema(3, known: 2), path: "/q")),
        .event(.queue(.broken(DatabaseFailure(code: 26, message: "no")), path: "/q")),
        .event(.queue(.database(DatabaseFailure(code: 14, message: nil)), path: "/q")),
        .event(.queue(.replaced, path: "/q")), .event(.queue(.other("x"), path: "/q")),
        .event(.otherContent(id: "a")), .event(.full(limit: 9)), .unknownID(.event("a")),
    ])
    func `The client throws the error of the bridge`(_ error: BridgeError) async throws {
        bridge.fail(with: error)
        try await withServer(of: bridge) { socketPath in
            await #expect(throws: error) {
                try await AgentClient(socketPath: socketPath).events(EventRequest())
            }
        }
    }
}
