/// A schedule from which others may depart.
struct ScheduleNode: Sendable {
    var departures: [Scheduler.Departure] = []
    /// `nil` if it was skipped.
    var run: Run?
    /// If it was skipped: what was run instead, and the first step from which on departures are tried there.
    var twin: Family.Twin?
    var end: Int?
    /// The next departures to try.
    var choices: [Scheduler.Departure] = []
    /// The steps of the run; empty if it was skipped.
    var steps: [Trail.Step] = []
    /// The steps of the run that it departs from, if later siblings are skipped for it, or it for an earlier
    /// one.
    var parent: [Trail.Step] = []
    /// If later siblings are skipped for it: the step at which its detour ends.
    var detourEnd: Int?
    /// If it was skipped for an earlier sibling: what departed during the detour of that one, and by how many
    /// steps that was earlier.
    var cousins: [Scheduler.Departure: Family.Cousin] = [:]
    var shift = 0
    /// Whether the next departure is the last one within the bound.
    var isLast = false
    var family: Family?
    /// Everything that departs from it was taken.
    var isDone = false

    /// A schedule that departs from this one during its detour.
    func cousin(_ run: Run, at departure: Scheduler.Departure) -> Family.Cousin? {
        guard let detourEnd, departure.step < detourEnd, let first = departures.last?.step,
            let detour = Detour(of: run, from: parent, at: first)
        else { return nil }
        return Family.Cousin(departure: departure, detour: detour, others: isLast ? [] : run.others)
    }

    /// The equivalent of a departure during the detour, if the same steps commute with that longer detour.
    func skippedCousin(at departure: Scheduler.Departure) -> Family.Result? {
        let earlier = Scheduler.Departure(step: departure.step - shift, lane: departure.lane)
        guard var cousin = cousins[earlier], let step = departures.last?.step,
            cousin.detour.reaches(step, in: parent)
        else { return nil }
        // The detour ends at once if it is left for the actor that was preempted.
        return .skipped(.cousin(cousin), until: max(step + cousin.detour.length, departure.step + 1))
    }

    /// A schedule that departs from this one.
    func child(_ member: Family.Member, bound: Int) -> ScheduleNode {
        var child = ScheduleNode(departures: departures + [member.departure])
        child.isLast = child.departures.count == bound - 1
        let step = member.departure.step
        switch member.result {
        case .ran(let run):
            (child.run, child.steps) = (run, run.steps)
            if child.departures.count < bound { child.choices = run.others.departures(from: step + 1) }
            if let length = family?.detourLength(after: member.departure) {
                (child.parent, child.detourEnd) = (steps, step + length)
            }
        case .skipped(let twin, let end):
            (child.twin, child.end) = (twin, end)
            switch twin {
            case .sibling(let earlier):
                let departure = Scheduler.Departure(step: earlier, lane: member.departure.lane)
                child.parent = steps
                child.depart(as: departure, at: step, before: end, family?.others(of: departure) ?? [])
            case .cousin(let cousin):
                child.depart(as: cousin.departure, at: step, before: end, cousin.others)
            }
        }
        return child
    }

    /// Tries what departs from its twin during the detour.
    private mutating func depart(
        as departure: Scheduler.Departure,
        at step: Int,
        before end: Int,
        _ others: [UInt32]
    ) {
        shift = step - departure.step
        choices = others.departures(from: departure.step + 1, to: end - shift).map {
            Scheduler.Departure(step: $0.step + shift, lane: $0.lane)
        }
    }
}

extension Family {
    fileprivate func others(of departure: Scheduler.Departure) -> [UInt32]? {
        for member in members where member.departure == departure {
            if case .ran(let run) = member.result { return run.others }
        }
        return nil
    }

    /// The length of a departure's detour, if a later member was skipped for it.
    fileprivate func detourLength(after departure: Scheduler.Departure) -> Int? {
        for member in members where member.departure.lane == departure.lane {
            if case .skipped(.sibling(departure.step), let end) = member.result {
                return end - member.departure.step
            }
        }
        return nil
    }
}

extension [UInt32] {
    /// The places where another actor could have taken a step.
    func departures(from first: Int, to end: Int = .max) -> [Scheduler.Departure] {
        indices.clamped(to: first..<Swift.max(first, end)).flatMap { step in
            (0..<32).filter { self[step].has($0) }.map { Scheduler.Departure(step: step, lane: $0) }
        }
    }
}

extension [Scheduler.Departure] {
    /// The first step at which the next departure may be.
    var firstFree: Int { last.map { $0.step + 1 } ?? 0 }
}
