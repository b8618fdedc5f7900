/// How far a find among real programs was made smaller.
package struct ProcessShrinking: Sendable, Hashable {
    /// The runs that it took.
    package var replays = 0
    /// Whether the first of them, in the order of the find, showed it again. If not, more than the order of
    /// calls decides, such as clocks and threads.
    package var isRepeatable = false
    /// It was asked to stop, or took too long, before that was known, or before it was as small as it gets.
    package var isCutShort = false
}

/// Makes the order of a find smaller while it shows the same: no kill, no tail, fewer switches.
package struct ProcessShrinker {
    private let run: (ProcessOrder) -> ProcessReport?
    private let isFound: (ProcessReport) -> Bool
    private let isHurried: () -> Bool
    private var best: ProcessReport
    private var order: ProcessOrder
    private var shrinking = ProcessShrinking()

    private static let mostReplays = 60

    /// - Parameters:
    ///   - run: the race in that order; `nil` if it could not be run.
    ///   - isFound: whether a report shows it; by default, any anomaly of the same kinds.
    ///   - isHurried: whether to stop with what is known.
    package init(
        _ found: ProcessReport,
        isFound: ((ProcessReport) -> Bool)? = nil,
        isHurried: @escaping () -> Bool = { false },
        run: @escaping (ProcessOrder) -> ProcessReport?
    ) {
        best = found
        order = found.control.order
        let kinds = found.observation.judgement.kinds
        self.isFound = isFound ?? { !$0.observation.judgement.kinds.isDisjoint(with: kinds) }
        self.isHurried = isHurried
        self.run = run
    }

    /// The report of the smallest order that shows it.
    package mutating func shrink() -> ProcessReport {
        shrinking.isRepeatable = accept { _ in }
        if shrinking.isRepeatable {
            accept { $0.kill = nil }
            cutTail()
            joinSegments()
        }
        shrinking.isCutShort = isHurried()
        best.control.order = order
        best.shrinking = shrinking
        return best
    }

    @discardableResult
    private mutating func accept(_ change: (inout ProcessOrder) -> Void) -> Bool {
        guard shrinking.replays < Self.mostReplays, !isHurried() else { return false }
        var smaller = order
        change(&smaller)
        guard smaller != order || shrinking.replays == 0 else { return false }
        shrinking.replays += 1
        // A run that was stopped has not come to its end.
        guard let report = run(smaller), !isHurried(), isFound(report) else { return false }
        best = report
        order = smaller
        return true
    }

    /// After the last segment the rule applies.
    private mutating func cutTail() {
        var length = (order.segments.count + 1) / 2
        while length > 0 {
            let isCut = accept { $0.segments.removeLast(min(length, $0.segments.count)) }
            length = min(isCut ? length : length / 2, order.segments.count)
        }
    }

    private mutating func joinSegments() {
        var isSmaller = true
        while isSmaller {
            isSmaller = false
            for index in order.segments.indices.reversed() where index < order.segments.count {
                let isJoined = accept { order in
                    order.segments.remove(at: index)
                    order.segments = order.segments.joined
                }
                isSmaller = isSmaller || isJoined
            }
        }
    }
}
