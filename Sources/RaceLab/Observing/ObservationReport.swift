/// What came of watching two containers for a while.
package struct ObservationReport: Sendable {
    package var history: History
    package var judgement: Judgement
    package var latencies: Latencies
    package var duration: Duration
    /// How often documents changed, and how often anybody looked.
    package var changes: Int
    package var looks: Int
    /// Why less was seen than there was to see.
    package var noticed: [ObservationDoubt]
    /// Reloads of contents that were gone before anybody could look.
    package var unseenReloads: Int
    /// `nil`: nobody told of reloads.
    package var reloads: Int?

    /// In one line.
    package var summary: String {
        var text = "\(Int(duration / .milliseconds(1))) ms: \(counted(changes, "change", "changes"))"
        text += ", \(counted(looks, "look", "looks"))"
        if let reloads { text += ", \(counted(reloads, "reload", "reloads"))" }
        return text
    }

    package var verdict: RaceVerdict {
        if !judgement.anomalies.isEmpty { return .anomaly }
        return doubts.isEmpty ? .clean : .unknown
    }

    /// Why nothing found is no proof even of what was watched.
    package var doubts: [ObservationDoubt] {
        var doubts = noticed
        if changes == 0 { doubts.append(.nothingChanged) }
        if history.rest == nil { doubts.append(.neverAtRest) }
        return doubts
    }
}
