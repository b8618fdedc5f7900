import Foundation
import TestWorld
import Testing

@testable import Commands

/// Each command that asks the agent if one runs, and else opens the journal, answers the same both ways.
@Suite(.timeLimit(.minutes(5))) struct BothWaysTests {
    private struct Answer: Equatable, CustomStringConvertible {
        var status: Int32
        var output: String
        var errors: String
        var description: String { "\(status)\n\(output)\(errors)" }
    }

    /// What differs from one way to the other, or from one bridge to the other, is replaced.
    private func answer(_ arguments: [String], of bridge: RealBridge) async throws -> Answer {
        let flags = arguments.first == "doctor" ? bridge.places : bridge.flags
        let ended = try await Binary.run(arguments + flags)
        func common(_ text: String) -> String {
            text.replacing(bridge.root, with: "ROOT")
                .replacing(/\{[^\n]*"rule":"no-agent"[^\n]*\n/, with: "")
                .replacing(/\ \(process [0-9]+\), inotify/, with: "")
                .replacing("state  running", with: "state  stopped")
                .replacing(/; no agent runs: `[^`\n]*` syncs what was saved/, with: "")
                .replacing(/\ *`[^`\n]* agent [^`\n]*`.* keeps? the containers in sync[^\n]*\n/, with: "")
                .replacing(/"state":"(running|stopped)",/, with: "")
                .replacing(/"(watch|instance)":"[^"]*",?/, with: "")
                .replacing(/"process":[^,]*,/, with: "")
                .replacing(/"counters":\{[^}]*\},/, with: "")
                .replacing(/[0-9a-f]{6,}/, with: "HEX")
                .replacing(/[0-9]{13}/, with: "TIME")
                .replacing(/[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:.]+Z?/, with: "TIME")
                .replacing(/[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?/, with: "TIME")
        }
        return Answer(status: ended.status, output: common(ended.output), errors: common(ended.errors))
    }

    /// Documents in each state: in sync, deleted, held, and settled by a rule.
    private func prepare(_ bridge: RealBridge) async throws {
        for name in ["a", "b", "c"] { try bridge.save(#"{"n":1,"m":1}"#, as: "\(name).json", in: bridge.app) }
        #expect(try await bridge.run("sync").status == 0)
        try bridge.save(#"{"n":2,"m":1}"#, as: "a.json", in: bridge.app)
        try bridge.save(#"{"n":3,"m":1}"#, as: "a.json", in: bridge.group)
        #expect(try await bridge.run("sync").status == 7)
        #expect(try await bridge.run("delete", "b.json").status == 0)
        try bridge.save("{", as: "h.json", in: bridge.app)
        #expect(try await bridge.run("sync").status == 7)
    }

    private static let looks: [[String]] = [
        ["status"], ["status", "--json"], ["status", "a.json", "none.json"], ["status", "--only", "held"],
        ["get", "a.json"], ["get", "none.json"], ["get", "h.json"], ["why", "a.json"], ["why", "h.json"],
        ["why", "b.json"], ["why", "none.json"], ["history"], ["history", "--json"], ["conflicts"],
        ["conflicts", "--json"], ["diff", "a.json"], ["diff", "h.json"], ["sync", "--dry-run"],
        ["undo", "ffffffff"], ["allow", "ffffffff"], ["doctor", "--format", "json"], ["widget", "list"],
        ["widget", "remove", "none"], ["widget", "add", "none"], ["reloads", "show"], ["app-state"],
        ["migrate", "status"], ["migrate", "plan"], ["migrate", "history"], ["event", "pull"],
    ]

    @Test func `A command that reads`() async throws {
        try await RealBridge.with { bridge in
            try await prepare(bridge)
            let agent = try await bridge.startAgent()
            #expect(try await bridge.wait().status == 7)
            var byAgent: [Answer] = []
            for look in Self.looks { byAgent.append(try await answer(look, of: bridge)) }
            try await bridge.end(agent)
            for (look, expected) in zip(Self.looks, byAgent) {
                #expect(try await answer(look, of: bridge) == expected, "\(look)")
            }
        }
    }

    private static let acts: [[String]] = [
        ["put", "new.json", "--file", "/dev/null"], ["delete", "c.json"], ["delete", "c.json"],
        ["delete", "none.json"], ["pause"], ["pause"], ["status"], ["sync"], ["doctor", "--format", "json"],
        ["resume"], ["resume"], ["sync"], ["status"], ["history"], ["conflicts"],
    ]

    @Test func `A command that writes`() async throws {
        func answers(through agent: Bool) async throws -> [Answer] {
            try await RealBridge.with { bridge in
                try await prepare(bridge)
                let running = agent ? try await bridge.startAgent() : nil
                if agent { #expect(try await bridge.wait().status == 7) }
                var answers: [Answer] = []
                for act in Self.acts { answers.append(try await answer(act, of: bridge)) }
                if let running { try await bridge.end(running) }
                return answers
            }
        }
        let (byAgent, alone) = (try await answers(through: true), try await answers(through: false))
        for (act, (one, other)) in zip(Self.acts, zip(byAgent, alone)) { #expect(one == other, "\(act)") }
    }
}
