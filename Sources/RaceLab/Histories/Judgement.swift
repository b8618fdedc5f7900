/// What all checkers together say of one history.
package struct Judgement: Sendable, Hashable {
    /// In the order of the step that shows them.
    package var anomalies: [Anomaly] = []
    /// Reads between an exchange and the merge that brought back what it had displaced, and how long that
    /// took: no anomaly, but worth knowing.
    package var overtakenReads = 0
    package var longestOvertaking = Duration.zero
    package var reads = 0
    package var writes = 0
    package var reloads = 0

    package init() {}

    package var kinds: Set<AnomalyKind> { Set(anomalies.map(\.kind)) }
}
