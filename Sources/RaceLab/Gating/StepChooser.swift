/// Chooses whose call goes next: the pure half of the gate.
///
/// The rule is that of `Schedule`: the current lane goes on until it waits, then the next one in order that
/// is awake. One that sleeps goes on where all sleep, the one that slept first. A lane that never waits is
/// interrupted after many steps, and one that sleeps long goes on after many steps of others, so that a
/// program that looks over and over does not keep all others away.
package struct StepChooser: Sendable {
    package enum Way: Sendable {
        /// At random, once in this many steps, another lane than the rule's.
        case randomWalk(SeededRandom, odds: Int)
        /// By the saved segments, then by the rule.
        case replaying([Segment])
    }

    /// A number of steps by one lane.
    package struct Segment: Sendable, Hashable {
        package var lane: RaceLane
        package var count: Int

        package init(_ lane: RaceLane, _ count: Int) {
            self.lane = lane
            self.count = count
        }
    }

    /// A lane that may go on.
    package struct Candidate: Sendable, Hashable {
        package enum Sleep: Int, Sendable, Comparable {
            case awake, short
            /// Longer than others are kept waiting for it by chance.
            case long

            package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
        }

        package var lane: RaceLane
        package var sleep: Sleep
        /// How many steps had been taken when it came to its gate.
        package var since: Int

        package init(_ lane: RaceLane, sleep: Sleep = .awake, since: Int = 0) {
            self.lane = lane
            self.sleep = sleep
            self.since = since
        }
    }

    private var way: Way
    private var current: RaceLane?
    /// The steps of the current lane in a row.
    private var row = 0
    private var position = 0
    private var taken = 0

    /// The limit of steps in a row by the rule.
    private static let longestRow = 1_000
    /// The most steps of others that one sleeps through where all sleep. A program that looks ten times a
    /// second takes two steps for each look, and has ten seconds: a bridge that sleeps longer must go on
    /// several times within these.
    private static let longestSleep = 40

    package init(_ way: Way) { self.way = way }

    /// - Parameter seed: equal seeds choose equally among equal candidates.
    package init(seed: UInt64) {
        var random = SeededRandom(seed: seed, .schedule)
        let odds = random.pick([2, 3, 4, 8, 16])
        self.init(.randomWalk(random, odds: odds))
    }

    /// - Parameter candidates: at least one, each of another lane.
    package mutating func choose(_ candidates: [Candidate]) -> RaceLane {
        let lane = chosen(candidates.sorted { $0.lane < $1.lane })
        row = lane == current ? row + 1 : 1
        current = lane
        return lane
    }

    private mutating func chosen(_ candidates: [Candidate]) -> RaceLane {
        switch way {
        case .replaying(let segments):
            while position < segments.count {
                let segment = segments[position]
                if taken < segment.count, candidates.contains(where: { $0.lane == segment.lane }) {
                    taken += 1
                    return segment.lane
                }
                position += 1
                taken = 0
            }
        case .randomWalk(var random, let odds):
            let able = candidates.filter { $0.sleep < .long }
            let isChance = random.isOne(in: odds)
            let drawn = able.isEmpty ? nil : random.pick(able).lane
            way = .randomWalk(random, odds: odds)
            if isChance, let drawn { return drawn }
        }
        return ruled(candidates)
    }

    private func ruled(_ candidates: [Candidate]) -> RaceLane {
        let awake = candidates.filter { $0.sleep == .awake }.map(\.lane)
        guard let first = awake.first else {
            // The last one came to its gate at the last step.
            let last = candidates.map(\.since).max() ?? 0
            let kept = candidates.filter { last - $0.since >= Self.longestSleep }
            if let next = kept.min(by: { ($0.since, $0.lane) < ($1.since, $1.lane) }) { return next.lane }
            let next = candidates.min { ($0.sleep, $0.since, $0.lane) < ($1.sleep, $1.since, $1.lane) }
            return next?.lane ?? candidates[0].lane
        }
        guard let current else { return first }
        if awake.contains(current), row < Self.longestRow { return current }
        return awake.first { $0 > current } ?? first
    }
}

extension [StepChooser.Segment] {
    /// The steps of these lanes, one after the other.
    package init(_ lanes: [RaceLane]) {
        self = lanes.reduce(into: []) { segments, lane in
            if segments.last?.lane == lane {
                segments[segments.count - 1].count += 1
            } else {
                segments.append(StepChooser.Segment(lane, 1))
            }
        }
    }

    /// With neighbours of one lane joined.
    package var joined: Self {
        reduce(into: []) { segments, one in
            if segments.last?.lane == one.lane {
                segments[segments.count - 1].count += one.count
            } else {
                segments.append(one)
            }
        }
    }

    /// `app 3, widget 1`.
    package var text: String { map { "\($0.lane.name) \($0.count)" }.joined(separator: ", ") }

    /// The changes of the lane.
    package var switches: Int { Swift.max(0, count - 1) }
}
