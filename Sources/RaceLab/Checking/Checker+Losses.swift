import Model

extension Checker {
    /// Finds acknowledged saves that no program knowingly overwrote, and that are nowhere.
    mutating func checkLosses() {
        guard let rest = history.rest else { return }
        var found = rest.kept
        for versions in rest.versions {
            for side in Side.allCases { found.formUnion(edits(versions[side])) }
        }
        for (edit, at) in acknowledged.sorted(by: { $0.key < $1.key })
        where !found.contains(edit) && superseded[edit] == nil && !isForgivable(at.step) {
            judgement.anomalies.append(loss(of: edit, saved: at.step, by: at.call, rest))
        }
    }

    private func loss(of edit: Int, saved: Int, by call: Int, _ rest: Rest) -> Anomaly {
        let culprit = displacement(of: edit)
        let victim = history.calls[call]
        var evidence = Anomaly.Evidence()
        evidence.edits = [edit]
        evidence.culprit = culprit
        evidence.culpritLane = culprit.map { history.steps[$0].lane }
        evidence.versions =
            culprit.flatMap { step in
                history.steps[step].before.flatMap { before in
                    history.steps[step].version.map { [before, $0] }
                }
            } ?? []
        let displacer = culprit.map { "\(name(history.steps[$0].lane)) displaced it at step \($0)" }
        let whereabouts = rest.trashed.contains(edit) ? "only in the trash" : "nowhere"
        return Anomaly(
            kind: .lostUpdate,
            document: victim.document ?? 0,
            side: victim.side,
            lane: victim.lane,
            steps: min(victim.first, culprit ?? saved)...max(saved, culprit ?? saved),
            evidence: evidence,
            sentence: "\(words(edit)) of \(path(victim.document ?? 0)) was saved at step \(saved) and is "
                + "\(whereabouts) at the end: \(displacer ?? "nobody is seen to have displaced it")."
        )
    }

    /// The step after which a location never has the edit again; of several locations, the first.
    private func displacement(of edit: Int) -> Int? {
        var last: [Int: Int] = [:]
        for (number, step) in history.steps.enumerated() where step.what == .changed {
            guard let document = step.document, let side = step.side else { continue }
            let place = place(document, side)
            let has = edits(step.version).contains(edit)
            if has { last[place] = nil } else if edits(step.before).contains(edit) { last[place] = number }
        }
        return last.values.min()
    }

    /// It was saved before a power cut, without a promise of durability.
    private func isForgivable(_ saved: Int) -> Bool {
        !history.isDurable && history.steps[saved...].contains { $0.what == .lostPower }
    }
}
