import Model

/// The latencies of changes: write -> visible -> notified -> read.
package struct Latencies: Sendable, Hashable {
    /// From the change on one side until the other has the same content.
    package var visible = Distribution()
    /// From there to the notice.
    package var notified = Distribution()
    /// From there until a reader that reads on a notice has it.
    package var read = Distribution()
    /// From the change to that read.
    package var whole = Distribution()

    package struct Distribution: Sendable, Hashable {
        /// In ascending order.
        package private(set) var samples: [Duration] = []

        package mutating func add(_ sample: Duration) {
            let place = samples.firstIndex { $0 > sample } ?? samples.count
            samples.insert(sample, at: place)
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
        var holding = history.start
        /// The changes in transit, by document: since when, and from which side.
        var origins: [Int: (time: Duration, side: Side, version: Int)] = [:]
        /// The changes that arrived in the group and await a notice, and those that await a read.
        var arrived: [Int: (written: Duration, visible: Duration, version: Int)] = [:]
        var told: [Int: (written: Duration, told: Duration, version: Int)] = [:]
        for step in history.steps {
            guard let document = step.document, let version = step.version else { continue }
            switch step.what {
            case .changed:
                guard let side = step.side else { continue }
                holding[document][side] = version
                if let origin = origins[document], origin.side != side,
                    isSame(document, origin.version, version)
                {
                    visible.add(step.time - origin.time)
                    origins[document] = nil
                    if side == .group { arrived[document] = (origin.time, step.time, version) }
                } else if !isSame(document, version, holding[document][side.other]) {
                    // A document that changes again before it arrived has not arrived.
                    origins[document] = (step.time, side, version)
                }
            case .told:
                guard let one = arrived[document], one.version == version else { continue }
                arrived[document] = nil
                notified.add(step.time - one.visible)
                told[document] = (one.written, step.time, version)
            case .read where step.side == .group:
                guard let one = told[document], one.version == version else { continue }
                told[document] = nil
                read.add(step.time - one.told)
                whole.add(step.time - one.written)
            default: break
            }
        }
    }
}
