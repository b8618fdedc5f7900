/// The disk that runs use.
package enum RaceBackendKind: Sendable {
    /// A disk in memory.
    case simulated
    /// Real directories, inside this one.
    case real(RealTree)

    /// The layer number of schedules found on it.
    package var layer: Int {
        switch self {
        case .simulated: 0
        case .real: 1
        }
    }

    /// Whether equal schedules give equal runs, call for call.
    var isRepeatable: Bool { layer == 0 }

    /// Runs on real files share their directory, and run one at a time.
    func jobs(_ count: Int) -> Int { isRepeatable ? count : 1 }

    /// What the scenario needs and this disk cannot do; `nil` if it can do all.
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
    /// A run without a verdict.
    static func failed(_ history: History, _ unrest: Rest.Unrest) -> Run {
        var history = history
        var rest = Rest()
        rest.unrest = unrest
        history.rest = rest
        return Run(
            history: history,
            judgement: Judgement(),
            schedule: Schedule(),
            extent: RunExtent(history, begun: [])
        )
    }
}
