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
        var reasons: [SkipReason] = []
        for (_, reason) in observation.skipped.sorted(by: { $0.key < $1.key })
        where !reasons.contains(reason) { reasons.append(reason) }
        return reasons.map { reason in
            let kinds = observation.skipped.filter { $0.value == reason }.keys.sorted().map(\.rawValue)
            return "\(kinds.joined(separator: ", ")): \(reason.text)"
        }
    }
}
