import RaceLab
import WidgetBridge

/// README shows this; here it is compiled and run.
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

struct TooManyReloads: Error {}

/// The one about the race lab.
func exploreBudget() async throws -> Int {
    let scenario = try RaceScenario(preset: "app-budget")
    let schedules = try await explore(scenario) { run in
        guard run.reloads <= 10 else { throw TooManyReloads() }
    }
    return schedules
}
