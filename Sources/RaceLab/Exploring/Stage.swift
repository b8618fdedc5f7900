import Storage

/// Where runs are played.
package enum Stage {
    /// On a disk in memory.
    case simulated
    /// In real directories, beneath this one.
    case real(RealTree)

    /// Of the schedules that are found there.
    package var layer: Int {
        switch self {
        case .simulated: 0
        case .real: 1
        }
    }

    /// What the scenario asks for and the stage has not; `nil`: nothing.
    package func refusal(of scenario: Scenario) -> String? {
        guard case .real = self else { return nil }
        if scenario.actors.contains(where: { $0.operations.contains { $0.verb == .cutPower } }) {
            return "the power of real directories cannot be cut"
        }
        if !scenario.machine.canExchange { return "real directories exchange files where the kernel can" }
        if scenario.machine.grain != .zero { return "the times of real files are the kernel's" }
        return nil
    }
}

extension Run {
    static func run(
        _ scenario: Scenario,
        _ chooser: Chooser,
        faults: UInt64,
        _ table: VersionTable,
        on stage: Stage
    ) -> Run {
        guard case .real(let tree) = stage else {
            return play(scenario, chooser, faults, table, SimulatedGround(scenario.machine))
        }
        do {
            let ground = try RealGround(in: tree.path)
            defer { ground.clear() }
            let run = play(scenario, chooser, faults, table, ground)
            return ground.trouble.map { failed(run.history, $0) } ?? run
        } catch {
            return failed(History(), "\(error)")
        }
    }

    /// Nothing can be told from it.
    private static func failed(_ history: History, _ reason: String) -> Run {
        var history = history
        var rest = Rest()
        rest.unrest = reason
        history.rest = rest
        return Run(history: history, judgement: Judgement(), schedule: Schedule(), others: [])
    }
}
