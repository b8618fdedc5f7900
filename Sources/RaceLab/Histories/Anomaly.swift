package import Model

/// A fault that a checker found in a history, with the evidence.
package struct Anomaly: Sendable, Hashable {
    package var kind: AnomalyKind
    /// The index in `History.documents`.
    package var document: Int
    package var side: Side?
    /// The actor that saw it or was affected.
    package var lane: Int
    /// From the step that made it possible to the one that shows it.
    package var steps: ClosedRange<Int>
    package var evidence: Evidence
    /// A full sentence.
    package var sentence: String

    package struct Evidence: Sendable, Hashable {
        /// The versions that it concerns: the one that was read, and the expected one; for a torn read, the
        /// mixed ones.
        package var versions: [Int] = []
        /// The missing edits.
        package var edits: [Int] = []
        /// The offset of the first wrong byte.
        package var offset: Int?
        /// The step that displaced the missing edit, and its author.
        package var culprit: Int?
        package var culpritLane: Int?
        /// The age of the version that was read, in versions and in time.
        package var ageInVersions: Int?
        package var age: Duration?
        /// The number of reloads or writes.
        package var count: Int?

        package init() {}
    }

    /// The same anomaly in another run, whose scenario may have fewer actors.
    package func isLike(_ other: Anomaly) -> Bool { kind == other.kind && side == other.side }

    /// The result of a custom check of a whole run.
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
