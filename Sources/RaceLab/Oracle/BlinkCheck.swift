import Model

/// Finds documents that the bridge removed for a moment, because a program gave its own a new name before it
/// saved the next one: that was no deletion.
struct BlinkCheck {
    let history: History
    let evidence: Evidence

    /// A program that deletes a document leaves it away for longer, or reports the deletion.
    private static let moment = Duration.seconds(1)

    private struct Gap {
        /// The step that removed it, and the one that brought it back.
        var gone: Int
        var back: Int
    }

    func anomalies(_ document: Int, _ authors: [Int: ChangeAuthor]) -> [Anomaly] {
        Side.allCases.flatMap { side in
            let blinks = gaps(document, side.other).filter {
                authors[$0.gone] == .program && isBlink($0, side.other)
            }
            return gaps(document, side).filter { gap in
                authors[gap.gone] == .bridge && blinks.contains { $0.gone < gap.gone && gap.gone < $0.back }
            }
            .map { anomaly($0, document, side) }
        }
    }

    private func gaps(_ document: Int, _ side: Side) -> [Gap] {
        var gaps: [Gap] = []
        var gone: Int?
        for (number, step) in history.steps.enumerated()
        where step.what == .changed && step.document == document && step.side == side {
            if step.version == History.absent {
                gone = gone ?? number
            } else if let first = gone {
                gaps.append(Gap(gone: first, back: number))
                gone = nil
            }
        }
        return gaps
    }

    private func isBlink(_ gap: Gap, _ side: Side) -> Bool {
        if evidence.deleted.contains(gap.gone) { return false }
        if evidence.programs[side].reportsSaves { return !evidence.isReported(gap.gone) }
        return history.steps[gap.back].time - history.steps[gap.gone].time < Self.moment
    }

    private func anomaly(_ gap: Gap, _ document: Int, _ side: Side) -> Anomaly {
        var found = Anomaly.Evidence()
        found.versions = [history.steps[gap.gone].before ?? History.absent, History.absent]
        found.culprit = gap.gone
        found.culpritLane = history.steps[gap.gone].lane
        found.age = history.steps[gap.back].time - history.steps[gap.gone].time
        let path = history.documents[document]
        return Anomaly(
            kind: .nonMonotonicRead,
            document: document,
            side: side,
            lane: ObservedHistory.Lane.reader.rawValue,
            steps: gap.gone...gap.back,
            evidence: found,
            sentence:
                "A reader in \(side.rawValue) found no \(path) from step \(gap.gone) to step \(gap.back): the "
                + "program in \(side.other.rawValue) had not deleted it, but was saving it under another name."
        )
    }
}
