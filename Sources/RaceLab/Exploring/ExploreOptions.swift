import Glibc

/// What to explore, and how far.
package struct ExploreOptions {
    /// The maximum number of preemptions, switches away from an actor that could go on; all schedules within
    /// it are run.
    package var bound = 2
    /// The number of random schedules; with `isTimeUp`, as many as there is time for.
    package var randomSchedules = 0
    /// The seed of the random schedules.
    package var seed: UInt64 = 1
    /// Draws priorities with this many changes instead of single steps (PCT): for many actors and long runs.
    package var priorityChanges: Int?
    /// Whether to skip schedules that are equivalent to one that is run, if the scenario permits it. Never
    /// with a custom check, which may distinguish them.
    package var isReduced = false
    /// How many threads run schedules. The results do not depend on it.
    package var jobs = 1
    /// Called before each run and every few steps of it, on any thread; `true` stops. The lab has no clock.
    package var isTimeUp: @Sendable () -> Bool = { false }
    /// Stops at the first schedule with any anomaly, or with this one.
    package var stopsAtFirst = false
    package var wanted: AnomalyKind?
    /// Whether to shrink findings.
    package var shrinks = true
    /// Whether to skip shrinking as well, because the user waits.
    package var isHurried: () -> Bool = { false }
    /// Called at intervals.
    package var progress: (ExplorationProgress) -> Void = { _ in }
    /// Called for every run, in the order of the schedules; a returned sentence describes a fault.
    package var check: ((Run) -> String?)?

    /// The disk to run on.
    package var backendKind = RaceBackendKind.simulated

    package init() {}

    /// The processors that are online.
    package static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}

/// How far an exploration has come.
package struct ExplorationProgress: Sendable, Hashable {
    package enum Total: Sendable, Hashable {
        case known(Int)
        case estimated(Int)
        /// As many as there is time for.
        case unlimited
    }

    package var schedules: Int
    package var total: Total
}
