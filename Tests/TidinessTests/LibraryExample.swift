import Foundation
import RaceLab
import RaceLabTesting
import Testing
import WidgetBridge
import WidgetBridgeClient
import WidgetBridgeReader
import WidgetBridgeTesting

// The documentation shows these; here they are compiled, and run by its tests.

func showBudget(app: String, group: String, state: String, budget: [UInt8]) async throws -> [Notice] {
    let options = Options(state: state, profile: .builtIn("budget"))
    try await withBridge(app: app, group: group, options: options) { bridge in
        try await bridge.write(budget, to: "budget.json", in: .app)
        try await bridge.wait()
        let shown = try await bridge.data(of: "budget.json", in: .group)
        print("the widget reads", String(decoding: shown, as: UTF8.self))
    }
    return try await withBridge(app: app, group: group, options: options) { bridge in
        var notices: [Notice] = []
        for try await notice in bridge.notices(kind: "BudgetWidget") {
            print("reload", notice.kind, "for", notice.document)
            notices.append(notice)
            if notice.cause == .current { break }
        }
        return notices
    }
}

func showWhatWaits(_ bridge: Bridge) async throws {
    for document in try await bridge.documents() where document.state == .held {
        print(document.name, "is held:", document.reason ?? "")
    }
    for conflict in try await bridge.conflicts() {
        print(conflict.document ?? "?", conflict.reason)
        try await bridge.resolve(conflict.id, taking: .container(.group))
    }
    if let latest = try await bridge.history(of: "budget.json").first {
        try await bridge.undo(latest.id)
    }
    let status = try await bridge.status()
    if let permit = status.permit {
        print("halted:", status.reason ?? "")
        try await bridge.allow(permit)
    }
}

func complete(in bridge: Bridge) async throws {
    var isDone = false
    while !isDone {
        let habits = try await bridge.read("habits.json")
        let changed = String(decoding: habits.bytes, as: UTF8.self)
            .replacing("\"completed\":false", with: "\"completed\":true")
        do throws(BridgeFailure) {
            try await bridge.write(changed.utf8, to: "habits.json", expecting: .content(hash: habits.hash))
            isDone = true
        } catch {
            guard case .mismatch = error.reason else { throw error }
        }
    }
}

func passTap(_ bridge: Bridge) async throws {
    let tap = try await bridge.push("HabitWidget", named: "toggle", data: #"{"habit": "h1"}"#.utf8)
    for try await event in bridge.events() {
        print(event.kind, event.name)
        try await bridge.acknowledge(event.id)
        if event.id == tap.id { break }
    }
}

struct Spending: Codable {
    var spent: Decimal
}

func addSpending(_ bridge: Bridge) async throws -> Decimal {
    let spending = try await bridge.update("spending.json", initial: Spending(spent: 0)) { $0.spent += 12.5 }
    for try await state in bridge.values(of: Spending.self, "spending.json") {
        switch state {
        case .fresh(let value), .stale(let value): print("spent", value.spent)
        case .error(let text, let last): print(text, last?.spent ?? 0)
        case .noData: print("nothing spent")
        }
        break
    }
    return spending.spent
}

func askAgent(app: String, group: String, state: String) async throws -> String {
    let remote = try await Bridge(agentFor: app, group: group, state: state)
    let current = try await remote.read("balances.json")
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

func simulateBudget(_ budget: [UInt8]) async throws -> [Notice] {
    let simulated = try SimulatedBridge(profile: .builtIn("budget"))
    try simulated.save(budget, as: "budget.json", in: .app)
    let notices = simulated.settle()
    let shown = try await simulated.bridge.read("budget.json", in: .group)
    print("the widget reads", shown.hash)
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

@Sendable func increment(_ key: String, in container: RaceContainer) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    var isSaved = false
    while !isSaved {
        let old = try container.read("counter.json")
        var counters = try JSONDecoder().decode([String: Int].self, from: Data(old ?? []))
        counters[key, default: 0] += 1
        isSaved = try container.put(encoder.encode(counters), to: "counter.json", expecting: old)
    }
}

struct CountersDiffer: Error {}

func counterScenario() throws -> RaceScenario {
    try RaceScenario(documents: ["counter.json"], name: "counter") {
        RaceApp { container in try increment("app", in: container) }
        RaceWidget { container in try increment("widget", in: container) }
        RaceAgent()
    }
}

func exploreCounter() async throws -> Int {
    try await explore(try counterScenario()) { run in
        guard run.app == run.group else { throw CountersDiffer() }
    }
}

@Test(.races(bound: 1, corpus: "Races")) func `the counters of app and widget lose nothing`() async throws {
    await expectNoRace(in: try counterScenario())
}

func replayCounter(_ schedule: String) throws -> Bool {
    let replay = try replay(schedule, in: try counterScenario())
    for operation in replay.run.history.operations {
        print(operation.actor, operation.name, operation.written?.text ?? operation.read?.text ?? "")
    }
    return replay.isSame && replay.run.anomalies.isEmpty
}

func exploreRegister() async throws -> Int {
    let scenario = try RaceScenario(documents: ["counter.json"], name: "register") {
        RaceApp { container in try container.write(#"{"app":1}"#.utf8, to: "counter.json") }
        RaceApp("second") { container in _ = try container.read("counter.json") }
        RaceAgent()
    }
    return try await explore(scenario) { run in try run.history.checkLinearizable("counter.json") }
}

func saveForTheLab(_ budget: [UInt8], to path: String) throws {
    try Data(budget).write(to: URL(filePath: path), options: .atomic)
    LabReport().saved("budget.json", budget)
}
