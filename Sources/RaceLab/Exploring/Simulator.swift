import FileSystemSimulation
import Model

/// Runs one scenario repeatedly.
struct Simulator {
    let scenario: Scenario
    private let backendKind: RaceBackendKind
    private let isTimeUp: @Sendable () -> Bool
    private var executor: ScheduleExecutor<SimulatedBackend>?
    private var table = VersionTable()

    /// Torn contents accumulate, so the table is cleared at this size.
    private static let mostVersions = 4_096
    private static let mostBytes = 32 << 20

    /// - Parameter isTimeUp: ends a run early, as `Run.isStopped` shows.
    init(
        _ scenario: Scenario,
        on backendKind: RaceBackendKind,
        isTimeUp: @escaping @Sendable () -> Bool = { false }
    ) {
        self.scenario = scenario
        self.backendKind = backendKind
        self.isTimeUp = isTimeUp
    }

    /// - Parameter keepsFootprints: whether to keep what the reduction needs.
    mutating func run(_ scheduler: Scheduler, faults: UInt64, keepsFootprints: Bool = false) -> Run {
        if table.count > Self.mostVersions || table.bytes > Self.mostBytes {
            table = VersionTable()
            executor = nil
        }
        if case .real(let tree) = backendKind { return run(scheduler, faults: faults, in: tree) }
        let executor =
            executor ?? ScheduleExecutor(scenario, backend: SimulatedBackend(scenario.machine), table: table)
        executor.trail.isKept = keepsFootprints
        let run = play(executor, scheduler, faults)
        // Only a world that can be restored is used again.
        self.executor = executor.snapshot == nil ? nil : executor
        return run
    }

    /// Runs in new directories each time.
    private func run(_ scheduler: Scheduler, faults: UInt64, in tree: RealTree) -> Run {
        do throws(FileError) {
            let backend = try RealFileBackend(in: tree.path)
            defer { backend.clear() }
            let run = play(ScheduleExecutor(scenario, backend: backend, table: table), scheduler, faults)
            return backend.trouble.map { .failed(run.history, .disk($0)) } ?? run
        } catch {
            return .failed(History(), .directories(error))
        }
    }

    private func play(
        _ executor: ScheduleExecutor<some RaceBackend>,
        _ scheduler: Scheduler,
        _ faults: UInt64
    ) -> Run {
        executor.isTimeUp = isTimeUp
        let history = executor.run(scheduler, faults: faults)
        var schedule = executor.schedule
        schedule.faults = faults
        let display = WidgetDisplay(executor)
        let checks = history.rest?.unrest == .stopped ? [] : scenario.checks
        var judgement = judge(history, for: checks, isShown: display.kinds)
        if scenario.hasCode { judgement.anomalies += CodeCheck(executor, history).anomalies() }
        return Run(
            history: history,
            judgement: judgement,
            schedule: schedule,
            steps: executor.trail.steps,
            extent: RunExtent(history, begun: executor.begun),
            misfit: executor.scheduler.misfit(after: executor.schedule.steps)
        )
    }
}
