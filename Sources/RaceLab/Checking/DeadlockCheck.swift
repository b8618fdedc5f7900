import Model

/// Finds programs that wait for ever.
///
/// A program may wait for a notice that was sent before it was ready for it: that is for ever, too, but by
/// the order of this one run. It counts if deadlocks are all that is checked for.
struct DeadlockCheck {
    let history: History
    let isStrict: Bool

    func anomalies() -> [Anomaly] {
        guard let rest = history.rest, rest.unrest == nil else { return [] }
        return rest.waits.compactMap { wait in
            let isSent = isSent(wait)
            if wait.verb == .until, !isStrict { return nil }
            if wait.verb == .readOnNotice, isSent, !isStrict { return nil }
            return anomaly(wait, isSent)
        }
    }

    /// Whether there was a notice, or a subscriber got the new content at first, instead of one.
    private func isSent(_ wait: Rest.Wait) -> Bool {
        let start = history.start[wait.document].group
        return history.steps.contains { step in
            step.document == wait.document
                && (step.what == .notified || step.what == .subscribed && step.version != start)
        }
    }

    private func anomaly(_ wait: Rest.Wait, _ isSent: Bool) -> Anomaly {
        let last = max(0, history.steps.count - 1)
        let since = history.steps.lastIndex { $0.lane == wait.lane } ?? 0
        let who = history.lanes[wait.lane].name
        let document = history.documents[wait.document]
        let agents = history.lanes.filter { $0.kind == .agent }.map(\.label).joined(separator: " or ")
        let what =
            switch wait.verb {
            case .readOnNotice:
                "a notice of \(document) from \(agents), "
                    + (isSent ? "which has sent all that it will" : "which never sends one")
            case .until: "a field of \(document), which nobody sets any more"
            default: "the answer of \(agents) to its \(wait.verb.rawValue) of \(document)"
            }
        return Anomaly(
            kind: .deadlock,
            document: wait.document,
            side: nil,
            lane: wait.lane,
            steps: min(since, last)...last,
            evidence: Anomaly.Evidence(),
            sentence: "Everything is at rest, and \(who) waits for ever for \(what)."
        )
    }
}
