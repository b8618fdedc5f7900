/// Which actors can take a step, now or when time passes.
struct Readiness {
    enum State {
        case ready
        case asleep(until: Duration)
        case waiting
    }

    /// As bits.
    private(set) var ready: UInt32 = 0
    private(set) var asleep: UInt32 = 0
    private(set) var wakes: [Duration]

    init(lanes: Int) { wakes = [Duration](repeating: .zero, count: lanes) }

    func isBusy(_ lane: Int) -> Bool { (ready | asleep).has(lane) }

    mutating func set(_ lane: Int, _ state: State) {
        let bit: UInt32 = 1 << UInt32(lane)
        ready &= ~bit
        asleep &= ~bit
        switch state {
        case .ready: ready |= bit
        case .asleep(let time):
            asleep |= bit
            wakes[lane] = time
        case .waiting: break
        }
    }

    mutating func wake(at time: Duration) {
        var rest = asleep
        while rest != 0 {
            let lane = rest.trailingZeroBitCount
            rest &= rest - 1
            if wakes[lane] <= time { set(lane, .ready) }
        }
    }

    /// The actors whose choice is a preemption: the last actor could go on, or time passes although somebody
    /// could.
    ///
    /// - Parameter last: `nil` before the first step.
    func preempting(_ last: Int?) -> UInt32 {
        if let last, ready.has(last) { return (ready | asleep) & ~(1 << UInt32(last)) }
        if ready != 0 { return asleep }
        let first = asleep.lanes.map { wakes[$0] }.min()
        return asleep.lanes.reduce(0) { wakes[$1] == first ? $0 : $0 | 1 << UInt32($1) }
    }

    /// The actor that the rule chooses: the same one or the next one, else the one that wakes first.
    func next(after lane: Int) -> Int? {
        if ready.has(lane) { return lane }
        if ready != 0 {
            let after = ready & ~((2 << UInt32(lane)) - 1)
            return (after == 0 ? ready : after).trailingZeroBitCount
        }
        var first: Int?
        var rest = asleep
        while rest != 0 {
            let lane = rest.trailingZeroBitCount
            rest &= rest - 1
            if first.map({ wakes[lane] < wakes[$0] }) ?? true { first = lane }
        }
        return first
    }
}
