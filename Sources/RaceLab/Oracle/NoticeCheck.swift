import Documents
import Model

/// Whether a notice that does not show of which content it is repeats an earlier one.
///
/// The lab reads such notices, and the document, only now and then: a content may have come and gone in
/// between, or a notice may be older than the content that the lab sees when it reads it. It is certain that
/// one is repeated where there are more notices than contents.
struct NoticeCheck {
    let history: History
    let evidence: Evidence

    /// Older ones could prove more, and would take long in a flood of notices.
    private static let mostSteps = 10_000

    func isRepeated(_ number: Int) -> Bool {
        let notice = history.steps[number]
        guard let document = notice.document else { return true }
        let end = evidence.guessed[number]?.upperBound ?? notice.time
        let missed = evidence.missed.filter {
            $0.document == document && $0.side == .group && $0.after <= end
        }
        let latest = missed.map(\.before).max()
        var (notices, changes) = (1, 0)
        for index in history.steps[..<number].indices.suffix(Self.mostSteps).reversed() {
            let step = history.steps[index]
            if isChange(step, of: document) { changes += 1 }
            guard step.document == document, step.side == .group else { continue }
            // A new subscriber knows the content, too.
            guard step.what == .notified && step.kind == notice.kind || step.what == .subscribed else {
                continue
            }
            let sent = evidence.guessed[index]?.lowerBound ?? step.time
            if let latest, latest >= sent { return false }
            let earlier = history.steps[..<index].reversed().prefix { $0.time >= sent }
            if changes + earlier.count(where: { isChange($0, of: document) }) < notices { return true }
            notices += 1
        }
        return false
    }

    private func isChange(_ step: Step, of document: Int) -> Bool {
        step.what == .changed && step.document == document && step.side == .group
    }
}
