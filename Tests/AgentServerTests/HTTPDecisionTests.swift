import AgentClient
import Foundation
import Model
import SyncEngine
import TestBridge
import Testing

/// Conflicts, the trash and held deletions over HTTP.
@Suite struct HTTPDecisionTests {
    private static let id = "0123456789ab"
    let bridge = FakeBridge()

    private func request(_ head: String, body: String = "") async throws -> String {
        try await answer(of: bridge, to: head, body: body)
    }

    @Test func `The client receives what the bridge returns`() async throws {
        let (bridge, id) = (bridge, Self.id)
        try await withServer(of: bridge) { socketPath in
            let client = AgentClient(socketPath: socketPath)
            let conflicts = try await bridge.conflicts()
            #expect(try await client.conflicts() == conflicts)
            for taken in [Taken.side(.app), .side(.group), .content(Array(#"{"é":1.50}"#.utf8))] {
                let edit = try await bridge.resolve(id, taking: taken)
                #expect(try await client.resolve(id, taking: taken) == edit)
            }
            for name in [nil, try path("sub dir/ünï?#%.json")] {
                let history = try await bridge.history(of: name)
                #expect(try await client.history(of: name) == history)
            }
            let (undone, allowed) = try await (bridge.undo(id), bridge.allow(id))
            #expect(try await client.undo(id) == undone)
            #expect(try await client.allow(id) == allowed)
            let (paused, resumed) = try await (bridge.pause(), bridge.resume())
            #expect(try await client.pause() == paused)
            #expect(try await client.resume() == resumed)
        }
    }

    @Test func `Conflicts are one object with the key of the API`() async throws {
        let answer = try await request("GET /v1/conflicts")
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(answer.contains(#"{"conflicts":[{"id":"0123456789ab","document":"a.json","side":"group","#))
        #expect(answer.contains(#""fields":[{"pointer":"/a","base":"1","app":"2.50","group":null}]"#))
    }

    @Test(arguments: [("?take=app", ""), ("", #"{"take":"app"}"#)])
    func `The side is taken from the query or from the body`(_ query: String, _ body: String) async throws {
        let answer = try await request("POST /v1/conflicts/\(Self.id)\(query)", body: body)
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.contains("took app's"))
    }

    @Test(arguments: [("", ""), ("?take=both", ""), ("", "[1]"), ("", #"{"take":"theirs"}"#)])
    func `Anything else is answered with a problem`(_ query: String, _ body: String) async throws {
        let answer = try await request("POST /v1/conflicts/\(Self.id)\(query)", body: body)
        #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains("application/problem+json"))
    }

    @Test func `An unknown ID is 404, an ambiguous prefix is 409`() async throws {
        let unknown = try await request("POST /v1/conflicts/ffff?take=app")
        #expect(unknown.hasPrefix("HTTP/1.1 404 ") && unknown.contains("application/problem+json"))
        #expect(unknown.contains(#""of":"conflict","id":"ffff""#))
        let ambiguous = try await request("POST /v1/undo/ffff")
        #expect(ambiguous.hasPrefix("HTTP/1.1 409 ") && ambiguous.contains(#""ids":["0123","0124"]"#))
        #expect(try await request("POST /v1/allow/ffff").hasPrefix("HTTP/1.1 409 "))
    }
}
