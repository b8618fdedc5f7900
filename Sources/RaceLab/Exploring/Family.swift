/// The schedules that depart from another one once more: what one thread runs at a time.
struct Family: Sendable {
    struct Member: Sendable {
        var departure: Scheduler.Departure
        var result: Result
    }

    enum Result: Sendable {
        case ran(Run)
        /// An equivalent schedule was run, and from this step on departures are tried from that one.
        case skipped(Twin, until: Int)
    }

    /// The schedule that is run instead of an equivalent one.
    enum Twin: Sendable {
        /// It departs to the same actor at this earlier step.
        case sibling(step: Int)
        /// It departs in the same way from the twin of the schedule that the family departs from.
        case cousin(Cousin)
    }

    /// A schedule with two departures, the second during the detour of the first.
    struct Cousin: Sendable {
        var departure: Scheduler.Departure
        /// From the first departure on.
        var detour: Detour
        /// Before each step: the other actors that could have taken it.
        var others: [UInt32]
        /// How many schedules depart from it, by step.
        var counts: [Int] = []
    }

    var members: [Member] = []
    /// Of its members, those that departed during the detour of the departure before.
    var cousins: [Cousin] = []
    /// All were run or skipped: there was time for it.
    var isComplete = true
}

/// How to run families; the same for all of one search.
struct FamilyRunner: Sendable {
    /// Whether to skip schedules that are equivalent to one that is run.
    var isReduced: Bool
    var faults: UInt64
    /// Whether somebody wants to see the history of every run.
    var keepsHistories: Bool
    var isTimeUp: @Sendable () -> Bool

    func family(of node: ScheduleNode, on simulator: inout Simulator) -> Family {
        var family = Family()
        var detours: [Int: Detour] = [:]
        for departure in node.choices {
            let skipped = node.skippedCousin(at: departure) ?? sibling(at: departure, of: node, &detours)
            if let skipped {
                family.members.append(Family.Member(departure: departure, result: skipped))
                continue
            }
            let run = isTimeUp() ? nil : run(node.departures + [departure], on: &simulator)
            guard var run, !run.isStopped else {
                family.isComplete = false
                return family
            }
            detours[departure.lane] = Detour(of: run, from: node.steps, at: departure.step)
            if let cousin = node.cousin(run, at: departure) { family.cousins.append(cousin) }
            if node.isLast { run.steps = [] }
            family.members.append(Family.Member(departure: departure, result: .ran(run)))
        }
        return family
    }

    private func sibling(
        at departure: Scheduler.Departure,
        of node: ScheduleNode,
        _ detours: inout [Int: Detour]
    ) -> Family.Result? {
        guard detours[departure.lane]?.reaches(departure.step, in: node.steps) == true,
            let detour = detours[departure.lane]
        else { return nil }
        return .skipped(.sibling(step: detour.first), until: departure.step + detour.length)
    }

    func run(_ departures: [Scheduler.Departure], on simulator: inout Simulator) -> Run {
        var run = simulator.run(Scheduler(.departing(departures)), faults: faults, keepsSteps: isReduced)
        if !keepsHistories { run.history = History() }
        return run
    }
}

extension Run {
    func hasDepartures(from first: Int) -> Bool { others.dropFirst(first).contains { $0 != 0 } }
}
