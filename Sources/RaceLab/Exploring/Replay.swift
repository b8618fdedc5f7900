/// The result of replaying a saved schedule.
package struct Replay: Sendable {
    package enum Outcome: Sendable, Hashable {
        /// The recorded trace hash.
        case same
        /// Not the recorded trace, and the order could not be followed: the file was edited, or as below.
        case misfit(Schedule.Misfit)
        /// Repeatable, but not the recorded trace: the file was edited, or the engine or the lab has changed
        /// since.
        case changed(saved: String, now: String)
        /// Two runs of one schedule differed: the lab or the engine is not deterministic, which is a bug in
        /// this program.
        case unrepeatable(String, String)
    }

    package var run: Run
    package var outcome: Outcome
}

extension SavedSchedule {
    /// Runs the schedule twice and compares the traces.
    package func replay(on backendKind: RaceBackendKind = .simulated) -> Replay {
        let run = Run.replay(scenario, schedule, on: backendKind)
        let again = Run.replay(scenario, schedule, on: backendKind)
        let (one, other) = (run.history.trace, again.history.trace)
        if one != other { return Replay(run: run, outcome: .unrepeatable(one, other)) }
        if let trace, trace == one { return Replay(run: run, outcome: .same) }
        if let misfit = run.misfit { return Replay(run: run, outcome: .misfit(misfit)) }
        if let trace { return Replay(run: run, outcome: .changed(saved: trace, now: one)) }
        return Replay(run: run, outcome: .same)
    }
}
