import Model

/// Checks a history that was observed from outside: with the same checkers, as far as they do not need to
/// know the writers, and by comparing the contents of the two sides.
///
/// - Parameters:
///   - bridgeTime: what counts of the time.
///   - patience: how long a change may take to reach the other side.
///   - isSame: whether two versions of a document are equal by value.
func judgeSightings(
    _ history: History,
    _ bridgeTime: OwnTime,
    patience: Duration,
    isSame: @escaping (_ document: Int, Int, Int) -> Bool
) -> Judgement {
    // Subscribers get no notice of a change that keeps the value.
    var judgement = judge(history) { isSame($0, $1, $2) ? [] : [""] }
    let check = SightingCheck(history: history, bridgeTime: bridgeTime, patience: patience, isSame: isSame)
    judgement.anomalies += check.anomalies()
    judgement.anomalies.sort { ($0.steps.upperBound, $0.kind) < ($1.steps.upperBound, $1.kind) }
    judgement.writes = history.steps.count { $0.what == .changed }
    return judgement
}

private struct SightingCheck {
    let history: History
    let bridgeTime: OwnTime
    let patience: Duration
    let isSame: (_ document: Int, Int, Int) -> Bool

    /// The content of a side from a certain time on.
    private struct Holding {
        var time: Duration
        var version: Int
        /// `nil`: from the start.
        var step: Int?
    }

    private var end: Duration { history.steps.last?.time ?? .zero }

    func anomalies() -> [Anomaly] {
        history.documents.indices.flatMap { document in
            let lines = BothSides { line(document, $0) }
            return Side.allCases.flatMap { side in
                overdue(document, side, lines) + returns(document, side, lines)
            }
        }
    }

    private func line(_ document: Int, _ side: Side) -> [Holding] {
        var line = [Holding(time: .zero, version: history.start[document][side], step: nil)]
        for (number, step) in history.steps.enumerated()
        where step.what == .changed && step.document == document && step.side == side {
            line.append(Holding(time: step.time, version: step.version ?? History.absent, step: number))
        }
        return line
    }

    // MARK: Stale data

    /// Changes of one side that the other did not get in time.
    private func overdue(_ document: Int, _ side: Side, _ lines: BothSides<[Holding]>) -> [Anomaly] {
        let (mine, theirs) = (lines[side], lines[side.other])
        return mine.indices.dropFirst().compactMap { index in
            let change = mine[index]
            let next = index + 1 < mine.count ? mine[index + 1].time : nil
            guard let step = change.step, bridgeTime.between(change.time, next ?? end) > patience,
                history.versions[change.version].isReadable
            else { return nil }
            guard let old = theirs.last(where: { $0.time <= change.time }),
                !isSame(document, change.version, old.version)
            else { return nil }
            let answer = theirs.first { $0.time > change.time }
            if let answer, bridgeTime.between(change.time, answer.time) <= patience { return nil }
            // A change that never arrives is a divergence.
            guard let until = [answer?.time, next].compactMap(\.self).min() else { return nil }
            let known = mine[..<index].lastIndex { isSame(document, $0.version, old.version) }
            return stale(document, side.other, change, step, old, until, age: known.map { index - $0 } ?? 1)
        }
    }

    private func stale(
        _ document: Int,
        _ side: Side,
        _ change: Holding,
        _ step: Int,
        _ old: Holding,
        _ until: Duration,
        age: Int
    ) -> Anomaly {
        var evidence = Anomaly.Evidence()
        evidence.versions = [old.version, change.version]
        evidence.age = bridgeTime.between(change.time, until)
        evidence.ageInVersions = age
        evidence.culprit = step
        let last = history.steps.lastIndex { $0.time <= until } ?? step
        return anomaly(
            .staleRead,
            document,
            side,
            step...max(step, last),
            evidence,
            "A reader in \(side.rawValue) got an old \(history.documents[document]) for "
                + "\(Int(bridgeTime.between(change.time, until) / .milliseconds(1))) ms after step \(step), which changed it in "
                + "\(side.other.rawValue)."
        )
    }

    // MARK: Reverted data

    /// A side returns to an earlier content, or lacks the document for a while, and the other side does not
    /// explain it.
    private func returns(_ document: Int, _ side: Side, _ lines: BothSides<[Holding]>) -> [Anomaly] {
        let mine = lines[side]
        return mine.indices.dropFirst().compactMap { index in
            let now = mine[index]
            let isGone = now.version == History.absent
            guard let step = now.step, history.versions[now.version].isReadable || isGone else { return nil }
            let since: Int
            if isGone {
                // A document that stays away was deleted.
                guard index + 1 < mine.count else { return nil }
                since = index
            } else {
                guard let before = mine[..<index].lastIndex(where: { $0.version == now.version }) else {
                    return nil
                }
                // The document was missing or half written in between, which is reported already.
                let between = mine[(before + 1)..<index]
                let isReported = between.allSatisfy {
                    $0.version == History.absent || !history.versions[$0.version].isReadable
                }
                if isReported { return nil }
                since = before + 1
            }
            let until = index + 1 < mine.count ? mine[index + 1].time : end
            let theirs = lines[side.other]
            let first = theirs.lastIndex { $0.time <= mine[since].time } ?? 0
            let isExplained = theirs[first...].contains {
                $0.time <= until && isSame(document, $0.version, now.version)
            }
            if isExplained || isGone && isLate(document, now, mine[index - 1], theirs) { return nil }
            return back(document, side, now, step, mine[index - 1], isGone, until)
        }
    }

    /// Whether the other side was without the document since it had what this one had before: a deletion may
    /// come when the next content is already there.
    private func isLate(_ document: Int, _ now: Holding, _ before: Holding, _ theirs: [Holding]) -> Bool {
        let source = theirs.lastIndex {
            $0.time <= before.time && isSame(document, $0.version, before.version)
        }
        return source.map { theirs[$0...].contains { $0.version == History.absent && $0.time <= now.time } }
            ?? false
    }

    private func back(
        _ document: Int,
        _ side: Side,
        _ now: Holding,
        _ step: Int,
        _ before: Holding,
        _ isGone: Bool,
        _ until: Duration
    ) -> Anomaly {
        var evidence = Anomaly.Evidence()
        evidence.versions = [before.version, now.version]
        evidence.culprit = step
        evidence.age = until - now.time
        let what = isGone ? "no" : "an older"
        return anomaly(
            .nonMonotonicRead,
            document,
            side,
            (before.step ?? step)...step,
            evidence,
            "A reader in \(side.rawValue) found \(what) \(history.documents[document]) at step \(step), for "
                + "\(Int((until - now.time) / .milliseconds(1))) ms, and \(side.other.rawValue) had not gone back."
        )
    }

    private func anomaly(
        _ kind: AnomalyKind,
        _ document: Int,
        _ side: Side,
        _ steps: ClosedRange<Int>,
        _ evidence: Anomaly.Evidence,
        _ sentence: String
    ) -> Anomaly {
        Anomaly(
            kind: kind,
            document: document,
            side: side,
            lane: ObservedHistory.Lane.reader.rawValue,
            steps: steps,
            evidence: evidence,
            sentence: sentence
        )
    }
}
