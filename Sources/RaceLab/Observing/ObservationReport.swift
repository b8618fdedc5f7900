import Model

/// The result of observing two containers for a while.
package struct ObservationReport: Sendable {
    package var history: History
    package var judgement: Judgement
    package var latencies: Latencies
    package var duration: Duration
    /// The number of changes of documents, and of the observer's reads.
    package var changes: Int
    package var looks: Int
    package var reads = LabReads.silent
    /// Why the lab's reads raise events, if they do.
    package var whyHearable: HearableReason?
    /// Why events may have been missed.
    package var noticed: [ObservationDoubt]
    /// Reloads of contents that were overwritten before they could be read.
    package var unseenReloads: Int
    /// `nil` if nothing reported reloads.
    package var reloads: Int?
    /// Saves that a program reported and overwrote before they could be read.
    package var unseenSaves = 0
    /// The kinds of anomalies that were not judged.
    package var skipped: [AnomalyKind: SkipReason] = [:]
    /// The steps of changes that passed no gate, though the system calls of the programs do.
    package var ungated: [Int] = []
    /// The lanes of the steps that processes made beside others of their program.
    var lanes: [Int: RaceLane] = [:]
    package var own = OwnChecks.Results()
    /// The names of the bridge's conflict copies at the end, of the losers of conflicts; `nil` if nobody
    /// looked.
    package var copies: [String]?

    /// The copies with their number; `nil` if there is none.
    package var copiesText: String? {
        guard let copies, !copies.isEmpty else { return nil }
        let names = copies.prefix(Self.mostCopies).joined(separator: ", ")
        let more = copies.count > Self.mostCopies ? " and \(copies.count - Self.mostCopies) more" : ""
        return
            "\(counted(copies.count, "conflict copy", "conflict copies")) kept by the bridge: \(names)\(more)"
    }

    private static let mostCopies = 10

    /// In one line.
    package var summary: String {
        var text = "\(Int(duration / .milliseconds(1))) ms: \(counted(changes, "change", "changes"))"
        text += ", \(counted(looks, "look", "looks"))"
        if let reloads { text += ", \(counted(reloads, "reload", "reloads"))" }
        return text
    }

    /// Why a check of the user's has no result, if it has none.
    var uncheckedReason: ObservationDoubt? {
        let trouble = noticed.first { if case .check = $0 { true } else { false } }
        if let trouble { return trouble }
        if own.checks.check != nil, !own.isChecked { return .neverAtRest }
        return own.checks.always != nil && own.runs == 0 ? .nothingChanged : nil
    }

    /// What changed past the gates.
    var ungatedEscape: GateEscape? {
        guard let number = ungated.first, let document = history.steps[number].document,
            let side = history.steps[number].side, !noticed.contains(.tooMuchToSee)
        else { return nil }
        return .ungated(
            Location(side, history.documents[document]),
            step: number,
            count: ungated.count
        )
    }

    package var verdict: RaceVerdict {
        if !judgement.anomalies.isEmpty { return mayBeCausedByLab ? .unknown : .anomaly }
        return doubts.isEmpty ? .clean : .unknown
    }

    /// A bridge that hears of a read takes the next save for one made with sight of what was read, and drops
    /// what that save does not contain.
    private var mayBeCausedByLab: Bool {
        reads.isHeard && judgement.anomalies.allSatisfy { $0.kind == .lostUpdate }
    }

    /// A program may have lost what another one of its side had saved.
    var isLossOpen: Bool { skipped[.lostUpdate]?.leavesVerdictOpen ?? false }

    /// Why finding no anomaly does not even prove that the observed run had none.
    package var doubts: [ObservationDoubt] {
        var doubts: [ObservationDoubt] = []
        for doubt in noticed where !doubts.contains(doubt) { doubts.append(doubt) }
        if case .heard(let programs) = reads { doubts.append(.readsHeard(by: programs)) }
        if changes == 0 { doubts.append(.nothingChanged) }
        if history.rest == nil { doubts.append(.neverAtRest) }
        if isLossOpen { doubts.append(.lossUnjudged) }
        return doubts
    }
}
