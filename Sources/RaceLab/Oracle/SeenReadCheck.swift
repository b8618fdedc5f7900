import Model

/// Judges what programs read by their system calls: a half-written content is torn for who reads it.
struct SeenReadCheck {
    let contents: WholeContents

    struct Findings {
        var anomalies: [Anomaly] = []
        var doubts: [ObservationDoubt] = []
    }

    /// What one process reads of a file between two openings.
    private struct Reader: Hashable {
        var process: RacedProcess
        var file: String
    }

    private var history: History { contents.attribution.history }
    private var evidence: Evidence { contents.attribution.evidence }

    func findings() -> Findings {
        var findings = Findings()
        for fetches in readings() where fetches.contains(where: isHalf) {
            let step = history.steps[fetches[0]]
            guard let document = step.document, let side = step.side,
                let change = history.steps[..<fetches[0]].lastIndex(where: {
                    $0.what == .changed && $0.document == document && $0.side == side
                })
            else { continue }
            let knowledge = ProcessKnowledge(history: history, evidence: evidence)
            let isTorn = evidence.writers[change].flatMap { write in
                evidence.fetches[fetches[0]].map { knowledge.isTorn($0, of: write) }
            }
            // Half of it may come from one content and half from the next.
            let isOne = fetches.count == 1 && contents.answer(step.version ?? 0, document) == .part
            switch isTorn {
            case .some(false?): break
            case .some(true?) where isOne: findings.anomalies.append(anomaly(fetches[0], document, change))
            default:
                findings.doubts.append(.unclearRead(history.documents[document], side, step: fetches[0]))
            }
        }
        return findings
    }

    /// The steps of each reading.
    private func readings() -> [[Int]] {
        let steps = Dictionary(uniqueKeysWithValues: evidence.fetches.map { ($0.value, $0.key) })
        var open: [Reader: Int] = [:]
        var readings: [[Int]] = []
        for (number, one) in evidence.calls.enumerated() where one.player != .bridge {
            // What a program tells of its reads is better.
            if evidence.programs[one.player == .app ? .app : .group].tellsReads { continue }
            let call = one.step.call
            for file in call.paths where call.kind == .open || call.kind == .openToWrite {
                open[Reader(process: one.process, file: file)] = nil
            }
            guard let step = steps[number], let file = call.source else { continue }
            let reader = Reader(process: one.process, file: file)
            if let place = open[reader] {
                readings[place].append(step)
            } else {
                open[reader] = readings.count
                readings.append([step])
            }
        }
        return readings
    }

    private func isHalf(_ fetch: Int) -> Bool {
        guard let version = history.steps[fetch].version, let document = history.steps[fetch].document,
            version != History.absent, !contents.attribution.values.isWhole(version)
        else { return false }
        return contents.answer(version, document) != .whole
    }

    private func anomaly(_ fetch: Int, _ document: Int, _ change: Int) -> Anomaly {
        let step = history.steps[fetch]
        var found = Anomaly.Evidence()
        found.versions = [step.version ?? History.absent]
        found.culprit = change
        let author = evidence.writers[change].map { ObservedHistory.Lane(evidence.calls[$0].player).rawValue }
        let lane = author ?? history.steps[change].lane
        found.culpritLane = lane
        let (reader, writer) = (history.lanes[step.lane], history.lanes[lane])
        return Anomaly(
            kind: .tornRead,
            document: document,
            side: step.side,
            lane: step.lane,
            steps: change...fetch,
            evidence: found,
            sentence: "A process of \(reader.name) read \(history.documents[document]) at step \(fetch) as "
                + "\(writer.name) had half written it at step \(change)."
        )
    }
}
