/// The actor of each step: together with the scenario, this determines a run.
///
/// After its last segment, or if the chosen actor cannot go on, this rule applies: the current actor goes on
/// until it waits, then the next ready one in the scenario's order; if all wait, time passes.
package struct Schedule: Sendable, Hashable {
    /// A number of steps by one actor.
    package struct Segment: Sendable, Hashable {
        package var lane: Int
        package var count: Int
    }

    /// Where a run could not follow it.
    package struct Misfit: Sendable, Hashable {
        /// The index of the segment.
        package var segment: Int
        /// How many of its steps its actor could not take.
        package var left: Int
        /// The number of the step that it was to take.
        package var step: Int
    }

    package var segments: [Segment] = []
    /// The seed of faults, and of what a power cut leaves.
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
    /// The number of changes of the actor.
    package var switches: Int { max(0, segments.count - 1) }
}
