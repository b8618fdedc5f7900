import Storage

/// Runs one scenario on the simulated disk, over and over.
struct Simulator {
    let scenario: Scenario
    private var world: World<SimulatedGround>?
    private var table = VersionTable()

    /// Torn bytes are never the same twice.
    private static let mostVersions = 4_096

    init(_ scenario: Scenario) { self.scenario = scenario }

    mutating func run(_ chooser: Chooser, faults: UInt64) -> Run {
        if table.count > Self.mostVersions {
            table = VersionTable()
            world = nil
        }
        let world = world ?? World(scenario, ground: SimulatedGround(scenario.machine), table: table)
        let history = world.run(chooser, faults: faults)
        // Only a world that can be brought back serves again.
        self.world = world.snapshot == nil ? nil : world
        var schedule = world.schedule
        schedule.faults = faults
        return Run(
            history: history,
            judgement: judge(history, for: scenario.checks),
            schedule: schedule,
            others: world.others
        )
    }
}
