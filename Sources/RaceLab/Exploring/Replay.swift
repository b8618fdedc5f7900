/// What came of replaying a saved schedule.
package struct Replay: Sendable {
    package enum Outcome: Sendable, Hashable {
        /// The same trace, hash for hash.
        case same
        /// The same in itself, but not as it was saved: the engine, or the lab, has changed since.
        case changed(saved: String, now: String)
        /// Two runs of one schedule differed: the lab, or the engine, does not repeat itself. That is a fault
        /// of this program's.
        case unrepeatable(String, String)
    }

    package var run: Run
    package var outcome: Outcome
}

extension SavedSchedule {
    /// Runs it twice and compares.
    package func replay(on backendKind: RaceBackendKind = .simulated) -> Replay {
        let run = Run.replay(scenario, schedule, on: backendKind)
        let again = Run.replay(scenario, schedule, on: backendKind)
        let (one, other) = (run.history.trace, again.history.trace)
        if one != other { return Replay(run: run, outcome: .unrepeatable(one, other)) }
        if let trace, trace != one { return Replay(run: run, outcome: .changed(saved: trace, now: one)) }
        return Replay(run: run, outcome: .same)
    }
}
