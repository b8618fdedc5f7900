package import Model

/// Something wrong that a checker found in a history, with what shows it.
package struct Anomaly: Sendable, Hashable {
    package var kind: AnomalyKind
    /// The place in `History.documents`.
    package var document: Int
    package var side: Side?
    /// Who saw it or suffered from it.
    package var lane: Int
    /// The guilty stretch: from the step that made it possible to the one that shows it.
    package var steps: ClosedRange<Int>
    package var evidence: Evidence
    /// In plain words, a whole sentence.
    package var sentence: String

    package struct Evidence: Sendable, Hashable {
        /// The versions it is about: what was got, what should have been; of a torn read those that were
        /// mixed.
        package var versions: [Int] = []
        /// The edits that are missing.
        package var edits: [Int] = []
        /// The first byte that does not belong.
        package var offset: Int?
        /// The step that displaced what is missing, and whose it was.
        package var culprit: Int?
        package var culpritLane: Int?
        /// How old what was got is: in versions, and in time.
        package var ageInVersions: Int?
        package var age: Duration?
        /// How many there were: reloads, writes.
        package var count: Int?

        package init() {}
    }

    /// The same anomaly in another run, of a scenario that may have fewer actors.
    package func isLike(_ other: Anomaly) -> Bool { kind == other.kind && side == other.side }

    /// What somebody's own check says of a whole run.
    static func refused(_ sentence: String, _ history: History) -> Anomaly {
        Anomaly(
            kind: .ownCheck,
            document: 0,
            side: nil,
            lane: 0,
            steps: 0...max(0, history.steps.count - 1),
            evidence: Evidence(),
            sentence: sentence
        )
    }
}
