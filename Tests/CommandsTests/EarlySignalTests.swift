import Foundation
import Glibc
import TestWorld
import Testing

/// A signal that comes before the agent has begun to work, even before its first statement.
@Suite(.timeLimit(.minutes(2))) struct EarlySignalTests {
    /// It is blocked, sent, and so still to come when the program starts.
    private func early(_ signal: String) -> [String] {
        [
            "/usr/bin/env", "--block-signal=\(signal)", "/bin/sh", "-c", "kill -\(signal) $$; exec \"$@\"",
            "sh",
        ]
    }

    @Test(arguments: ["TERM", "INT"])
    func `An agent that is ended at once ends as one that is ended later`(_ signal: String) async throws {
        try await RealBridge.with { bridge in
            let agent = try Running(["agent"] + bridge.flags, through: early(signal))
            #expect(await agent.ended() == Binary.Ended(status: 0))
            #expect(!FileManager.default.fileExists(atPath: "\(bridge.state)/agent.sock"))
            let next = try await bridge.startAgent()
            try await bridge.end(next)
        }
    }

    @Test func `An agent that is to reload its configuration at once starts, and hears it later`()
        async throws
    {
        try await RealBridge.with { bridge in
            let command = early("HUP") + [Binary.path, "agent", "--log-level", "notice"] + bridge.flags
            let agent = try Running(command: command, isMixed: true)
            #expect(await agent.line() == "ready")
            agent.send(SIGHUP)
            #expect(await agent.line()?.contains("no configuration file to reload") == true)
            try await bridge.end(agent)
        }
    }
}
