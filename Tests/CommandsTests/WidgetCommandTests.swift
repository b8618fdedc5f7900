import AgentAPI
import BridgeRuntime
import Foundation
import Glibc
import Model
import Reloads
import SyncEngine
import TestBridge
import TestWorld
import Testing

@Suite(.serialized, .timeLimit(.minutes(2))) struct WidgetCommandTests {
    private static let profile = """
        profile: p
        documents:
          d.json:
            kinds:
              K: {shows: [/x], budget: 2, coalesce: 0 ms, families: [systemSmall, systemLarge]}
              Free: {shows: [/x]}
        """

    private func with(_ body: (RealBridge, String) async throws -> Void) async throws {
        try await RealBridge.with { bridge in
            let profile = "\(bridge.root)/p.yaml"
            try write(Self.profile, to: profile)
            try await body(bridge, profile)
        }
    }

    private func ledger(_ bridge: RealBridge, _ profile: String) async throws -> KindLedger {
        let printed = try await bridge.run("reloads", "--kind", "K", "--json", "--profile", profile).output
        let list = try JSONDecoder().decode(LedgerList.self, from: Data(printed.utf8))
        return try #require(list.kinds.first)
    }

    private func notices(of kind: String, _ bridge: RealBridge, _ count: Int) async throws -> [Notice] {
        let instance = try await bridge.status().instance
        let arguments = [
            "subscribe", "--kind", kind, "--since", "\(instance):0", "--count", "\(count)", "--state",
            bridge.state,
        ]
        return try await Binary.run(arguments).output.split(separator: "\n").compactMap { line in
            if case .notice(let notice, _)? = ReloadEvent(json: Array(line.utf8)) { notice } else { nil }
        }
    }

    @Test func `A new widget waits with an older one, which is named`() async throws {
        try await with { bridge, profile in
            let agent = try await bridge.startAgent(["--profile", profile])
            func add() async throws {
                let added = try await bridge.run("widget", "add", "K", "small", "--profile", profile)
                #expect(added.status == 0)
            }
            try await add()
            for number in 1...3 {
                if number == 3 { try await add() }
                try bridge.save(#"{"x":\#(number)}"#, as: "d.json", in: bridge.app)
                #expect(try await bridge.wait().status == 0)
            }
            #expect(try await ledger(bridge, profile).waitsFor == ["w1"])
            let shown = try await bridge.run("reloads", "--profile", profile).output
            #expect(
                shown.contains("K: a reload waits for a slot of w1; it needs one in each placed widget\n")
            )
            #expect(try await bridge.run("widget", "remove", "w1", "--profile", profile).status == 0)
            #expect(try await ledger(bridge, profile).waitsFor == nil)
            try await bridge.end(agent)
        }
    }

    @Test(arguments: ["", "a/b", "..", "w9", "%2e"])
    func `An ID that no widget has is named as one`(_ id: String) async throws {
        try await with { bridge, profile in
            let agent = try await bridge.startAgent(["--profile", profile])
            let removed = try await bridge.run("widget", "remove", id, "--profile", profile)
            #expect(removed.status == 1)
            #expect(removed.errors.hasPrefix("widgetbridge: no such widget, `\(id)`; "), "\(removed.errors)")
            try await bridge.end(agent)
        }
    }

    private func killed(_ agent: Running, _ bridge: RealBridge, _ profile: String) async throws -> Running {
        agent.send(SIGKILL)
        _ = await agent.ended()
        return try await bridge.startAgent(["--profile", profile])
    }

    @Test func `A reload that waits for a slot outlives kills, and is granted once`() async throws {
        try await with { bridge, profile in
            var agent = try await bridge.startAgent(["--profile", profile])
            #expect(
                try await bridge.run("widget", "add", "K", "small", "--profile", profile).output == "w1\n"
            )
            for number in 1...4 {
                try bridge.save(#"{"x":\#(number)}"#, as: "d.json", in: bridge.app)
                #expect(try await bridge.wait().status == 0)
            }
            let before = try await ledger(bridge, profile)
            #expect(before.used == 2 && before.delayed == 1 && before.nextSlot != nil)
            agent = try await killed(agent, bridge, profile)
            #expect(try await ledger(bridge, profile) == before)
            #expect(try await notices(of: "K", bridge, 2).map(\.generation) == [1, 2])
            let entered = try await bridge.run("app-state", "foreground", "--profile", profile)
            #expect(entered.status == 0)
            agent = try await killed(agent, bridge, profile)
            for _ in 1...2 {
                let told = try await notices(of: "K", bridge, 3)
                #expect(told.map(\.generation) == [1, 2, 4])
                #expect(told.map(\.isDelayed) == [false, false, true])
            }
            let after = try await ledger(bridge, profile)
            #expect(after.used == 2 && after.exempt == 1)
            #expect(try await notices(of: "Free", bridge, 4).map(\.generation) == [1, 2, 3, 4])
            try await bridge.end(agent)
        }
    }

    @Test func `Widgets are placed and removed without an agent as well`() async throws {
        try await with { bridge, profile in
            func run(_ words: String...) async throws -> Binary.Ended {
                try await Binary.run(words + bridge.flags + ["--profile", profile])
            }
            #expect(try await run("widget", "list").output == "no widgets are placed\n")
            #expect(try await run("widget", "add", "K", "systemLarge").output == "w1\n")
            #expect(try await run("widget", "add", "Free", "any").output == "w2\n")
            #expect(try await run("reloads", "--kind", "Free", "--json").output.contains(#""budget":40,"#))
            let agent = try await bridge.startAgent(["--profile", profile])
            let listed = try await run("widget", "list", "--json").output
            #expect(listed.hasPrefix(#"{"id":"w1","kind":"K","family":"systemLarge","at":""#))
            #expect(try await run("widget", "remove", "w1").output == "removed w1: K, systemLarge\n")
            try await bridge.end(agent)
            #expect(try await run("widget", "remove", "w1").status == 1)
            #expect(try await run("widget", "remove", "w2").status == 0)
            // An ID is never used again.
            #expect(try await run("widget", "add", "K", "small").output == "w3\n")
            let kinds = try await run("widget", "add", "k", "small")
            #expect(kinds.status == 64 && kinds.errors.contains("unknown widget kind, `k`"))
            let families = try await run("widget", "add", "K", "medium")
            #expect(families.status == 64 && families.errors.contains("there are systemSmall, systemLarge"))
            #expect(try await run("reloads", "--kind", "none").status == 64)
            #expect(try await run("app-state", "asleep").status == 64)
            #expect(try await run("app-state", "audio", "--for", "2d").status == 64)
        }
    }

    @Test func `What becomes stale is told at its moment, without a write`() async throws {
        try await with { bridge, profile in
            let stale = Self.profile.replacing(
                "kinds:",
                with: "stale: {field: /at, after: 1 min}\n    kinds:"
            )
            try write(stale, to: profile)
            let agent = try await bridge.startAgent(["--profile", profile])
            let saved = Date(timeIntervalSinceNow: -57).formatted(.iso8601)
            try bridge.save(#"{"x":1,"at":"\#(saved)"}"#, as: "d.json", in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            let told = try await notices(of: "Free", bridge, 2)
            #expect(told.map(\.cause) == [.app, .time] && told.map(\.generation) == [1, 1])
            #expect(told.allSatisfy { !$0.isDelayed })
            #expect(try await ledger(bridge, profile).state == .stale)
            try await bridge.end(agent)
        }
    }

    @Test(arguments: [
        (#"{"version":9,"data":{}}"#, ShownState.incompatible), (#"{"version":"x"}"#, .error),
    ])
    func `A document that the bridge cannot bring to the app is a state of its kind`(
        _ text: String,
        _ state: ShownState
    ) async throws {
        try await RealBridge.with { bridge in
            try bridge.save(text, as: "budget.json", in: bridge.group)
            let agent = try await bridge.startAgent(["--profile", "budget"])
            let printed = try await Binary.run(["reloads", "--json", "--state", bridge.state]).output
            let list = try JSONDecoder().decode(LedgerList.self, from: Data(printed.utf8))
            #expect(list.kinds.map(\.state) == [state])
            try await bridge.end(agent)
        }
    }

    @Test func `A directory in the place of a document is an error of its kinds`() async throws {
        try await RealBridge.with { bridge in
            let directory = "\(bridge.group)/budget.json"
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
            try bridge.save("{}", as: "budget.json", in: bridge.app)
            let agent = try await bridge.startAgent(["--profile", "budget"])
            let printed = try await Binary.run(["reloads", "--json", "--state", bridge.state]).output
            let list = try JSONDecoder().decode(LedgerList.self, from: Data(printed.utf8))
            #expect(list.kinds.map(\.state) == [.error], "\(printed)")
            try await bridge.end(agent)
        }
    }

    @Test func `A store that the bridge cannot read is an error of the kinds that show it`() async throws {
        try await RealBridge.with { bridge in
            let preferences = "\(bridge.group)/Library/Preferences"
            try FileManager.default.createDirectory(atPath: preferences, withIntermediateDirectories: true)
            try write(
                #"<plist version="1.0"><dict><key>widgetData</key><string>{}</string></dict></plist>"#,
                to: "\(preferences)/group.com.yourteam.finpessoal.plist"
            )
            let agent = try await bridge.startAgent(["--profile", "finance", "--stores", "ios"])
            let printed = try await Binary.run(["reloads", "--json", "--state", bridge.state]).output
            let list = try JSONDecoder().decode(LedgerList.self, from: Data(printed.utf8))
            let widgets = list.kinds.filter { $0.activities == nil }
            #expect(!widgets.isEmpty && widgets.allSatisfy { $0.state == .error }, "\(printed)")
            try await bridge.end(agent)
        }
    }
}
