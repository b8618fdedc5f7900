/// The result of all checkers for one history.
package struct Judgement: Sendable, Hashable {
    /// In the order of the steps that show them.
    package var anomalies: [Anomaly] = []
    /// The reads between an exchange and the merge that brought the displaced save back, and the longest such
    /// time: not an anomaly, but reported.
    package var overtakenReads = 0
    package var longestOvertaking = Duration.zero
    package var reads = 0
    package var writes = 0
    package var reloads = 0

    package init() {}

    package var kinds: Set<AnomalyKind> { Set(anomalies.map(\.kind)) }
}
