/// The steps from a preemption until the preempted actor goes on.
///
/// If they commute with the preempted actor's next steps, the preemption might as well come after those: the
/// schedules differ only in the order of steps that commute, and have equally many preemptions. So the later
/// one need not be run. From where both have taken the same steps, all schedules that depart from one have
/// their equivalent in one that departs from the other, at the same steps. That is why the reduction is sound
/// under a bound: it never replaces a schedule by one with more preemptions.
struct Detour: Sendable {
    /// The preemption, and the step at which the preempted actor goes on.
    let first: Int
    let end: Int
    private let lane: Int
    private let footprint: Footprint
    /// The run with the preemption.
    private let steps: [Trail.Step]
    /// The preemption is equivalent at every step from `first` to this one.
    private var reach: Int

    var length: Int { end - first }

    /// `nil` if the actor never goes on, or time passes during the detour.
    ///
    /// - Parameters:
    ///   - run: departs from `parent` at `first`, and maybe again during the detour.
    ///   - parent: empty if it is not known.
    init?(of run: Run, from parent: [Trail.Step], at first: Int) {
        let steps = run.steps
        guard parent.indices.contains(first), steps.indices.contains(first), !run.extent.isUnfinished else {
            return nil
        }
        let lane = parent[first].lane
        let isRunning = { (step: Int) in
            steps[step].asleep == steps[first].asleep && steps[step].ready.has(lane)
                && steps[step].ready.has(steps[step].lane)
        }
        guard let end = steps.indices.dropFirst(first).first(where: { steps[$0].lane == lane }),
            end > first, (first...end).allSatisfy(isRunning)
        else { return nil }
        self.first = first
        self.end = end
        self.lane = lane
        self.steps = steps
        footprint = steps[first..<end].reduce(into: Footprint()) { $0.formUnion($1.footprint) }
        reach = first
    }

    /// Whether the same preemption at this later step gives an equivalent schedule.
    ///
    /// - Parameter parent: the run from which both depart.
    mutating func reaches(_ step: Int, in parent: [Trail.Step]) -> Bool {
        while reach < step {
            guard commutes(with: reach, in: parent) else { return false }
            reach += 1
        }
        return true
    }

    /// Whether this step of the preempted actor commutes with the detour, and the actors that are ready
    /// before and after it are the same, so that the rule goes on in the same way.
    private func commutes(with step: Int, in parent: [Trail.Step]) -> Bool {
        let moved = step + length
        guard step + 1 < parent.count, moved + 1 < steps.count else { return false }
        let (one, next) = (parent[step], parent[step + 1])
        let (same, after) = (steps[moved], steps[moved + 1])
        return [one, next, same, after].allSatisfy { $0.lane == lane && $0.asleep == one.asleep }
            && one.ready == next.ready && same.ready == after.ready
            && one.footprint == same.footprint && one.footprint.commutes(with: footprint)
    }
}
