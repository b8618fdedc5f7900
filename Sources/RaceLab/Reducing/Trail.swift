import Model

/// The steps of a run, as far as a search needs them.
package struct Trail: Sendable {
    package struct Step: Sendable, Hashable {
        package var lane: Int
        /// The actor that the rule chooses.
        var ruled: Int
        /// As bits: the actors that might take it, and those that would interrupt another one.
        package var offered: UInt32
        package var preempting: UInt32
        /// Only fate could come before it.
        var isPrivate: Bool
        var footprint = Footprint()

        package var isPreempting: Bool { preempting.has(lane) }
    }

    /// Whether footprints are kept.
    var isKept = false
    private(set) var steps: [Step] = []

    mutating func begin(_ lane: Int, _ choice: Choice) {
        steps.append(
            Step(
                lane: lane,
                ruled: choice.ruled,
                offered: choice.offered,
                preempting: choice.preempting,
                isPrivate: choice.isPrivate
            )
        )
        // It lets time pass.
        if choice.asleep.has(lane) { fence() }
    }

    mutating func restart() { steps.removeAll(keepingCapacity: true) }

    // MARK: The current step

    mutating func read(_ things: Footprint.Things) { change { $0.read(things) } }
    mutating func write(_ things: Footprint.Things) { change { $0.write(things) } }
    mutating func fence() { change { $0.fence() } }

    mutating func add(_ verb: Operation.Verb, phase: Int, of document: Int, on side: Side, isAtRest: Bool) {
        change { $0.add(verb, phase: phase, of: document, on: side, isAtRest: isAtRest) }
    }

    /// Access events, which the bridge takes in at the start of a turn: until then only their order counts.
    /// Whole reads are all the same, so they may be reported in any order.
    mutating func add(_ evidence: [AccessEvent], of document: Int, _ side: Side, isOnly: Bool) {
        let own = Footprint.Things.events(document, side)
        let things = isOnly ? own : own.union(.events)
        if evidence == [.opened, .read] { read(things) } else { write(things) }
    }

    private mutating func change(_ change: (inout Footprint) -> Void) {
        if isKept, !steps.isEmpty { change(&steps[steps.count - 1].footprint) }
    }
}
