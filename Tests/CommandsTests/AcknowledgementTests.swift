import AgentAPI
import BridgeRuntime
import Foundation
import Glibc
import Model
import SyncEngine
import TestBridge
import TestWorld
import Testing

/// Reloads that a subscriber must acknowledge.
@Suite(.serialized, .timeLimit(.minutes(2))) struct AcknowledgementCommandTests {
    private func with(_ retry: String, _ body: (RealBridge, [String]) async throws -> Void) async throws {
        try await RealBridge.with { bridge in
            let profile = """
                profile: p
                documents:
                  d.json:
                    kinds:
                      K: {budget: 9, coalesce: 0 ms, retry: \(retry)}
                """
            try write(profile, to: "\(bridge.root)/p.yaml")
            try await body(bridge, ["--profile", "\(bridge.root)/p.yaml"])
        }
    }

    private func notice(_ subscriber: Running) async throws -> (notice: Notice, cursor: String) {
        let line = try #require(await subscriber.line())
        let event = try #require(ReloadEvent(json: Array(line.utf8)))
        guard case .notice(let notice, _) = event else { throw Gone() }
        return (notice, event.cursor)
    }

    /// One that is connected: it has got the current state.
    private func subscribed(_ bridge: RealBridge) async throws -> Running {
        let subscriber = try Running(["subscribe", "--kind", "K", "--ack", "--state", bridge.state])
        #expect(try await notice(subscriber).notice.cause == .current)
        return subscriber
    }

    private func hookRuns(_ bridge: RealBridge) async throws -> Int {
        let printed = try await Binary.run(["reloads", "--json", "--state", bridge.state]).output
        return try JSONDecoder().decode(HookList.self, from: Data(printed.utf8)).hooks.first?.runs ?? 0
    }

    private func ledger(_ bridge: RealBridge) async throws -> KindLedger {
        let printed = try await Binary.run(["reloads", "--json", "--state", bridge.state]).output
        return try #require(try JSONDecoder().decode(LedgerList.self, from: Data(printed.utf8)).kinds.first)
    }

    @Test(arguments: ["\n", "\r\n"])
    func `A reload is told again until it is acknowledged, also after a kill`(_ lineEnd: String) async throws
    {
        try await with("{times: 100, after: 100 ms}") { bridge, profile in
            try bridge.save(#"{"x":0}"#, as: "d.json", in: bridge.app)
            let first = try await bridge.startAgent(profile)
            let subscriber = try await subscribed(bridge)
            try bridge.save(#"{"x":1}"#, as: "d.json", in: bridge.app)
            #expect(try await notice(subscriber).notice.isRepeated == false)
            #expect(try await notice(subscriber).notice.isRepeated)
            first.send(SIGKILL)
            _ = await first.ended()
            let second = try await bridge.startAgent(profile)
            let next = try await subscribed(bridge)
            let again = try await notice(next)
            #expect(again.notice.isRepeated && again.notice.generation == 2)
            next.write("\(again.cursor)\(lineEnd)")
            // What was told before the answer came.
            try bridge.save(#"{"x":2}"#, as: "d.json", in: bridge.app)
            var new = try await notice(next)
            while new.notice.generation == 2 { new = try await notice(next) }
            #expect(!new.notice.isRepeated)
            let after = try await ledger(bridge)
            #expect(after.used == 3 && after.failed == nil)
            next.send(SIGTERM)
            try await bridge.end(second)
        }
    }

    @Test func `A subscriber that has acknowledged a reload is not told again for a hook's sake`()
        async throws
    {
        try await with("{times: 1, after: 500 ms}") { bridge, profile in
            let file = "\(bridge.root)/widgetbridge.yaml"
            let hooks = "hooks: [{name: broken, kind: K, command: [\"false\"]}]"
            let places = "app: app\ngroup: group\nstate: state\ndurability: none\nprofile: ./p.yaml\n"
            try write(places + hooks, to: file)
            try bridge.save(#"{"x":0}"#, as: "d.json", in: bridge.app)
            let agent = try Running(command: [Binary.path, "agent", "--config", file])
            #expect(await agent.line() == "ready")
            // It runs for what there is already, and again when it is told again.
            for _ in 0..<1_000 { if try await hookRuns(bridge) >= 2 { break } }
            let runs = try await hookRuns(bridge)
            #expect(runs == 2)
            let subscriber = try await subscribed(bridge)
            try bridge.save(#"{"x":1}"#, as: "d.json", in: bridge.app)
            let told = try await notice(subscriber)
            subscriber.write("\(told.cursor)\n")
            // The same for a reload.
            for _ in 0..<1_000 { if try await hookRuns(bridge) >= runs + 2 { break } }
            #expect(try await hookRuns(bridge) == runs + 2)
            try bridge.save(#"{"x":2}"#, as: "d.json", in: bridge.app)
            #expect(try await notice(subscriber).notice.generation == told.notice.generation + 1)
            subscriber.send(SIGTERM)
            try await bridge.end(agent)
        }
    }

    @Test func `A reload that nobody acknowledges is shown as failed`() async throws {
        try await with("{times: 1, after: 10 ms}") { bridge, profile in
            try bridge.save(#"{"x":0}"#, as: "d.json", in: bridge.app)
            let agent = try await bridge.startAgent(profile)
            let subscriber = try await subscribed(bridge)
            try bridge.save(#"{"x":1}"#, as: "d.json", in: bridge.app)
            #expect(try await notice(subscriber).notice.isRepeated == false)
            #expect(try await notice(subscriber).notice.isRepeated)
            subscriber.write("nothing\n\(String(repeating: "x", count: 10_000))\n")
            for _ in 0..<1_000 { if try await ledger(bridge).failed != nil { break } }
            #expect(try await ledger(bridge).failed == ["subscribe"])
            let shown = try await Binary.run(["reloads", "--state", bridge.state]).output
            #expect(shown.contains("K: not acknowledged by subscribe"))
            // What is no cursor ends nothing.
            try bridge.save(#"{"x":2}"#, as: "d.json", in: bridge.app)
            var next = try await notice(subscriber)
            while next.notice.generation == 2 { next = try await notice(subscriber) }
            subscriber.send(SIGTERM)
            let errors = await subscriber.ended().errors.split(separator: "\n")
            #expect(errors.count == 2 && errors.allSatisfy { $0.count < 250 })
            try await bridge.end(agent)
        }
    }

    @Test func `A subscriber that is there is told again, whatever it has missed before`() async throws {
        try await with("{times: 1, after: 10 ms}") { bridge, profile in
            try bridge.save(#"{"x":0}"#, as: "d.json", in: bridge.app)
            let agent = try await bridge.startAgent(profile)
            let subscriber = try await subscribed(bridge)
            for number in 1...3 {
                try bridge.save(#"{"x":\#(number)}"#, as: "d.json", in: bridge.app)
                let told = try await notice(subscriber).notice
                #expect(!told.isRepeated && told.generation == Int64(number + 1))
                #expect(try await notice(subscriber).notice.isRepeated)
                for _ in 0..<1_000 { if try await ledger(bridge).failed != nil { break } }
                #expect(try await ledger(bridge).failed == ["subscribe"])
            }
            subscriber.send(SIGTERM)
            _ = await subscriber.ended()
            try await bridge.end(agent)
        }
    }

    @Test func `Who acknowledges one kind does not do so for another`() async throws {
        try await RealBridge.with { bridge in
            let retry = "retry: {times: 2, after: 10 ms}"
            let profile = """
                profile: p
                documents:
                  d.json: {kinds: {K: {\(retry)}, L: {\(retry)}}}
                """
            try write(profile, to: "\(bridge.root)/p.yaml")
            try bridge.save(#"{"x":0}"#, as: "d.json", in: bridge.app)
            let agent = try await bridge.startAgent(["--profile", "\(bridge.root)/p.yaml"])
            let one = try await subscribed(bridge)
            let both = try Running(["subscribe", "--ack", "--state", bridge.state])
            for _ in 0..<2 { #expect(try await notice(both).notice.cause == .current) }
            try bridge.save(#"{"x":1}"#, as: "d.json", in: bridge.app)
            var notices: [Notice] = []
            while notices.count(where: { $0.kind == "L" }) < 3 {
                let (notice, cursor) = try await notice(both)
                notices.append(notice)
                if notice.kind == "L", !notice.isRepeated { continue }
                // That of the other kind has a higher number, or a lower one.
                if notice.kind == "K" { one.write("\(cursor)\n") }
            }
            #expect(notices.count(where: { $0.kind == "L" && $0.isRepeated }) == 2)
            for subscriber in [one, both] { subscriber.send(SIGTERM) }
            try await bridge.end(agent)
        }
    }
}
