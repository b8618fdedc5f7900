/// The options before a step.
struct Choice {
    /// The actor of the last step.
    var current: Int
    /// The actors that can take a step now, as bits.
    var ready: UInt32
    /// The actors that sleep, and would wake up when time passes.
    var asleep: UInt32
    /// The actor that the rule chooses.
    var ruled: Int
    /// The next step of the current actor is invisible to the others: an actor before it might as well come
    /// after it.
    var isPrivate: Bool
    /// The actors to choose from, and those whose choice is a preemption.
    var offered: UInt32
    var preempting: UInt32

    /// - Parameters:
    ///   - last: `nil` before the first step.
    ///   - fates: those that may come before a private step; `nil` if everybody may.
    init(_ readiness: Readiness, after last: Int?, ruled: Int, onlyFate fates: UInt32?) {
        current = last ?? 0
        (ready, asleep) = (readiness.ready, readiness.asleep)
        self.ruled = ruled
        isPrivate = fates != nil
        let able = readiness.ready | readiness.asleep
        offered = fates.map { able & ($0 | 1 << UInt32(ruled)) } ?? able
        preempting = readiness.preempting(last)
    }

    var able: UInt32 { ready | asleep }
}

/// Chooses the actor of the next step.
struct Scheduler {
    enum Way {
        /// By the rule of `Schedule`, except at these steps.
        case departing([Departure])
        /// By the saved segments, then by the rule.
        case replaying([Schedule.Segment])
        /// At random, once in this many steps, another actor than the rule's.
        case randomWalk(SeededRandom, odds: Int)
        /// The actor with the highest priority; at some steps, the current one gets the lowest.
        case byPriority([Int], changes: [Int])
    }

    /// At this step, another actor than the rule's is chosen.
    struct Departure: Hashable {
        var step: Int
        var lane: Int
    }

    private var way: Way
    private var position = 0
    private var taken = 0
    /// The first segment that could not be followed.
    private var broken: Schedule.Misfit?

    init(_ way: Way) { self.way = way }

    mutating func choose(_ choice: Choice, at step: Int) -> Int {
        switch way {
        case .departing(let departures):
            guard position < departures.count, departures[position].step == step else { return choice.ruled }
            position += 1
            let lane = departures[position - 1].lane
            return choice.able.has(lane) ? lane : choice.ruled
        case .replaying(let segments): return replay(segments, choice, step)
        case .randomWalk(var random, let odds):
            let lane = Self.walkRandomly(&random, odds, choice)
            way = .randomWalk(random, odds: odds)
            return lane
        case .byPriority(let order, let changes): return byPriority(order, changes, choice, step)
        }
    }

    /// Where the schedule could not be followed, after all steps of the run.
    func misfit(after steps: Int) -> Schedule.Misfit? {
        guard broken == nil, case .replaying(let segments) = way else { return broken }
        return misfit(segments, at: steps)
    }

    /// `nil` if all segments are done.
    private func misfit(_ segments: [Schedule.Segment], at step: Int) -> Schedule.Misfit? {
        for number in segments.indices.dropFirst(position) {
            let left = segments[number].count - (number == position ? taken : 0)
            if left > 0 { return Schedule.Misfit(segment: number, left: left, step: step) }
        }
        return nil
    }

    private mutating func replay(_ segments: [Schedule.Segment], _ choice: Choice, _ step: Int) -> Int {
        while position < segments.count {
            let segment = segments[position]
            if taken < segment.count, choice.able.has(segment.lane) {
                taken += 1
                return segment.lane
            }
            if taken < segment.count, broken == nil { broken = misfit(segments, at: step) }
            position += 1
            taken = 0
        }
        return choice.ruled
    }

    private static func walkRandomly(_ random: inout SeededRandom, _ odds: Int, _ choice: Choice) -> Int {
        if choice.isPrivate || !random.isOne(in: odds) { return choice.ruled }
        let count = choice.able.nonzeroBitCount
        return choice.able.bit(random.below(count))
    }

    private mutating func byPriority(_ order: [Int], _ changes: [Int], _ choice: Choice, _ step: Int) -> Int {
        var order = order
        if changes.contains(step), let index = order.firstIndex(of: choice.current) {
            order.append(order.remove(at: index))
            way = .byPriority(order, changes: changes)
        }
        return order.first { choice.ready.has($0) } ?? choice.ruled
    }
}

extension UInt32 {
    func has(_ lane: Int) -> Bool { self & (1 << UInt32(lane)) != 0 }

    mutating func set(_ lane: Int, _ isSet: Bool) {
        self = isSet ? self | 1 << UInt32(lane) : self & ~(1 << UInt32(lane))
    }

    /// The index of the set bit with this many set bits below it.
    func bit(_ number: Int) -> Int {
        var rest = self
        for _ in 0..<number { rest &= rest - 1 }
        return rest.trailingZeroBitCount
    }
}
