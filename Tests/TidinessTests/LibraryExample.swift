import RaceLab
import WidgetBridge
import WidgetBridgeClient
import WidgetBridgeReader
import WidgetBridgeTesting

// The documentation shows these; here they are compiled, and run by its tests.

func showBudget(app: String, group: String, state: String, budget: [UInt8]) async throws -> [Notice] {
    let options = Options(state: state, profile: .builtIn("budget"))
    let bridge = try await Bridge(app: app, group: group, options: options)
    let written = try await bridge.put(budget, as: "budget.json", in: .app)
    print("the app wrote", written.hash)

    try await bridge.wait()
    let shown = try await bridge.get("budget.json", in: .group)
    print("the widget reads", String(decoding: shown.bytes, as: UTF8.self))

    var notices: [Notice] = []
    for try await notice in bridge.notices(kind: "BudgetWidget") {
        notices.append(notice)
        break
    }
    await bridge.close()
    return notices
}

func askAgent(app: String, group: String, state: String) async throws -> String {
    let remote = try await Bridge(agentFor: app, group: group, state: state)
    let current = try await remote.get("balances.json")
    print("the widget reads", current.hash)
    return current.hash
}

struct Balances: Decodable {
    var accountCount: Int
}

func readBalances(in group: String) throws -> Balances {
    let reader = DocumentReader(container: group)
    let balances = try reader.value(Balances.self, of: "balances.json")
    return balances
}

func simulateBudget(_ budget: [UInt8]) throws -> [Notice] {
    var bridge = try SimulatedBridge(profile: .builtIn("budget"))
    try bridge.save(budget, as: "budget.json", in: .app)
    let notices = bridge.settle()
    return notices
}

struct TooManyReloads: Error {}

func exploreBudget() async throws -> Int {
    let scenario = try RaceScenario(preset: "app-budget")
    let schedules = try await explore(scenario) { run in
        guard run.reloads <= 10 else { throw TooManyReloads() }
    }
    return schedules
}
