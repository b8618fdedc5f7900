import AgentAPI
import AgentClient
import BridgeRuntime
import Foundation
import Glibc
import Model
import SyncEngine
import TestBridge
import TestWorld
import Testing

@Suite(.serialized, .timeLimit(.minutes(2))) struct AgentReloadTests {
    private func event(_ line: String?) throws -> Notice {
        guard let line, case .notice(let notice, _)? = ReloadEvent(json: Array(line.utf8)) else {
            throw Gone()
        }
        return notice
    }

    @Test func `A notice arrives when its data can be read`() async throws {
        try await RealBridge.withAgent { bridge in
            try bridge.save(#"{"n":0}"#, as: "a.json", in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            let subscriber = try Running(["subscribe", "--document", "a.json"] + bridge.flags)
            let current = try event(await subscriber.line())
            #expect(current.cause == .current && current.generation == 1 && current.kind == "a.json")
            var generation = current.generation
            for number in 1...50 {
                let side = number.isMultiple(of: 3) ? bridge.group : bridge.app
                try bridge.save(#"{"n":\#(number)}"#, as: "a.json", in: side)
                let notice = try event(await subscriber.line())
                let there = Digest(of: Array(try #require(bridge.read("a.json", in: bridge.group)).utf8))
                #expect(notice.hash == there)
                #expect(notice.cause == (side == bridge.app ? .app : .group))
                #expect(notice.generation > generation)
                generation = notice.generation
            }
            subscriber.send(SIGTERM)
            #expect(await subscriber.ended() == Binary.Ended(status: 0))
        }
    }

    @Test func `A write that changes nothing causes no notice`() async throws {
        try await RealBridge.withAgent { bridge in
            try bridge.save(#"{"n":1}"#, as: "a.json", in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            let before = try await bridge.status().counters.notices
            try bridge.save(#"{"n":1}"#, as: "a.json", in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            try bridge.save(#"{ "n": 1.0 }"#, as: "a.json", in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            #expect(try await bridge.status().counters.notices == before)
        }
    }

    @Test func `A subscriber that returns with its cursor misses nothing`() async throws {
        try await RealBridge.withAgent { bridge in
            for number in 1...3 {
                try bridge.save(#"{"n":\#(number)}"#, as: "a.json", in: bridge.app)
                #expect(try await bridge.wait().status == 0)
            }
            let all = try await bridge.run("subscribe", "--count", "1").output
            let cursor = try #require(all.split(separator: "\"").dropFirst(3).first).split(separator: ":")
            let first = "\(cursor[0]):1"
            let later = try await bridge.run("subscribe", "--since", first, "--count", "2")
            let events = try later.output.split(separator: "\n").map { try event(String($0)) }
            #expect(events.map(\.sequence) == [2, 3] && events.map(\.cause) == [.app, .app])
            let lost = try await bridge.run("subscribe", "--since", "elsewhere:7", "--count", "1")
            #expect(lost.output.hasPrefix(#"{"gap":true,"cursor":""#))
            #expect(lost.output.contains(#""cause":"current""#))
        }
    }

    @Test func `A deletion is reported without a hash`() async throws {
        try await RealBridge.withAgent { bridge in
            for name in ["a.json", "b.json", "c.json"] { try bridge.save("{}", as: name, in: bridge.app) }
            #expect(try await bridge.wait().status == 0)
            let subscriber = try Running(["subscribe", "--kind", "b.json"] + bridge.flags)
            #expect(try event(await subscriber.line()).cause == .current)
            try FileManager.default.removeItem(atPath: "\(bridge.app)/b.json")
            let notice = try event(await subscriber.line())
            #expect(notice.hash == nil && notice.cause == .app)
            subscriber.send(SIGINT)
            #expect(await subscriber.ended().status == 128 + SIGINT)
        }
    }

    @Test func `The profile determines which kinds show a document`() async throws {
        try await RealBridge.withAgent("--profile", "budget") { bridge in
            try bridge.save(RealBridge.oldBudget, as: "budget.json", in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            let kinds = try await bridge.run("subscribe", "--count", "1", "--kind", "BudgetWidget")
            #expect(try event(String(kinds.output.dropLast())).document == RelativePath("budget.json"))
        }
    }

    @Test func `A subscriber is told when its agent ends`() async throws {
        try await RealBridge.with { bridge in
            let agent = try await bridge.startAgent()
            try bridge.save("{}", as: "a.json", in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            let subscriber = try Running(["subscribe"] + bridge.flags)
            #expect(try event(await subscriber.line()).cause == .current)
            agent.send(SIGTERM)
            #expect(await agent.ended() == Binary.Ended(status: 0))
            let ended = await subscriber.ended()
            let line =
                "the subscription ended, because the agent stopped or no longer runs the bridge on this socket, "
                + "\(bridge.state)/agent.sock; if `widgetbridge status \(bridge.hintFlags)` shows a running "
                + "agent, subscribe again; else start it: `widgetbridge agent \(bridge.hintFlags)`"
            #expect(ended == Binary.Ended(status: 1, errors: "widgetbridge: \(line)\n"))
        }
    }
}
