import BridgeRuntime
import Foundation
import Glibc
import TestWorld
import Testing

/// A container that is named by a link, which leads to another directory later.
@Suite(.timeLimit(.minutes(2))) struct SwappedLinkTests {
    private func withRelease(_ body: (RealBridge, [String]) async throws -> Void) async throws {
        try await RealBridge.with { bridge in
            for release in ["41", "42"] {
                try FileManager.default.createDirectory(
                    atPath: "\(bridge.root)/\(release)",
                    withIntermediateDirectories: false
                )
            }
            try point("41", in: bridge)
            for name in ["a.json", "b.json"] { try bridge.save("1", as: name, in: "\(bridge.root)/41") }
            try await body(bridge, ["--app", "\(bridge.root)/current", "--group", bridge.group])
        }
    }

    private func point(_ release: String, in bridge: RealBridge) throws {
        #expect(unsafe symlink(release, "\(bridge.root)/new") == 0)
        #expect(unsafe rename("\(bridge.root)/new", "\(bridge.root)/current") == 0)
    }

    private func run(_ command: [String], _ bridge: RealBridge) async throws -> (
        status: Int32, text: String
    ) {
        let environment = ["/usr/bin/env", "XDG_STATE_HOME=\(bridge.root)/home"]
        let running = try Running(command: environment + [Binary.path] + command, in: bridge.root)
        let ended = await running.ended()
        return (ended.status, ended.output + ended.errors)
    }

    @Test func `A sync halts, although the bridge has no state directory of its own choice`() async throws {
        try await withRelease { bridge, places in
            #expect(try await run(["sync"] + places, bridge).status == 0)
            #expect(bridge.read("b.json", in: bridge.group) == "1")
            try point("42", in: bridge)
            try bridge.save("2", as: "a.json", in: "\(bridge.root)/42")
            let ended = try await run(["sync"] + places, bridge)
            #expect(ended.status == 7, "\(ended)")
            #expect(ended.text.contains("halted"), "\(ended)")
            #expect(bridge.read("a.json", in: bridge.group) == "1")
            #expect(bridge.read("b.json", in: bridge.group) == "1")
            try point("41", in: bridge)
            #expect(try await run(["sync"] + places, bridge).status == 0)
        }
    }

    @Test func `Containers whose sides are exchanged are refused, unless a state directory is given`()
        async throws
    {
        try await RealBridge.with { bridge in
            try bridge.save("1", as: "a.json", in: bridge.app)
            let right = ["--app", bridge.app, "--group", bridge.group]
            let wrong = ["--app", bridge.group, "--group", bridge.app]
            #expect(try await run(["sync"] + right, bridge).status == 0)
            try bridge.save("2", as: "a.json", in: bridge.app)
            for command in ["sync", "status"] {
                let ended = try await run([command] + wrong, bridge)
                #expect(ended.status == 64 && ended.text.contains("the other way round"), "\(ended)")
            }
            let examined = try await run(["doctor"] + wrong, bridge)
            #expect(examined.status == 1 && examined.text.contains("the other way round"), "\(examined)")
            #expect(try await run(["sync"] + right, bridge).status == 0)
            #expect(bridge.read("a.json", in: bridge.group) == "2")
            #expect(try await run(["sync", "--state", bridge.state] + wrong, bridge).status == 0)
        }
    }

    @Test func `An agent halts at once`() async throws {
        try await withRelease { bridge, places in
            let state = ["--state", bridge.state]
            let agent = try Running(["agent"] + places + state)
            #expect(await agent.line() == "ready")
            try point("42", in: bridge)
            try bridge.save("2", as: "a.json", in: "\(bridge.root)/42")
            let ended = try await run(["wait", "--timeout", "60s"] + places + state, bridge)
            #expect(ended.status == 7 && ended.text.contains("halted"), "\(ended)")
            try point("41", in: bridge)
            let again = try await run(["wait", "--timeout", "60s"] + places + state, bridge)
            #expect(again.status == 0, "\(again)")
            try await bridge.end(agent)
        }
    }
}
