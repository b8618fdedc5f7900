import FileSystemSimulation
import Storage

/// Runs one scenario over and over.
struct Simulator {
    let scenario: Scenario
    private let stage: Stage
    private var world: World<SimulatedGround>?
    private var table = VersionTable()

    /// Torn bytes are never the same twice.
    private static let mostVersions = 4_096

    init(_ scenario: Scenario, on stage: Stage) {
        self.scenario = scenario
        self.stage = stage
    }

    mutating func run(_ chooser: Chooser, faults: UInt64) -> Run {
        if table.count > Self.mostVersions {
            table = VersionTable()
            world = nil
        }
        if case .real(let tree) = stage { return run(chooser, faults: faults, in: tree) }
        let world = world ?? World(scenario, ground: SimulatedGround(scenario.machine), table: table)
        let run = play(world, chooser, faults)
        // Only a world that can be brought back serves again.
        self.world = world.snapshot == nil ? nil : world
        return run
    }

    /// New directories each time.
    private func run(_ chooser: Chooser, faults: UInt64, in tree: RealTree) -> Run {
        do {
            let ground = try RealGround(in: tree.path)
            defer { ground.clear() }
            let run = play(World(scenario, ground: ground, table: table), chooser, faults)
            return ground.trouble.map { .failed(run.history, $0) } ?? run
        } catch {
            return .failed(History(), "\(error)")
        }
    }

    private func play(_ world: World<some Ground>, _ chooser: Chooser, _ faults: UInt64) -> Run {
        let history = world.run(chooser, faults: faults)
        var schedule = world.schedule
        schedule.faults = faults
        return Run(
            history: history,
            judgement: judge(history, for: scenario.checks, isShown: world.isShown),
            schedule: schedule,
            others: world.others
        )
    }
}
