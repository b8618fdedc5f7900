/// The schedules within a bound on preemptions, depth first.
///
/// A preemption is a switch away from an actor that could go on. Who goes on when the last actor has ended or
/// waits is free: so it does not matter in which order a scenario lists its actors.
///
/// The reduction is bounded partial-order reduction (Coons, Musuvathi and McKinley 2013): an actor is tried
/// before a step of another one if a later step of it does not commute with that. Within the bound that is
/// not enough, since the switch there may be one too many. So it is also tried where the other actor began to
/// run: there a switch costs nothing that the schedule does not pay anyway. Sleep sets are not used: they
/// skip a schedule for an equivalent one that may have more preemptions.
struct ScheduleSearch {
    /// A schedule to run: it leaves the current one once.
    struct Branch: Sendable {
        var departures: [Scheduler.Departure]
        fileprivate var index: Int
        fileprivate var lane: Int
    }

    /// A step of the current schedule, and the choice before it.
    private struct Node {
        var step: Trail.Step
        /// The preemptions that may follow.
        var left: Int
        /// The step at which its actor began to run.
        var start: Int
        /// The actors to try in its place, and those that were tried.
        var due: UInt32 = 0
        var tried: UInt32
        /// Schedules that were run before their turn.
        var ahead: [Int: Run] = [:]

        /// The actors that may take it within the bound.
        var allowed: UInt32 { left > 0 ? step.offered : step.offered & ~step.preempting }
        var count: Int { (due | tried).nonzeroBitCount }
    }

    private let bound: Int
    private let isReduced: Bool
    private var path: [Node] = []
    private var skippedBefore = 0
    /// Some schedule would go on differently with more preemptions.
    private(set) var isCut = false

    /// - Parameters:
    ///   - root: the schedule without any departure.
    ///   - isReduced: whether to skip schedules that are equivalent to one that is run.
    init(_ root: Run, bound: Int, isReduced: Bool) {
        self.bound = bound
        self.isReduced = isReduced
        follow(root, from: 0)
    }

    /// How many branches were skipped because all schedules there are equivalent to some that were run.
    var skipped: Int { path.reduce(skippedBefore) { $0 + Self.skipped(at: $1) } }

    private static func skipped(at node: Node) -> Int {
        (node.allowed & ~node.due & ~node.tried).nonzeroBitCount
    }

    /// The schedules to run next: the one whose turn it is, and some whose turn will come.
    func waiting(_ most: Int) -> [Branch] {
        var branches: [Branch] = []
        for index in path.indices.reversed() where path[index].due != 0 {
            for lane in path[index].due.lanes where path[index].ahead[lane] == nil {
                if branches.count == most { return branches }
                let departures = departures(before: index) + [Scheduler.Departure(step: index, lane: lane)]
                branches.append(Branch(departures: departures, index: index, lane: lane))
            }
        }
        return branches
    }

    private func departures(before index: Int) -> [Scheduler.Departure] {
        path[..<index].enumerated().filter { $1.step.lane != $1.step.ruled }.map {
            Scheduler.Departure(step: $0, lane: $1.step.lane)
        }
    }

    mutating func set(_ run: Run, at branch: Branch) { path[branch.index].ahead[branch.lane] = run }

    /// The next schedule that was run; `nil` if another one is to be run first, or none is left.
    mutating func next() -> Run? {
        guard let index = path.lastIndex(where: { $0.due != 0 }),
            let run = path[index].ahead.removeValue(forKey: path[index].due.trailingZeroBitCount)
        else { return nil }
        for node in path[(index + 1)...] { skippedBefore += Self.skipped(at: node) }
        path.removeSubrange((index + 1)...)
        let lane = path[index].due.trailingZeroBitCount
        path[index].due.set(lane, false)
        path[index].tried.set(lane, true)
        follow(run, from: index)
        return run
    }

    // MARK: Branches

    /// Makes this the current schedule; it has the same steps as the one before up to this place.
    private mutating func follow(_ run: Run, from first: Int) {
        for index in run.steps.indices.dropFirst(first) {
            let step = run.steps[index]
            let before = index > 0 ? path[index - 1] : nil
            let left = before.map { $0.left - ($0.step.isPreempting ? 1 : 0) } ?? bound
            let start = before.map { $0.step.lane == step.lane ? $0.start : index } ?? 0
            if index < path.count {
                (path[index].step, path[index].start) = (step, start)
            } else {
                path.append(Node(step: step, left: left, start: start, tried: 1 << UInt32(step.lane)))
                if !isReduced { add(step.offered, at: index) }
            }
        }
        if isReduced { for index in path.indices.dropFirst(first) { addRaces(of: index) } }
    }

    private mutating func add(_ lanes: UInt32, at index: Int) {
        let node = path[index]
        if lanes & ~node.allowed != 0 { isCut = true }
        path[index].due |= lanes & node.allowed & ~node.tried
    }

    /// Tries the actor of a step before each earlier one that does not commute with it.
    private mutating func addRaces(of later: Int) {
        let (lane, footprint) = (path[later].step.lane, path[later].step.footprint)
        for earlier in 0..<later {
            let step = path[earlier].step
            if step.lane == lane || step.footprint.commutes(with: footprint) { continue }
            addRace(of: lane, before: earlier)
        }
    }

    private mutating func addRace(of lane: Int, before earlier: Int) {
        var index = earlier
        // Nobody comes between the steps of an engine that the others cannot see.
        while index > 0, path[index].step.isPrivate, !path[index].step.offered.has(lane) { index -= 1 }
        for index in [index, path[index].start] {
            let offered = path[index].step.offered
            add(offered.has(lane) ? 1 << UInt32(lane) : offered, at: index)
        }
    }

    // MARK: Progress

    /// The part of the search that is done, about.
    var done: Double {
        var rest = Double(path.reduce(0) { $0 + $1.count - 1 })
        var (part, done) = (1.0, 0.0)
        for node in path where node.count > 1 {
            // What follows a preemption has fewer schedules.
            let weight = { (lane: Int) in
                node.step.preempting.has(lane) ? min(1, Double(node.left) / max(1, rest)) : 1
            }
            let tried = node.tried.lanes.reduce(0) { $0 + weight($1) }
            let all = node.due.lanes.reduce(tried) { $0 + weight($1) }
            done += part * (tried - weight(node.step.lane)) / all
            part *= weight(node.step.lane) / all
            rest -= Double(node.count - 1)
        }
        return done
    }
}

extension UInt32 {
    /// The set bits.
    var lanes: some Sequence<Int> {
        sequence(state: self) { rest in
            guard rest != 0 else { return nil }
            defer { rest &= rest &- 1 }
            return rest.trailingZeroBitCount
        }
    }
}
