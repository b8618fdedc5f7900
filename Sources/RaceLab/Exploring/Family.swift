/// What one thread runs at a time: a schedule, and those that depart from it once more if that is the last
/// preemption.
struct Family: Sendable {
    var run: Run
    /// Whether the schedules that depart from it are in it.
    var isWithLeaves: Bool
    var leaves: [Run] = []
    /// All were run, and there was time for it.
    var isComplete = true

    /// Whether one of its schedules has used all preemptions, and would go on differently with one more.
    func isCut(by bound: Int, _ departures: [Scheduler.Departure]) -> Bool {
        if !isWithLeaves { return departures.count >= bound && run.hasDepartures(after: departures) }
        let last = run.departures(after: departures)
        return zip(last, leaves).contains { departure, leaf in leaf.hasDepartures(after: [departure]) }
    }
}

/// How to run families; the same for all of one search.
struct FamilyRunner: Sendable {
    var bound: Int
    var faults: UInt64
    /// Whether somebody wants to see the history of every run.
    var keepsHistories: Bool
    var isTimeUp: @Sendable () -> Bool

    func family(_ departures: [Scheduler.Departure], on simulator: inout Simulator) -> Family {
        let parent = run(departures, on: &simulator)
        // The first schedule has a family of its own, so that there are several with a bound of 1, too.
        var family = Family(run: parent, isWithLeaves: !departures.isEmpty && departures.count == bound - 1)
        guard family.isWithLeaves else { return family }
        for departure in parent.departures(after: departures) {
            if isTimeUp() {
                family.isComplete = false
                return family
            }
            family.leaves.append(run(departures + [departure], on: &simulator))
        }
        return family
    }

    private func run(_ departures: [Scheduler.Departure], on simulator: inout Simulator) -> Run {
        var run = simulator.run(Scheduler(.departing(departures)), faults: faults)
        if !keepsHistories { run.history = History() }
        return run
    }
}

extension Run {
    /// The places where another actor could have taken a step, after the last of the departures of this run.
    func departures(after departures: [Scheduler.Departure]) -> [Scheduler.Departure] {
        others.indices.dropFirst(departures.firstFree).flatMap { step in
            (0..<32).filter { others[step].has($0) }.map { Scheduler.Departure(step: step, lane: $0) }
        }
    }
}

extension Run {
    fileprivate func hasDepartures(after departures: [Scheduler.Departure]) -> Bool {
        others.dropFirst(departures.firstFree).contains { $0 != 0 }
    }
}

extension [Scheduler.Departure] {
    /// The first step at which the next departure may be.
    var firstFree: Int { last.map { $0.step + 1 } ?? 0 }
}
