import Model

/// Whether a program that does not report what it shows may show a content that was replaced after it had
/// read it.
struct UnshownCheck {
    let history: History
    let evidence: Evidence
    let authors: [Int: ChangeAuthor]

    /// The lab may see a change this much later than a program that reads it.
    private static let blur = Duration.milliseconds(100)
    /// Until it shows what is new, it may wait for a notice, and draw.
    private static let longestShowing = Duration.seconds(2)

    var isOpen: Bool {
        Side.allCases.contains { side in
            let lane = ObservedHistory.Lane(side).rawValue
            return evidence.programs[side].isThere != false
                && !history.steps.contains { $0.what == .shown && $0.lane == lane }
                && history.documents.indices.contains { mayShowOld($0, side) }
        }
    }

    private func mayShowOld(_ document: Int, _ side: Side) -> Bool {
        let program = evidence.programs[side]
        let lane = ObservedHistory.Lane(side).rawValue
        let end = program.gone ?? history.steps.last?.time ?? .zero
        let isSeen = evidence.seesAllCalls || program.reportsReads
        var hasRead = !isSeen
        /// When what it has read was replaced.
        var replaced: Duration?
        for (number, step) in history.steps.enumerated()
        where step.document == document && step.side == side {
            switch step.what {
            case .changed where authors[number] == .program: replaced = nil
            case .changed where hasRead && step.before != History.absent:
                if !isSeen, end - step.time > Self.blur { return true }
                replaced = replaced ?? step.time
            case .read where step.lane == lane, .fetched where step.lane == lane:
                if let replaced, step.time - replaced > Self.longestShowing { return true }
                (hasRead, replaced) = (true, nil)
            default: break
            }
        }
        return replaced.map { end - $0 > Self.blur } ?? false
    }
}
