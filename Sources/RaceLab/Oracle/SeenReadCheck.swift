import Model

/// Judges what programs read by their system calls: a half-written content is torn for who reads it.
struct SeenReadCheck {
    private(set) var contents: WholeContents

    struct Findings {
        var anomalies: [Anomaly] = []
        var doubts: [ObservationDoubt] = []
    }

    /// What one process reads of a file between two openings.
    private struct Reader: Hashable {
        var process: RacedProcess
        var file: String
    }

    /// One call of a reading.
    private struct Part {
        var call: Int
        /// The step that shows what was there then.
        var step: Int
        var version: Int
    }

    private var history: History { contents.attribution.history }
    private var evidence: Evidence { contents.attribution.evidence }

    mutating func findings() -> Findings {
        var findings = Findings()
        var judged: Set<Int> = []
        for parts in readings() {
            guard let isTorn = isTorn(parts), judged.insert(parts[0].step).inserted,
                let last = isTorn.part(of: parts)
            else { continue }
            let step = history.steps[last.step]
            guard let document = step.document, let side = step.side,
                let change = history.steps[..<last.step].lastIndex(where: {
                    $0.what == .changed && $0.document == document && $0.side == side
                })
            else { continue }
            let knowledge = ProcessKnowledge(history: history, evidence: evidence)
            let isOfOther = evidence.writers[change].flatMap { knowledge.isTorn(last.call, of: $0) }
            let path = history.documents[document]
            switch (isOfOther, isTorn) {
            case (false?, _): break
            case (true?, .half): findings.anomalies.append(anomaly(last, document, change))
            case (true?, .mixed): findings.anomalies.append(anomaly(last, document, change, isMixed: true))
            case (nil, .half), (_, .unclear(isHalf: true)):
                findings.doubts.append(.unclearRead(path, side, step: last.step))
            case (nil, .mixed), (_, .unclear(isHalf: false)):
                findings.doubts.append(.readInParts(path, side, step: last.step))
            }
        }
        return findings
    }

    private enum Tear {
        /// It was one content, which was a part of a write.
        case half(version: Int)
        /// It began with one content and ended with another.
        case mixed
        case unclear(isHalf: Bool)

        /// The one that shows it.
        func part(of parts: [Part]) -> Part? {
            switch self {
            case .half(let version): parts.first { $0.version == version }
            case .unclear(isHalf: true): parts.first
            case .mixed, .unclear(isHalf: false): parts.last
            }
        }
    }

    /// `nil` if what was read was a whole content.
    private mutating func isTorn(_ parts: [Part]) -> Tear? {
        guard let document = history.steps[parts[0].step].document else { return nil }
        let versions = Set(parts.map(\.version))
        if versions.count == 1 { return tear(parts[0].version, document) }
        guard let bytes = bytes(of: parts) else {
            return .unclear(isHalf: versions.contains { isHalf($0, document) })
        }
        guard let same = versions.sorted().first(where: { history.versions[$0].bytes == bytes }) else {
            return .mixed
        }
        return tear(same, document)
    }

    private mutating func tear(_ version: Int, _ document: Int) -> Tear? {
        guard isHalf(version, document) else { return nil }
        return contents.answer(version, document) == .part ? .half(version: version) : .unclear(isHalf: true)
    }

    /// What a program has that reads on where it was; `nil` if that is not seen.
    private func bytes(of parts: [Part]) -> [UInt8]? {
        var bytes: [UInt8] = []
        for (index, part) in parts.enumerated() {
            let content = history.versions[part.version].bytes
            guard evidence.calls[part.call].step.call.offset == bytes.count else { return nil }
            var end = max(content.count, bytes.count)
            if index + 1 < parts.count {
                guard let next = evidence.calls[parts[index + 1].call].step.call.offset,
                    (bytes.count...end).contains(next)
                else { return nil }
                end = next
            }
            bytes += content[min(bytes.count, content.count)..<min(end, content.count)]
        }
        return bytes
    }

    /// The calls of each reading.
    private func readings() -> [[Part]] {
        // One call may read a file with several names.
        let steps = Dictionary(evidence.fetches.map { ($0.value, $0.key) }, uniquingKeysWith: min)
        var open: [Reader: Int] = [:]
        var latest: [Reader: Int] = [:]
        var readings: [[Part]] = []
        for (number, one) in evidence.calls.enumerated() where one.player != .bridge {
            // What a program reports of its reads is better.
            if evidence.programs[one.player == .app ? .app : .group].reportsReads { continue }
            let call = one.step.call
            for file in call.paths where call.kind == .open || call.kind == .openToWrite {
                open[Reader(process: one.process, file: file)] = nil
            }
            guard let file = call.source else { continue }
            let reader = Reader(process: one.process, file: file)
            // A call that found what the one before it had found has no step of its own.
            guard let step = steps[number] ?? latest[reader], let version = history.steps[step].version,
                version != History.absent
            else { continue }
            latest[reader] = step
            let part = Part(call: number, step: step, version: version)
            if let index = open[reader] {
                readings[index].append(part)
            } else {
                open[reader] = readings.count
                readings.append([part])
            }
        }
        return readings
    }

    private mutating func isHalf(_ version: Int, _ document: Int) -> Bool {
        let answer = contents.answer(version, document)
        return !contents.attribution.values.isWhole(version) && answer != .whole && answer != .invented
    }

    private func anomaly(_ part: Part, _ document: Int, _ change: Int, isMixed: Bool = false) -> Anomaly {
        let fetch = part.step
        let step = history.steps[fetch]
        var found = Anomaly.Evidence()
        if !isMixed { found.versions = [step.version ?? History.absent] }
        found.culprit = change
        let author = evidence.writers[change].map { ObservedHistory.Lane(evidence.calls[$0].player).rawValue }
        let lane = author ?? history.steps[change].lane
        found.culpritLane = lane
        let (reader, writer) = (history.lanes[step.lane].name, history.lanes[lane].name)
        let (who, path) = ("A process of \(reader)", history.documents[document])
        return Anomaly(
            kind: .tornRead,
            document: document,
            side: step.side,
            lane: step.lane,
            steps: change...fetch,
            evidence: found,
            sentence: isMixed
                ? "\(who) read \(path) until step \(fetch), partly as it was before and partly as \(writer) had "
                    + "written it in place at step \(change)."
                : "\(who) read \(path) at step \(fetch) as \(writer) had half written it at step \(change)."
        )
    }
}
