import Model

/// Judges the reads that programs told by what stood in their containers around that time.
struct ToldReadCheck {
    let history: History
    let evidence: Evidence

    struct Findings {
        var anomalies: [Anomaly] = []
        /// The kinds that some read leaves open: when it was made is not seen.
        var open: Set<AnomalyKind> = []
    }

    /// One content of a side, from its arrival until it is replaced.
    private struct Span {
        var version: Int
        var start: Duration
        var end: Duration?
        /// The steps that brought and replaced it; `nil`: it was there from the start, or is still there.
        var came: Int?
        var gone: Int?
    }

    /// What is known of one reader of a document before its next read.
    private struct Reader {
        /// The earliest time at which it can have made its last read, given those before.
        var earliest = Duration.zero
        /// The read from which that is known.
        var newest: Int?
        /// The steps since then at which it was seen to read, by its system calls.
        var fetched: [Int] = []

        mutating func note(_ time: Duration, by read: Int) {
            guard time > earliest || newest == nil else { return }
            (earliest, newest) = (max(time, earliest), read)
        }
    }

    /// The lab may see a change this much later than a program that tells of it.
    private static let blur = Duration.milliseconds(100)
    /// No program takes longer from reading a file to telling so, apart from what the lab keeps it waiting.
    private static let longestReading = Duration.seconds(1)
    /// Until it shows what is new, it may wait for a notice, and draw.
    private static let longestShowing = Duration.seconds(2)

    func findings() -> Findings {
        var findings = Findings()
        for side in Side.allCases where evidence.programs[side].tellsReads {
            for document in history.documents.indices { judge(document, side, &findings) }
            if let anomaly = shown(side) { findings.anomalies.append(anomaly) }
        }
        return findings
    }

    private func judge(_ document: Int, _ side: Side, _ findings: inout Findings) {
        let spans = spans(document, side)
        var reader = Reader()
        for (number, step) in history.steps.enumerated()
        where step.document == document && step.side == side
            && step.lane == ObservedHistory.Lane(side).rawValue
        {
            if step.what == .fetched { reader.fetched.append(number) }
            guard step.what == .read else { continue }
            judge(number, step, spans, &reader, &findings)
            reader.fetched = []
        }
    }

    private func spans(_ document: Int, _ side: Side) -> [Span] {
        var spans = [Span(version: history.start[document][side], start: .zero)]
        for (number, step) in history.steps.enumerated()
        where step.what == .changed && step.document == document && step.side == side {
            spans[spans.count - 1].end = step.time
            spans[spans.count - 1].gone = number
            spans.append(Span(version: step.version ?? History.absent, start: step.time, came: number))
        }
        return spans
    }

    private func judge(
        _ number: Int,
        _ step: Step,
        _ spans: [Span],
        _ reader: inout Reader,
        _ findings: inout Findings
    ) {
        let mine = spans.filter { $0.version == step.version && $0.start <= step.time + Self.blur }
        guard let span = mine.last else {
            // It was overwritten before the lab could see it here.
            findings.open.formUnion([.staleRead, .nonMonotonicRead])
            return
        }
        guard let first = mine.first(where: { $0.end.map { $0 > reader.earliest } ?? true }) else {
            findings.anomalies.append(anomaly(.nonMonotonicRead, number, span, after: reader.newest))
            return
        }
        if let seen = fetch(of: step, reader) {
            reader.note(history.steps[seen].time, by: number)
            return
        }
        reader.note(first.start, by: number)
        guard let end = span.end, end < step.time else { return }
        let time = ownTime(from: end, to: step)
        let newer = reader.fetched.last.flatMap { history.steps[$0].time > end ? $0 : nil }
        if newer != nil || time > Self.longestReading {
            findings.anomalies.append(anomaly(.staleRead, number, span, after: newer))
        } else if time > Self.blur {
            findings.open.insert(.staleRead)
        }
    }

    /// The read that it made of this content, as far as calls are seen: the last one, or one so short before
    /// that this was the next to be told.
    private func fetch(of step: Step, _ reader: Reader) -> Int? {
        guard let place = reader.fetched.lastIndex(where: { history.steps[$0].version == step.version })
        else {
            return nil
        }
        let next = reader.fetched.dropFirst(place + 1).first
        let isShort = next.map { ownTime(from: history.steps[$0].time, to: step) <= Self.longestReading }
        return isShort ?? true ? reader.fetched[place] : nil
    }

    /// The time that the program itself had.
    private func ownTime(from start: Duration, to step: Step) -> Duration {
        evidence.programs[step.side ?? .app].time.between(start, step.time)
    }

    /// It shows what it read before that was replaced. Which document it shows is known if it reads one only.
    private func shown(_ side: Side) -> Anomaly? {
        let lane = ObservedHistory.Lane(side).rawValue
        let mine = history.steps.indices.filter { history.steps[$0].lane == lane }
        let reads = mine.filter { history.steps[$0].what == .read }
        guard let first = reads.first, let document = history.steps[first].document,
            reads.allSatisfy({ history.steps[$0].document == document })
        else { return nil }
        let spans = spans(document, side)
        for number in mine where history.steps[number].what == .shown {
            guard let read = reads.last(where: { $0 < number }),
                let span = spans.last(where: {
                    $0.version == history.steps[read].version
                        && $0.start <= history.steps[read].time + Self.blur
                }), let end = span.end, let gone = span.gone, read < gone, gone < number
            else { continue }
            var step = history.steps[number]
            (step.side, step.document) = (side, document)
            guard ownTime(from: end, to: step) > Self.longestShowing else { continue }
            let age = Int((step.time - end) / .milliseconds(1))
            return anomaly(
                .staleRead,
                number,
                step,
                span,
                "\(history.lanes[lane].name) showed at step \(number) what it had read of "
                    + "\(history.documents[document]) at step \(read), which had been replaced at step \(gone), "
                    + "\(age) ms before."
            )
        }
        return nil
    }

    // MARK: What is told

    /// - Parameter other: the read that contradicts it, if one does.
    private func anomaly(_ kind: AnomalyKind, _ number: Int, _ span: Span, after other: Int?) -> Anomaly {
        let first = min(span.gone ?? number, other ?? number)
        let sentence = sentence(kind, number, span.gone ?? number, other)
        return anomaly(kind, number, history.steps[number], span, sentence, from: first)
    }

    private func anomaly(
        _ kind: AnomalyKind,
        _ number: Int,
        _ step: Step,
        _ span: Span,
        _ sentence: String,
        from first: Int? = nil
    ) -> Anomaly {
        let gone = span.gone ?? number
        var evidence = Anomaly.Evidence()
        evidence.versions = [span.version, history.steps[gone].version ?? History.absent]
        evidence.culprit = number
        evidence.culpritLane = step.lane
        evidence.age = span.end.map { step.time - $0 }
        return Anomaly(
            kind: kind,
            document: step.document ?? 0,
            side: step.side,
            lane: step.lane,
            steps: (first ?? gone)...number,
            evidence: evidence,
            sentence: sentence
        )
    }

    private func sentence(_ kind: AnomalyKind, _ number: Int, _ gone: Int, _ other: Int?) -> String {
        let step = history.steps[number]
        let (who, path) = (history.lanes[step.lane].name, history.documents[step.document ?? 0])
        let read =
            step.version == History.absent
            ? "found no \(path), which had been there since step \(gone)"
            : "read a content of \(path) that had been replaced at step \(gone)"
        let what = "\(who) told at step \(number) that it \(read)"
        let age = Int((step.time - history.steps[gone].time) / .milliseconds(1))
        switch (kind, other) {
        case (.nonMonotonicRead, let other?): return "\(what), and had told of a newer one at step \(other)."
        case (_, let other?): return "\(what), though it read a newer one at step \(other)."
        default: return "\(what), \(age) ms before."
        }
    }
}
