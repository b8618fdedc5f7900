/// How many schedules a search has, from those that it has run.
///
/// It takes every schedule for as long as the first one, with as many actors to choose from at each step, and
/// corrects that by how many schedules the finished part really had.
struct SizeEstimate {
    private let bound: Int
    private let isExact: Bool
    /// By the number of departures left, and by the first step for them.
    private var weights: [[Double]] = []
    private var finished = 0.0
    private var schedules = 0

    init(bound: Int) {
        self.bound = bound
        isExact = bound < 2
    }

    mutating func begin(_ others: [UInt32]) {
        var last = [Double](repeating: 1, count: others.count + 1)
        weights = [last]
        for _ in 0..<min(bound, others.count) {
            var next = last
            next[others.count] = 1
            for step in others.indices.reversed() {
                next[step] = next[step + 1] + Double(others[step].nonzeroBitCount) * last[step + 1]
            }
            weights.append(next)
            last = next
        }
    }

    /// A family was run, whose schedules may depart from the given step on.
    mutating func finish(_ family: Family, from first: Int, schedules: Int) {
        finished += family.isWithLeaves ? weight(first, 1) : 1
        self.schedules = schedules
    }

    private func weight(_ first: Int, _ left: Int) -> Double {
        guard let row = weights.indices.contains(left) ? weights[left] : weights.last else { return 1 }
        return row.indices.contains(first) ? row[first] : 1
    }

    /// - Parameter random: the random schedules that follow.
    func total(beside random: Int) -> ExplorationProgress.Total {
        if random == .max { return .unlimited }
        let all = weight(0, bound)
        if isExact { return .known(Int(all) + random) }
        let estimate = finished > 0 ? Double(schedules) * all / finished : all
        return .estimated(max(schedules, Int(min(estimate, 1e15))) + random)
    }
}
