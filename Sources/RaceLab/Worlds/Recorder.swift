import Model

/// Records the history of a run.
struct Recorder {
    private(set) var calls: [Call] = []
    private(set) var steps: [Step] = []
    /// The current call of each lane.
    private var open: [Int?]

    init(lanes: Int) {
        open = Array(repeating: nil, count: lanes)
        steps.reserveCapacity(256)
        calls.reserveCapacity(32)
    }

    mutating func begin(_ call: Call) {
        open[call.lane] = calls.count
        calls.append(call)
    }

    mutating func end(_ lane: Int, _ result: Call.Result, at time: Duration) {
        guard let number = open[lane] else { return }
        calls[number].last = max(calls[number].first, steps.count - 1)
        calls[number].ended = time
        calls[number].result = result
        open[lane] = nil
    }

    mutating func change(_ lane: Int, _ change: (inout Call) -> Void) {
        if let number = open[lane] { change(&calls[number]) }
    }

    func call(of lane: Int) -> Int? { open[lane] }

    mutating func add(_ step: Step) { steps.append(step) }
}
