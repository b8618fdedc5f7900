/// What exploring a scenario came to.
package struct ExplorationReport: Sendable {
    package enum Ending: Sendable, Hashable {
        /// What was wanted was found, and the search ended there.
        case found
        /// All schedules within the bound were run, and the random ones that were asked for.
        case done
        /// It was told to stop before it had run all within the bound.
        case stopped
    }

    package var scenario: Scenario
    /// Departures from the rule of `Schedule` that a schedule within the bound may have.
    package var bound: Int
    /// Schedules run within the bound, and whether that was all of them: then nothing found is a proof, for
    /// this scenario and this bound.
    package var schedules = 0
    package var isExhaustive = false
    /// Further schedules that were drawn, and the seed they were drawn from.
    package var randomSchedules = 0
    package var seed: UInt64 = 0
    /// Steps of all of them.
    package var steps = 0
    package var ending = Ending.done
    /// How many schedules showed each kind.
    package var counts: [AnomalyKind: Int] = [:]
    /// The first of each kind, made as small as can be.
    package var findings: [Finding] = []
    package var overtakenReads = 0
    package var longestOvertaking = Duration.zero
    /// Schedules that did not come to an end: what they would have shown is not known.
    package var unfinished = 0

    package init(scenario: Scenario, bound: Int) {
        self.scenario = scenario
        self.bound = bound
    }

    package var verdict: RaceVerdict {
        if !findings.isEmpty { return .anomaly }
        return unfinished > 0 || (ending == .stopped && !isExhaustive) ? .unknown : .clean
    }
}

/// What the exit status of `race` says.
package enum RaceVerdict: Int, Sendable, Hashable {
    case clean = 0
    case anomaly = 1
    case unknown = 2
}

/// An anomaly with the smallest run that shows it.
package struct Finding: Sendable {
    package var anomaly: Anomaly
    package var saved: SavedSchedule
    package var history: History
    /// As it was found.
    package var original: SavedSchedule
    /// Runs it took to make it small.
    package var replays: Int

    /// `minimal: 3 switches, 2 operations, 29 replays`.
    package var size: String {
        let switches = saved.schedule.switches
        let operations = saved.scenario.operationCount
        return "minimal: \(counted(switches, "switch", "switches")), "
            + "\(counted(operations, "operation", "operations")), \(counted(replays, "replay", "replays"))"
    }
}

func counted(_ count: Int, _ one: String, _ many: String) -> String {
    "\(count) \(count == 1 ? one : many)"
}
