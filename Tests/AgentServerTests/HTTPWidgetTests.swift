import AgentClient
import BridgeRuntime
import Reloads
import SyncEngine
import TestBridge
import Testing

/// Placed widgets, their reloads and what the app does over HTTP.
@Suite struct HTTPWidgetTests {
    let bridge = FakeBridge()

    @Test func `The client receives what the bridge returns`() async throws {
        let bridge = bridge
        try await withServer(of: bridge) { socketPath in
            let client = AgentClient(socketPath: socketPath)
            let (widgets, ledger) = try await (bridge.widgets(), bridge.reloadLedger())
            #expect(try await client.widgets() == widgets)
            #expect(try await client.reloadLedger() == ledger)
            #expect(try await client.hookReports() == bridge.hookReports())
            let placed = try await bridge.placeWidget("K", family: "small")
            #expect(try await client.placeWidget("K", family: "small") == placed)
            #expect(try await client.removeWidget("w1").id == "w1")
            let entered = try await bridge.enter(.audio, for: .seconds(60))
            #expect(try await client.enter(.audio, for: .seconds(60)) == entered)
            #expect(try await client.appState() == bridge.appState())
            try await client.acknowledge(reloadsUpTo: "i:1")
            await #expect(throws: BridgeError.unknownID(.notice("i:2"))) {
                try await client.acknowledge(reloadsUpTo: "i:2")
            }
            await #expect(throws: BridgeError.unknownID(.widget("w9"))) {
                try await client.removeWidget("w9")
            }
            await #expect(throws: BridgeError.unknownFamily("big", kind: "K", known: ["small"])) {
                try await client.placeWidget("K", family: "big")
            }
        }
    }

    @Test(
        arguments: [
            ("POST /v1/widgets", #"{"kind":"K"}"#), ("POST /v1/widgets", #"{"kind":"K","size":"small"}"#),
            ("POST /v1/app/state", "{}"), ("POST /v1/app/state", #"{"state":"foreground","for_ms":0}"#),
            ("POST /v1/reloads/ack", #"{"cursor":"1"}"#), ("POST /v1/reloads/ack", "{}"),
            ("POST /v1/app/state", #"{"state":"asleep"}"#), ("GET /v1/reloads/ledger?kind=none", ""),
        ]
    )
    func `Anything else is answered with a problem`(_ head: String, _ body: String) async throws {
        try await withServer(of: bridge) { socketPath in
            let connection = try RawConnection(socketPath: socketPath)
            let length = "Content-Length: \(body.utf8.count)"
            try await connection.send(
                "\(head) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\(length)\r\n\r\n\(body)"
            )
            let answer = await connection.receiveAll()
            #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains("application/problem+json"))
        }
    }
}
