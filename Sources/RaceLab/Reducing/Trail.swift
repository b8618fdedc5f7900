import Model

/// The steps of a run, as far as the reduction needs them.
struct Trail: Sendable {
    struct Step: Sendable, Hashable {
        var lane: Int
        /// Before the step: the actors that could take it, and those that time could have woken.
        var ready: UInt32
        var asleep: UInt32
        var footprint = Footprint()
    }

    /// Whether anybody wants to know.
    var isKept = false
    private(set) var steps: [Step] = []

    mutating func begin(_ lane: Int, ready: UInt32, asleep: UInt32) {
        guard isKept else { return }
        steps.append(Step(lane: lane, ready: ready, asleep: asleep))
        // It lets time pass.
        if asleep.has(lane) { fence() }
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
    /// Whole reads are all the same, so they may be told in any order.
    mutating func add(_ evidence: [AccessEvent], of document: Int, _ side: Side, isOnly: Bool) {
        let own = Footprint.Things.events(document, side)
        let things = isOnly ? own : own.union(.events)
        if evidence == [.opened, .read] { read(things) } else { write(things) }
    }

    private mutating func change(_ change: (inout Footprint) -> Void) {
        if isKept, !steps.isEmpty { change(&steps[steps.count - 1].footprint) }
    }
}
