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

    /// - Parameter isReduced: equivalent schedules are skipped, and how many is not known before.
    init(bound: Int, isReduced: Bool) {
        self.bound = bound
        isExact = bound < 2 && !isReduced
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

    /// A schedule was run or skipped, with those that depart from it if these are the last, or with those
    /// that depart from it after its detour if an equivalent schedule was run.
    mutating func finish(_ node: ScheduleNode) {
        let left = bound - node.departures.count
        if node.isLast {
            finished += weight(node.departures.firstFree, 1)
        } else {
            finished += node.end.map { weight($0, left) } ?? 1
        }
    }

    private func weight(_ first: Int, _ left: Int) -> Double {
        guard let row = weights.indices.contains(left) ? weights[left] : weights.last else { return 1 }
        return row.indices.contains(first) ? row[first] : 1
    }

    /// - Parameters:
    ///   - schedules: how many were run.
    ///   - random: the random schedules that follow.
    func total(after schedules: Int, beside random: Int) -> ExplorationProgress.Total {
        if random == .max { return .unlimited }
        let all = weight(0, bound)
        if isExact { return .known(Int(all) + random) }
        let estimate = finished > 0 ? Double(schedules) * all / finished : all
        return .estimated(max(schedules, Int(min(estimate, 1e15))) + random)
    }
}
