/// The result of exploring a scenario.
package struct ExplorationReport: Sendable {
    package enum Ending: Sendable, Hashable {
        /// The wanted anomaly was found, and the search stopped there.
        case found
        /// All schedules within the bound, and the requested random ones, were run.
        case done
        /// It was stopped before it had run all schedules within the bound.
        case stopped
    }

    package var scenario: Scenario
    /// The maximum number of preemptions per schedule.
    package var bound: Int
    /// The schedules run within the bound. If these are all, finding no anomaly is a proof, for this scenario
    /// and this bound.
    package var schedules = 0
    package var isExhaustive = false
    /// Branches were skipped if all schedules there are equivalent to some that were run, and how many. All
    /// other numbers are of those that were run.
    package var isReduced = false
    package var skipped = 0
    /// Some schedule would go on differently with more preemptions.
    package var isCutByBound = false
    package var coverage: Coverage
    /// The number of random schedules, and their seed.
    package var randomSchedules = 0
    package var seed: UInt64 = 0
    /// The steps of all schedules.
    package var steps = 0
    package var ending = Ending.done
    /// How many schedules showed each kind.
    package var counts: [AnomalyKind: Int] = [:]
    /// The first finding of each kind, shrunk as far as possible.
    package var findings: [Finding] = []
    package var overtakenReads = 0
    package var longestOvertaking = Duration.zero
    /// Schedules that did not end, so their anomalies are unknown.
    package var unfinished = 0
    /// Why the first of them did not.
    package var unrest: Rest.Unrest?
    /// A check written in Swift looks at each schedule, too.
    package var hasOwnCheck = false

    package init(scenario: Scenario, bound: Int) {
        self.scenario = scenario
        self.bound = bound
        coverage = Coverage(scenario)
    }

    /// Every order of the steps was tried: the bound left none out.
    package var isEveryOrder: Bool { isExhaustive && !isCutByBound }

    /// No schedule within the bound has an anomaly, and in none a program waited for ever.
    package var isProof: Bool {
        isExhaustive && verdict == .clean && !coverage.checked.isEmpty && !hasDrawnFaults
            && !isMissingExpected && coverage.held == 0
            && (coverage.waits.isEmpty || !scenario.checks.contains(.deadlock))
    }

    /// What finding no anomaly proves, in words.
    package var proof: String {
        if isProof {
            let within = isEveryOrder ? "" : " within the bound"
            let each =
                scenario.documents.count > 1 ? " for each document, not of what holds between them" : ""
            return ": a proof\(within)\(each)"
        }
        return hasDrawnFaults ? "; what fails or is lost is drawn from the seed, so this is no proof" : ""
    }

    /// The seed draws faults for each schedule, and another one would draw others.
    package var hasDrawnFaults: Bool {
        scenario.machine.faults > 0
            || scenario.actors.contains { $0.operations.contains { $0.verb == .cutPower } }
    }

    package var verdict: RaceVerdict {
        if !findings.isEmpty { return .anomaly }
        let isUnchecked = coverage.checked.isEmpty && !hasOwnCheck
        let isUnproved = isUnchecked || unfinished > 0 || (ending == .stopped && !isExhaustive)
        // Nothing can go wrong with a document that is never there.
        let isVacuous = !coverage.untouched.isEmpty || !scenario.neverWritten.isEmpty
        return isUnproved || isVacuous ? .unknown : .clean
    }
}

/// The verdict that the exit status of `race` reports.
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
    /// The run as found, before shrinking.
    package var original: SavedSchedule
    /// The runs needed for shrinking.
    package var replays: Int

    /// `minimal: 3 switches, 2 operations, 41 steps, 29 replays`.
    package var size: String {
        let switches = saved.schedule.switches
        // How many calls code makes is not known beforehand.
        let count = saved.scenario.hasCode ? nil : saved.scenario.operationCount
        let operations = count.map { "\(counted($0, "operation", "operations")), " } ?? ""
        return "minimal: \(counted(switches, "switch", "switches")), "
            + "\(operations)\(counted(history.steps.count, "step", "steps")), "
            + counted(replays, "replay", "replays")
    }
}

package func counted(_ count: Int, _ one: String, _ many: String) -> String {
    "\(count) \(count == 1 ? one : many)"
}
