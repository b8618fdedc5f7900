import RaceLab

/// What an observation could not check, in words.
enum UncheckedWords {
    /// The reloads and saves whose content was overwritten before the lab could read it.
    static func unseen(in observation: ObservationReport) -> [String] {
        var words: [String] = []
        if observation.unseenReloads > 0 {
            let what = "of content that was overwritten before it could be read; these are not checked"
            let reloads = observation.unseenReloads == 1 ? "reload" : "reloads"
            words.append("\(observation.unseenReloads) \(reloads) \(what)")
        }
        if observation.unseenSaves > 0 {
            let what = "told and overwritten before they could be read; these are not checked"
            let saves = observation.unseenSaves == 1 ? "save" : "saves"
            words.append("\(observation.unseenSaves) \(saves) \(what)")
        }
        return words
    }

    /// The kinds of anomalies that were not judged, together for each reason.
    static func skipped(in observation: ObservationReport) -> [String] {
        let skipped = observation.skipped.sorted { $0.key < $1.key }
        return byReason(skipped.map { ($0.key, $0.value) }).map { "\($1): \($0.text)" }
    }

    /// The kinds that have a reason in common, in the order of their first kind.
    static func byReason<Reason: Equatable>(
        _ all: [(kind: AnomalyKind, reason: Reason)]
    ) -> [(reason: Reason, kinds: String)] {
        var reasons: [Reason] = []
        for (_, reason) in all where !reasons.contains(reason) { reasons.append(reason) }
        return reasons.map { common in
            let kinds = all.filter { $0.reason == common }.map(\.kind.rawValue)
            return (common, kinds.joined(separator: ", "))
        }
    }
}
