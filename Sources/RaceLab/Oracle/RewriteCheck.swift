import Model

/// Finds documents that the bridge saves again and again as they are, while no program is at them.
struct RewriteCheck {
    let history: History
    let evidence: Evidence
    let authors: [Int: ChangeAuthor]

    struct Findings {
        var anomalies: [Anomaly] = []
        /// Somebody did that until the end, and who it was is not seen.
        var isUnclear = false
    }

    /// A bridge may restart, and publish once more what it is not sure of.
    private static let mostRewrites = 2

    /// The steps by which the bridge did so.
    var ofBridge: [Int] {
        history.steps.indices.filter { history.steps[$0].what == .rewritten && author($0) == .bridge }
    }

    /// Who saved a document as it was, at that step.
    private func author(_ number: Int) -> ChangeAuthor {
        if let call = evidence.rewriters[number] {
            return evidence.calls[call].player == .bridge ? .bridge : .program
        }
        guard let side = history.steps[number].side else { return .unknown }
        let isOver = evidence.programs[side].isOver(at: history.steps[number].time)
        return isOver || evidence.waiting.contains(number) ? .bridge : .unknown
    }

    func findings(_ document: Int) -> Findings {
        var findings = Findings()
        var mine = BothSides<[Int]>(app: [], group: [])
        var unknown = BothSides(app: 0, group: 0)
        func finish() {
            for side in Side.allCases where mine[side].count > Self.mostRewrites {
                findings.anomalies.append(anomaly(mine[side], document, side))
            }
            mine = BothSides(app: [], group: [])
        }
        for (number, step) in history.steps.enumerated() where step.document == document {
            guard let side = step.side else { continue }
            switch (step.what, step.what == .rewritten ? author(number) : authors[number]) {
            case (.rewritten, .bridge): mine[side].append(number)
            case (.rewritten, let author):
                finish()
                if author == .unknown { unknown[side] += 1 }
            case (.changed, _):
                finish()
                unknown = BothSides(app: 0, group: 0)
            default: break
            }
        }
        finish()
        findings.isUnclear =
            history.rest == nil && Side.allCases.contains { unknown[$0] > Self.mostRewrites }
        return findings
    }

    private func anomaly(_ steps: [Int], _ document: Int, _ side: Side) -> Anomaly {
        let shown = steps[Self.mostRewrites]
        var found = Anomaly.Evidence()
        found.versions = [history.steps[shown].version ?? History.absent]
        found.count = steps.count
        found.culprit = shown
        found.culpritLane = ObservedHistory.Lane.bridge.rawValue
        let bridge = history.lanes[ObservedHistory.Lane.bridge.rawValue].name
        return Anomaly(
            kind: .pingPong,
            document: document,
            side: side,
            lane: ObservedHistory.Lane.bridge.rawValue,
            steps: steps[0]...shown,
            evidence: found,
            sentence: "\(bridge) saved \(history.documents[document]) in \(side.rawValue) "
                + "\(steps.count) times with the content that it had, with no program at it in between."
        )
    }
}
