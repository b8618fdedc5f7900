import Foundation
import TestBridge
import Testing
import WidgetBridge
import WidgetBridgeClient

@Suite struct AgentBridgeTests {
    @Test func `A bridge of an agent has the same methods`() async throws {
        try await withServer(of: FakeBridge()) { socket in
            let state = URL(filePath: socket).deletingLastPathComponent().path
            // Other tests may occupy both processors.
            let bridge = try await Bridge(
                agentFor: "/tmp",
                group: "/usr",
                state: state,
                patience: .seconds(60)
            )
            let written = try await bridge.write("{}".utf8, to: "a.json", in: .group)
            #expect(try await bridge.read("a.json", in: .group) == written)
            try await bridge.wait(timeout: .seconds(60))
            for try await notice in bridge.notices() {
                #expect(notice.document == "a.json")
                break
            }
            await bridge.close()
            // The agent continues.
            #expect(try await bridge.read("a.json", in: .group) == written)
        }
    }

    @Test func `Without an agent the failure says so`() async throws {
        let state = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        var reason: BridgeFailure.Reason?
        do throws(BridgeFailure) {
            _ = try await Bridge(agentFor: "/tmp", group: "/usr", state: state)
        } catch {
            reason = error.reason
        }
        #expect(reason == .noAgent)
    }
}
