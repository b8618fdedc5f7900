import Model

/// Where lanes and steps are in a drawing.
///
/// The lane of an actor that works on both sides has a track for each, one above the other.
struct LaneLayout {
    struct Lane {
        let top: Int
        let isSplit: Bool

        private static let label = 38
        private static let track = 40

        /// The line of a side; without a side, the middle.
        func y(_ side: Side?) -> Int {
            guard isSplit else { return top + Self.label }
            switch side {
            case .app?: return top + Self.label
            case .group?: return top + Self.label + Self.track
            case nil: return top + Self.label + Self.track / 2
            }
        }

        var height: Int { isSplit ? 82 + Self.track : 70 }
        /// The vertical extent of its calls.
        var extent: ClosedRange<Int> { (y(.app) - 13)...(y(.group) + (isSplit ? 24 : 13)) }
    }

    let lanes: [Lane]
    /// The horizontal centre of each step.
    let places: [Int]
    /// The end of the last step.
    let end: Int
    /// Below the last lane.
    let bottom: Int

    static let margin = 112
    private static let top = 30

    init(_ narrator: Narrator) {
        let history = narrator.history
        var (lanes, top): ([Lane], Int) = ([], Self.top)
        for lane in history.lanes.indices {
            lanes.append(Lane(top: top, isSplit: Self.isSplit(lane, history)))
            top += lanes[lane].height
        }
        var (places, place): ([Int], Int) = ([], Self.margin + 8)
        for step in history.steps {
            let quoteWidth = narrator.quote(step).map { $0.count * 3 + 6 } ?? 0
            let half = max(quoteWidth, Self.half(step, lanes[step.lane].isSplit))
            places.append(place + half)
            place += 2 * half
        }
        (self.lanes, self.places, end, bottom) = (lanes, places, place, top)
    }

    private static func isSplit(_ lane: Int, _ history: History) -> Bool {
        if history.isAgent(lane) { return true }
        return Set(history.steps.lazy.filter { $0.lane == lane }.compactMap(\.track)).count > 1
    }

    /// Half the width of a step. There must be room for the name of a side.
    private static func half(_ step: Step, _ isSplit: Bool) -> Int {
        guard step.what.isEvent else { return 5 }
        return isSplit && step.track != nil ? 23 : 20
    }

    func y(_ step: Step) -> Int { lanes[step.lane].y(step.track) }
}

extension Step {
    /// The side whose files it is about; `nil` for notices and the like.
    var track: Side? {
        switch what {
        case .changed, .rewritten, .read, .fetched, .agreed, .called, .failed: side
        default: nil
        }
    }
}
