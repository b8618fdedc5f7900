/// Where runs are played.
package enum RaceBackendKind {
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
        let onlySimulated = ", which only the simulated disk can do"
        if scenario.actors.contains(where: { $0.operations.contains { $0.verb == .cutPower } }) {
            return "it cuts the power" + onlySimulated
        }
        if !scenario.machine.canExchange { return "it disables the exchange of files" + onlySimulated }
        if scenario.machine.grain != .zero { return "it sets the resolution of timestamps" + onlySimulated }
        return nil
    }
}

extension Run {
    /// Nothing can be told from it.
    static func failed(_ history: History, _ unrest: Rest.Unrest) -> Run {
        var history = history
        var rest = Rest()
        rest.unrest = unrest
        history.rest = rest
        return Run(history: history, judgement: Judgement(), schedule: Schedule(), others: [])
    }
}
