/// Who takes a step, over and over: all that a run depends on beside its scenario.
///
/// After the last of its segments, and where the one whose turn it is cannot go on, the rule is: whoever is
/// at it goes on until it waits, then the next in the scenario's order that can; when all wait, time passes.
package struct Schedule: Sendable, Hashable {
    /// So many steps by one actor.
    package struct Segment: Sendable, Hashable {
        package var lane: Int
        package var count: Int
    }

    package var segments: [Segment] = []
    /// Of the stream that faults, and what a power cut leaves, are drawn from.
    package var faults: UInt64 = 0

    package init(segments: [Segment] = [], faults: UInt64 = 0) {
        self.segments = segments
        self.faults = faults
    }

    package mutating func append(_ lane: Int) {
        if segments.last?.lane == lane {
            segments[segments.count - 1].count += 1
        } else {
            segments.append(Segment(lane: lane, count: 1))
        }
    }

    package var steps: Int { segments.reduce(0) { $0 + $1.count } }
    /// How often somebody else goes on.
    package var switches: Int { max(0, segments.count - 1) }
}
