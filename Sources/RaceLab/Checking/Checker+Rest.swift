import Model

extension Checker {
    /// How often an agent may write the same content to a location again without an edit in between.
    private static var mostReturns: Int { 2 }

    mutating func checkRest() {
        checkPingPong()
        guard let rest = history.rest, rest.unrest == nil else { return }
        for difference in rest.differences {
            judgement.anomalies.append(divergence(difference, rest.versions[difference.document]))
        }
        for (number, call) in history.calls.enumerated()
        where call.name == .operation(.delete) && call.result == .done {
            if let anomaly = resurrection(number, call, rest) { judgement.anomalies.append(anomaly) }
        }
    }

    private func divergence(_ difference: Rest.Difference, _ versions: BothSides<Int>) -> Anomaly {
        let last = history.steps.lastIndex { $0.what == .changed && $0.document == difference.document }
        let end = max(0, history.steps.count - 1)
        var evidence = Anomaly.Evidence()
        evidence.versions = [versions.app, versions.group]
        evidence.culprit = last
        evidence.culpritLane = last.map { history.steps[$0].lane }
        return Anomaly(
            kind: .divergence,
            document: difference.document,
            side: nil,
            lane: last.map { history.steps[$0].lane } ?? 0,
            steps: (last ?? end)...end,
            evidence: evidence,
            sentence: "Everything is at rest, and the two sides of \(path(difference.document)) are not the "
                + "same: \(difference.reason.text). It was last changed at step \(last ?? 0)."
        )
    }

    /// The document exists again, without a save after its deletion or concurrent to it.
    private func resurrection(_ number: Int, _ call: Call, _ rest: Rest) -> Anomaly? {
        guard let document = call.document, !rest.held.contains(document),
            let deleted = history.steps.firstIndex(where: {
                $0.call == number && $0.what == .changed && $0.version == History.absent
            }), !isUndoneByPowerCut(deleted, of: document, in: history)
        else { return nil }
        let there = rest.versions[document]
        guard there.app != History.absent || there.group != History.absent else { return nil }
        let known = Set(edits(history.steps[deleted].before))
        let found = Set(edits(there.app) + edits(there.group))
        let isSavedSince = history.calls.contains {
            $0.document == document && ($0.edit ?? $0.intends) != nil && ($0.last ?? .max) > deleted
        }
        guard found.isSubset(of: known), !isSavedSince else { return nil }
        var evidence = Anomaly.Evidence()
        evidence.versions = [there.app, there.group]
        evidence.culprit = history.steps.indices.dropFirst(deleted + 1).first {
            history.steps[$0].what == .changed && history.steps[$0].document == document
                && history.steps[$0].before == History.absent
        }
        return Anomaly(
            kind: .resurrectedDeletion,
            document: document,
            side: call.side,
            lane: call.lane,
            steps: deleted...max(deleted, evidence.culprit ?? history.steps.count - 1),
            evidence: evidence,
            sentence: "\(name(call.lane)) deleted \(path(document)) at step \(deleted), nobody has saved it "
                + "since, and it is there again."
        )
    }

    private mutating func checkPingPong() {
        var written: [Int: [Int: [Int]]] = [:]
        for (number, step) in history.steps.enumerated() where step.what == .changed {
            guard let document = step.document, let side = step.side, let version = step.version else {
                continue
            }
            guard history.isAgent(step.lane) else {
                written = written.filter { $0.key / 2 != document }
                continue
            }
            let place = place(document, side)
            written[place, default: [:]][version, default: []].append(number)
            let steps = written[place]?[version] ?? []
            guard steps.count == Self.mostReturns + 1, let first = steps.first else { continue }
            var evidence = Anomaly.Evidence()
            evidence.versions = [version]
            evidence.count = steps.count
            judgement.anomalies.append(
                Anomaly(
                    kind: .pingPong,
                    document: document,
                    side: side,
                    lane: step.lane,
                    steps: first...number,
                    evidence: evidence,
                    sentence:
                        "\(name(step.lane)) wrote the same content of \(path(document)) to \(side.rawValue) "
                        + "\(steps.count) times, with no program at it in between."
                )
            )
        }
    }
}

/// No program syncs its deletions, and a bridge only as its durability says.
private func isUndoneByPowerCut(_ deleted: Int, of document: Int, in history: History) -> Bool {
    let after = history.steps[deleted...]
    guard let cut = after.firstIndex(where: { $0.what == .lostPower }) else { return false }
    return !history.isDurable
        || history.steps[cut...].contains {
            history.lanes[$0.lane].kind == .fate && $0.what == .changed && $0.document == document
                && $0.before == History.absent
        }
}
