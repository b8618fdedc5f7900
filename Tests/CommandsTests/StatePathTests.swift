import BridgeRuntime
import Foundation
import Glibc
import TestWorld
import Testing

/// Where the state is: told as the one absolute path, however it was named.
@Suite(.timeLimit(.minutes(2))) struct StatePathTests {
    private func told(_ state: String, in bridge: RealBridge) async throws -> String {
        let flags = ["--app", "app", "--group", "group", "--state", state]
        let status = try Running(command: [Binary.path, "status", "--json"] + flags, in: bridge.root)
        let output = await status.ended().output
        return try JSONDecoder().decode(BridgeStatus.self, from: Data(output.utf8)).stateDirectory
    }

    @Test(arguments: ["state", "./state", "state/", "none/../state", "group/../state", ".//state/."])
    func `The state directory is told as its real path before and after it is made`(_ name: String)
        async throws
    {
        try await RealBridge.with { bridge in
            let before = try await told(name, in: bridge)
            #expect(before == bridge.state)
            let synced = try await bridge.run("sync")
            #expect(synced.status == 0)
            let after = try await told(name.replacing("none", with: "app"), in: bridge)
            #expect(after == bridge.state)
            #expect(unsafe symlink("state", "\(bridge.root)/link") == 0)
            let linked = try await told("link", in: bridge)
            #expect(linked == bridge.state)
        }
    }
}
