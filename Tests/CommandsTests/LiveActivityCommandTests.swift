import AgentAPI
import BridgeRuntime
import Documents
import Foundation
import Glibc
import SyncEngine
import TestBridge
import TestWorld
import Testing

@Suite(.timeLimit(.minutes(2))) struct LiveActivityCommandTests {
    private static let profile = """
        profile: p
        documents:
          d.json:
            kinds: {K: {shows: [/x]}}
            activities:
              Budget: {list: /rows, start: {percent: /spent, of: /limit, from: [90, 100]}}
        """

    private func activities(_ bridge: RealBridge, _ profile: String) async throws -> [LiveActivityEntry] {
        let printed = try await bridge.run("reloads", "--kind", "Budget", "--json", "--profile", profile)
        let list = try JSONDecoder().decode(LedgerList.self, from: Data(printed.output.utf8))
        return list.kinds.flatMap { $0.activities ?? [] }
    }

    @Test func `A Live Activity starts at its threshold, is told, and outlives a kill`() async throws {
        try await RealBridge.with { bridge in
            let profile = "\(bridge.root)/p.yaml"
            try write(Self.profile, to: profile)
            var agent = try await bridge.startAgent(["--profile", profile])
            for spent in ["50", "89.99", "90.0", "90.0"] {
                let text = #"{"x":1,"rows":[{"id":"food","spent":\#(spent),"limit":100}]}"#
                try bridge.save(text, as: "d.json", in: bridge.app)
                #expect(try await bridge.wait().status == 0)
            }
            let running = try await activities(bridge, profile)
            #expect(running.map(\.id) == ["food"] && running.map(\.state) == [.active])
            let table = try await bridge.run("reloads", "--profile", profile).output
            #expect(table.contains("ACTIVITY") && table.contains("food") && table.contains("active"))
            agent.send(SIGKILL)
            _ = await agent.ended()
            agent = try await bridge.startAgent(["--profile", profile])
            #expect(try await activities(bridge, profile) == running)
            let instance = try await bridge.status().instance
            let told = try await Binary.run([
                "subscribe", "--kind", "Budget", "--since", "\(instance):0", "--count", "1", "--state",
                bridge.state,
            ])
            #expect(told.output.contains(#""kind":"Budget""#) && told.output.contains(#""generation":3"#))
            let placed = try await bridge.run("widget", "add", "Budget", "small", "--profile", profile)
            #expect(placed.status == 64 && placed.errors.contains("unknown widget kind, `Budget`"))
            try await bridge.end(agent)
        }
    }

    @Test func `A simulated day tells when Live Activities start and end`() async throws {
        try await withDirectory { directory in
            let day = """
                {"at":"2026-01-18T09:00:00-03:00","document":"finance.json","content":{"lastUpdated":\
                "2026-01-18T12:00:00Z","totalBalance":1,"monthlyIncome":1,"monthlyExpenses":1,"accounts":[],\
                "budgets":[],"upcomingBills":[{"id":"light","name":"Luz","amount":80,"dueDate":\
                "2026-01-19T13:00:00Z","status":"pending","categoryIcon":"bolt"}],"goals":[],\
                "creditCards":[],"recentTransactions":[]}}
                """
            try write(day, to: "\(directory)/day.jsonl")
            let options = ["reloads", "simulate", "--profile", "finance", "--day", "\(directory)/day.jsonl"]
            let ran = await run(options)
            #expect(ran.errors == "")
            let table = "ACTIVITY      ID     STARTS  ENDS\nBillActivity  light  10:00   18:00\n"
            #expect(ran.output.contains(table))
            let json = await run(options + ["--json"]).output.split(separator: "\n").last
            let member = #""activity":"BillActivity","id":"light","startsAt":"2026-01-18T13:00"#
            #expect(json?.contains(member) == true)
        }
    }
}
