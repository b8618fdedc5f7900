import AgentClient
import BridgeRuntime
import Foundation
import TestWorld
import Testing

/// Pausing and resuming real bridges.
@Suite(.serialized, .timeLimit(.minutes(2))) struct PauseCommandTests {
    private static var time: Regex<Substring> { /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/ }

    private func steady(_ text: String) -> String { text.replacing(Self.time, with: "TIME") }

    @Test func `An agent writes nothing while it is paused, also after a restart, and goes on when resumed`()
        async throws
    {
        try await RealBridge.with { bridge in
            try bridge.save(#"{"x":1,"y":1}"#, as: "a.json", in: bridge.app)
            let agent = try await bridge.startAgent()
            #expect(try await bridge.wait().status == 0)
            let paused = try await bridge.run("pause")
            let hint = "`widgetbridge resume \(bridge.hintFlags)` syncs what is saved meanwhile"
            #expect(paused == Binary.Ended(status: 0, output: "paused; \(hint)\n"))
            try bridge.save(#"{"x":2,"y":1}"#, as: "a.json", in: bridge.app)
            try bridge.save(#"{"x":1,"y":2}"#, as: "a.json", in: bridge.group)
            try bridge.save("[1]", as: "new.json", in: bridge.group)
            try await expectPaused(bridge)
            try await bridge.end(agent)
            let next = try await bridge.startAgent()
            try await expectPaused(bridge)
            #expect(steady(try await bridge.run("pause").output) == "already paused, since TIME\n")
            let resumed = try await bridge.run("resume")
            #expect(steady(resumed.output) == "resumed; it was paused since TIME\n" && resumed.status == 0)
            #expect(try await bridge.wait().status == 0)
            for container in [bridge.app, bridge.group] {
                #expect(bridge.read("a.json", in: container) == #"{"x":2,"y":2}"#)
            }
            #expect(bridge.read("new.json", in: bridge.app) == "[1]")
            #expect(try await bridge.status().state == .running)
            #expect(try await bridge.run("resume").output == "it is not paused; nothing has changed\n")
            try await bridge.end(next)
        }
    }

    private func expectPaused(_ bridge: RealBridge) async throws {
        let line =
            "widgetbridge: the bridge is paused since TIME; "
            + "`widgetbridge resume \(bridge.hintFlags)` ends that\n"
        let move = ["move", "f.bin", "--from", "app", "--to", "group"]
        for command in [
            ["wait"], ["sync"], ["put", "a.json"], ["delete", "a.json"], ["undo", "0000"], move,
            move + ["--confirm"],
        ] {
            let ended = try await Binary.run(command + bridge.flags, input: "[3]")
            #expect(ended.status == 7 && ended.output.isEmpty, "\(command)")
            #expect(steady(ended.errors) == line, "\(command)")
        }
        #expect(bridge.read("a.json", in: bridge.app) == #"{"x":2,"y":1}"#)
        #expect(bridge.read("a.json", in: bridge.group) == #"{"x":1,"y":2}"#)
        #expect(bridge.read("new.json", in: bridge.app) == nil)
        let status = try await bridge.status()
        #expect(status.state == .paused)
        #expect(status.pausedSince?.wholeMatch(of: Self.time) != nil)
        #expect(status.documents.map(\.state) == [.pending, .pending])
        #expect(try await bridge.run("status").status == 7)
        #expect(try await bridge.run("why", "new.json").output.hasPrefix("new.json: pending"))
        #expect(try await bridge.run("sync", "--dry-run").status == 2)
    }

    @Test func `Without an agent, the journal keeps the pause`() async throws {
        try await RealBridge.with { bridge in
            #expect(try await bridge.run("pause").status == 0)
            try bridge.save("[1]", as: "a.json", in: bridge.app)
            #expect(try await bridge.run("sync").status == 7)
            #expect(try await bridge.run("put", "b.json", input: "[2]").status == 7)
            #expect(try await bridge.status().state == .paused)
            #expect(bridge.read("a.json", in: bridge.group) == nil)
            #expect(bridge.read("b.json", in: bridge.group) == nil)
            let resumed = try await bridge.run("resume")
            #expect(
                steady(resumed.output)
                    == "resumed; it was paused since TIME; no agent runs: "
                    + "`widgetbridge sync \(bridge.hintFlags)` syncs what was saved\n"
            )
            #expect(try await bridge.run("sync").status == 0)
            #expect(bridge.read("a.json", in: bridge.group) == "[1]")
        }
    }

    @Test func `A wait beside a paused agent ends at once, however long its timeout is`() async throws {
        try await RealBridge.withAgent { bridge in
            let agent = AgentClient(socketPath: "\(bridge.state)/agent.sock")
            let paused = try await agent.pause()
            #expect(paused.isPaused && paused.isChanged)
            await #expect(throws: BridgeError.paused(since: paused.since ?? "")) {
                try await agent.wait(timeout: .seconds(3_600), rehash: true)
            }
            #expect(try await agent.resume().isChanged)
        }
    }

    @Test func `One bridge of a configuration is paused by its name, and all without one`() async throws {
        try await withDirectory { root in
            for name in ["a", "b"] {
                for container in ["app", "group"] {
                    try FileManager.default.createDirectory(
                        atPath: "\(root)/\(name)/\(container)",
                        withIntermediateDirectories: true
                    )
                }
            }
            let bridges = ["a", "b"].map { name in
                "  \(name):\n    app: \(name)/app\n    group: \(name)/group\n    state: \(name)/state\n"
            }
            let file = "\(root)/widgetbridge.yaml"
            try write("bridges:\n" + bridges.joined(), to: file)
            func run(_ words: String...) async throws -> Binary.Ended {
                try await Binary.run(words + ["--config", file])
            }
            let paused = try await run("pause", "b", "--json")
            #expect(paused.status == 0)
            #expect(
                steady(paused.output)
                    == #"{"bridge":"b","isPaused":true,"since":"TIME","isChanged":true}"# + "\n"
            )
            #expect(try await run("sync").status == 7)
            #expect(try await run("sync", "--bridge", "a").status == 0)
            let both = try await run("pause").output
            #expect(both.hasPrefix("a\npaused; ") && both.contains("\nb\nalready paused, since "))
            #expect(both.contains(" --bridge a` syncs what is saved meanwhile\n"))
            #expect(try await run("sync", "--bridge", "a").status == 7)
            #expect(try await run("resume").status == 0)
            #expect(try await run("sync").status == 0)
            #expect(try await run("pause", "c").status == 64)
            #expect(try await run("pause", "a", "--bridge", "b").status == 64)
        }
    }
}
