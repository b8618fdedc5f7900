import Model

/// The latencies of changes: write -> visible -> notified -> read -> shown.
package struct Latencies: Sendable, Hashable {
    /// From the change on one side until the other has the same content.
    package var visible = Distribution()
    /// From its arrival in the group to the notice.
    package var notified = Distribution()
    /// From the notice until a reader in the group has it.
    package var read = Distribution()
    /// From its arrival, when a program of that side could first have read it, to that program's own read.
    package var found = Distribution()
    /// From the program's read to what it showed next.
    package var shown = Distribution()
    /// From the change to the read.
    package var whole = Distribution()
    /// From the change to what was shown after it was read.
    package var seen = Distribution()
    /// Whose reads these are; `nil` if there are none.
    package var reader: Reader?

    package enum Reader: String, Sendable {
        /// The programs' own reads, which they reported, or which passed a gate.
        case program
        /// The reads that the lab makes on each notice, as no program's read is known.
        case lab
    }

    package struct Distribution: Sendable, Hashable {
        /// In ascending order.
        package private(set) var samples: [Duration] = []

        package mutating func add(_ sample: Duration) {
            let index = samples.firstIndex { $0 > sample } ?? samples.count
            samples.insert(sample, at: index)
        }

        /// The smallest sample that this percentage of samples does not exceed; `nil` without samples.
        package func percentile(_ hundredths: Int) -> Duration? {
            guard !samples.isEmpty else { return nil }
            let rank = (samples.count * hundredths + 99) / 100
            return samples[max(1, min(rank, samples.count)) - 1]
        }

        package struct Bar: Sendable, Hashable {
            /// The upper limit of the bar; the limit of the previous bar is the lower one. `nil`: no limit.
            package var upTo: Duration?
            package var count: Int
        }

        /// From the first to the last bar with samples.
        package var histogram: [Bar] {
            var bars = Self.limits.map { Bar(upTo: $0, count: 0) } + [Bar(upTo: nil, count: 0)]
            for sample in samples {
                bars[Self.limits.firstIndex { sample <= $0 } ?? Self.limits.count].count += 1
            }
            guard let first = bars.firstIndex(where: { $0.count > 0 }),
                let last = bars.lastIndex(where: { $0.count > 0 })
            else { return [] }
            return Array(bars[first...last])
        }

        private static let limits: [Duration] = [100, 1_000, 10_000, 100_000, 1_000_000].flatMap { unit in
            [1, 2, 5].map { .microseconds($0 * unit) }
        }
    }

    package init() {}

    /// - Parameter isSame: whether two versions of a document are equal by value.
    init(of history: History, isSame: (_ document: Int, Int, Int) -> Bool) {
        let hasOwnReads = Side.allCases.contains { side in history.steps.contains { $0.isOwnRead(in: side) } }
        var tracker = LatencyTracker(history, hasReads: hasOwnReads)
        for step in history.steps { tracker.record(step, isSame) }
        self = tracker.latencies
    }
}

/// Follows each change on its way to the other side.
private struct LatencyTracker {
    private struct Origin {
        let time: Duration
        let side: Side
        let version: Int
    }

    /// A change that is on the other side.
    private struct Arrival {
        let written: Duration
        let visible: Duration
        let version: Int
        var notified: Duration?
        var isRead = false
    }

    private struct Place: Hashable {
        let document: Int
        let side: Side
    }

    private(set) var latencies = Latencies()
    /// Programs' own reads are known.
    private let hasReads: Bool
    private var holding: [BothSides<Int>]
    /// What each side has been changed to.
    private var past: [Place: Set<Int>] = [:]
    /// The changes on their way, by document.
    private var origins: [Int: Origin] = [:]
    private var arrivals: [Place: Arrival] = [:]
    /// What the program of a side has read since it showed something.
    private var unshown = BothSides<[(written: Duration, read: Duration)]>(app: [], group: [])

    init(_ history: History, hasReads: Bool) {
        self.hasReads = hasReads
        holding = history.start
    }

    mutating func record(_ step: Step, _ isSame: (_ document: Int, Int, Int) -> Bool) {
        if step.what == .shown { return recordShown(step) }
        guard let document = step.document, let version = step.version, let side = step.side else { return }
        switch step.what {
        case .changed: recordChange(step, Place(document: document, side: side), version, isSame)
        case .notified: recordNotice(step, Place(document: document, side: .group), version)
        case .read, .fetched: recordRead(step, Place(document: document, side: side), version)
        default: break
        }
    }

    private mutating func recordChange(
        _ step: Step,
        _ place: Place,
        _ version: Int,
        _ isSame: (_ document: Int, Int, Int) -> Bool
    ) {
        let (document, side) = (place.document, place.side)
        holding[document][side] = version
        past[place, default: []].insert(version)
        arrivals[place] = nil
        if let origin = origins[document], origin.side != side, isSame(document, origin.version, version) {
            latencies.visible.add(step.time - origin.time)
            origins[document] = nil
            arrivals[place] = Arrival(written: origin.time, visible: step.time, version: version)
        } else if let origin = origins[document], origin.side != side,
            past[Place(document: document, side: side.other), default: []].contains(version)
        {
            // The bridge brings what the program has replaced meanwhile.
        } else if !isSame(document, version, holding[document][side.other]) {
            // A document that changes again before it arrived has not arrived.
            origins[document] = Origin(time: step.time, side: side, version: version)
        }
    }

    private mutating func recordNotice(_ step: Step, _ place: Place, _ version: Int) {
        guard let one = arrivals[place], one.version == version, one.notified == nil else { return }
        latencies.notified.add(step.time - one.visible)
        arrivals[place]?.notified = step.time
    }

    private mutating func recordRead(_ step: Step, _ place: Place, _ version: Int) {
        let isOwn = step.isOwnRead(in: place.side)
        guard let one = arrivals[place], one.version == version, !one.isRead,
            hasReads ? isOwn : one.notified != nil && place.side == .group
        else { return }
        arrivals[place]?.isRead = true
        latencies.reader = hasReads ? .program : .lab
        if let notified = one.notified { latencies.read.add(step.time - notified) }
        latencies.whole.add(step.time - one.written)
        guard isOwn else { return }
        latencies.found.add(step.time - one.visible)
        unshown[place.side].append((one.written, step.time))
    }

    private mutating func recordShown(_ step: Step) {
        for side in Side.allCases where step.lane == ObservedHistory.Lane(side).rawValue {
            for one in unshown[side] {
                latencies.shown.add(step.time - one.read)
                latencies.seen.add(step.time - one.written)
            }
            unshown[side] = []
        }
    }
}

extension Step {
    /// A read of the program of that side, which it reported, or for which it passed a gate.
    fileprivate func isOwnRead(in side: Side) -> Bool {
        (what == .read || what == .fetched) && self.side == side
            && lane == ObservedHistory.Lane(side).rawValue
    }
}
