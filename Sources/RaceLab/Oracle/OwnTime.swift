/// The time that a bridge or a program had: what passed, without what the lab kept it waiting.
package struct OwnTime: Sendable, Hashable {
    private struct Wait: Hashable {
        var time: Duration
        /// How long it had waited in all by then.
        var total: Duration
    }

    /// Both ascend.
    private var waits: [Wait] = []

    package init() {}

    /// - Parameter total: how long it had waited by then.
    package mutating func waited(_ total: Duration, by time: Duration) {
        if total > waited(by: time) { waits.append(Wait(time: time, total: total)) }
    }

    package func between(_ start: Duration, _ end: Duration) -> Duration {
        max(.zero, end - start - (waited(by: end) - waited(by: start)))
    }

    private func waited(by time: Duration) -> Duration { waits.last { $0.time <= time }?.total ?? .zero }
}
