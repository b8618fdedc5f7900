extension AnomalyKind {
    /// Causes before their consequences: of several anomalies of one schedule, the first one here explains
    /// the others, and is the one to draw.
    ///
    /// A torn content or one that is taken back may be carried on, and then a save is lost to it. What is
    /// lost or comes back makes the sides differ, and the sides that differ make readers see old states.
    /// Wrong notices follow from wrong contents, too many notices from too many writes, and a missed one
    /// leaves a program waiting. A custom check may fail for any of these reasons.
    package static let causesFirst: [AnomalyKind] = [
        .tornRead, .dirtyRead, .lostUpdate, .resurrectedDeletion, .divergence, .pingPong, .overtakenRead,
        .nonMonotonicRead, .staleRead, .prematureReload, .outOfOrderReload, .duplicateReload, .reloadStorm,
        .missedReload, .frozenWidget, .staleAsFresh, .lostTap, .deadlock, .ownCheck,
    ]

    /// Its index in that order.
    package var causalRank: Int { Self.causesFirst.firstIndex(of: self) ?? Self.causesFirst.count }
}

extension [Anomaly] {
    /// Causes first; those of one kind stay in the order of the steps that show them.
    package var causesFirst: [Anomaly] {
        let ranked = enumerated().map {
            (rank: $0.element.kind.causalRank, index: $0.offset, anomaly: $0.element)
        }
        return ranked.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map(\.anomaly)
    }
}
