/// What there is to choose from, before a step.
struct Choice {
    /// Who took the last step.
    var current: Int
    /// Who can take a step now, as bits.
    var ready: UInt32
    /// Who sleeps, and would be woken by the passing of time.
    var asleep: UInt32
    /// Whom the rule chooses.
    var ruled: Int
    /// The step the current one is about to take is seen by nobody else: whoever comes in between might as
    /// well come after it.
    var isPrivate: Bool

    var able: UInt32 { ready | asleep }
}

/// Decides who takes the next step.
struct Scheduler {
    enum Way {
        /// By the rule of `Schedule`, save at these steps.
        case departing([Departure])
        /// As it is written, then by the rule.
        case replaying([Schedule.Segment])
        /// Somebody else than the rule says once in so many steps, whoever that is.
        case wandering(SeededRandom, odds: Int)
        /// Who has the highest priority; at some steps, whoever is at it loses all of it.
        case byPriority([Int], changes: [Int])
    }

    /// At that step somebody else goes on than the rule says.
    struct Departure: Hashable {
        var step: Int
        var lane: Int
    }

    private var way: Way
    private var place = 0
    private var taken = 0

    init(_ way: Way) { self.way = way }

    mutating func choose(_ choice: Choice, at step: Int) -> Int {
        switch way {
        case .departing(let departures):
            guard place < departures.count, departures[place].step == step else { return choice.ruled }
            place += 1
            let lane = departures[place - 1].lane
            return choice.able.has(lane) ? lane : choice.ruled
        case .replaying(let segments): return replay(segments, choice)
        case .wandering(var random, let odds):
            let lane = Self.wander(&random, odds, choice)
            way = .wandering(random, odds: odds)
            return lane
        case .byPriority(let order, let changes): return byPriority(order, changes, choice, step)
        }
    }

    private mutating func replay(_ segments: [Schedule.Segment], _ choice: Choice) -> Int {
        while place < segments.count {
            let segment = segments[place]
            if taken < segment.count, choice.able.has(segment.lane) {
                taken += 1
                return segment.lane
            }
            place += 1
            taken = 0
        }
        return choice.ruled
    }

    private static func wander(_ random: inout SeededRandom, _ odds: Int, _ choice: Choice) -> Int {
        if choice.isPrivate || !random.isOne(in: odds) { return choice.ruled }
        let count = choice.able.nonzeroBitCount
        return choice.able.bit(random.below(count))
    }

    private mutating func byPriority(_ order: [Int], _ changes: [Int], _ choice: Choice, _ step: Int) -> Int {
        var order = order
        if changes.contains(step), let place = order.firstIndex(of: choice.current) {
            order.append(order.remove(at: place))
            way = .byPriority(order, changes: changes)
        }
        return order.first { choice.ready.has($0) } ?? choice.ruled
    }
}

extension UInt32 {
    func has(_ lane: Int) -> Bool { self & (1 << UInt32(lane)) != 0 }

    /// The place of the set bit with so many set bits below it.
    func bit(_ number: Int) -> Int {
        var rest = self
        for _ in 0..<number { rest &= rest - 1 }
        return rest.trailingZeroBitCount
    }
}
