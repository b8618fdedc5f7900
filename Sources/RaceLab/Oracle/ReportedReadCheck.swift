import Model

/// Judges the reads that programs reported by what stood in their containers around that time.
struct ReportedReadCheck {
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
        /// The same, of the other container.
        var elsewhere: [Int] = []
        /// It was seen to read a part only since then.
        var hasPart = false

        mutating func record(_ time: Duration, by read: Int) {
            guard time > earliest || newest == nil else { return }
            (earliest, newest) = (max(time, earliest), read)
        }
    }

    /// The lab may see a change this much later than a program that reports it.
    private static let blur = Duration.milliseconds(100)
    /// No program takes longer from reading a file to reporting it, apart from what the lab keeps it waiting.
    private static let longestReading = Duration.seconds(1)
    /// Until it shows what is new, it may wait for a notice, and draw.
    private static let longestShowing = Duration.seconds(2)

    func findings() -> Findings {
        var findings = Findings()
        for side in Side.allCases {
            if evidence.programs[side].reportsReads {
                for document in history.documents.indices { judge(document, side, &findings) }
            }
            judgeShown(side, &findings)
        }
        return findings
    }

    private func judge(_ document: Int, _ side: Side, _ findings: inout Findings) {
        let spans = spans(document, side)
        var reader = Reader()
        for (number, step) in history.steps.enumerated()
        where step.document == document && step.lane == ObservedHistory.Lane(side).rawValue {
            if evidence.partialFetches.contains(number) {
                reader.hasPart = true
            } else if step.what == .fetched {
                if step.side == side {
                    reader.fetched.append(number)
                } else {
                    reader.elsewhere.append(number)
                }
            }
            guard step.what == .read, step.side == side else { continue }
            if !isElsewhere(step, reader) { judge(number, step, spans, &reader, &findings) }
            (reader.fetched, reader.elsewhere, reader.hasPart) = ([], [], false)
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
        // What comes here later, it may have read in the other container.
        if mine.contains(where: { $0.came ?? 0 > number }), isOnOtherSide(step, at: number) {
            findings.open.formUnion([.staleRead, .nonMonotonicRead])
            return
        }
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
            reader.record(history.steps[seen].time, by: number)
            return
        }
        reader.record(first.start, by: number)
        guard let end = span.end, end < step.time else { return }
        if reader.hasPart {
            findings.open.insert(.staleRead)
            return
        }
        let time = ownTime(from: end, to: step)
        let newer = reader.fetched.last.flatMap { history.steps[$0].time > end ? $0 : nil }
        if newer != nil || time > Self.longestReading {
            findings.anomalies.append(anomaly(.staleRead, number, span, after: newer))
        } else if step.time - end > Self.blur {
            findings.open.insert(.staleRead)
        }
    }

    /// Whether it read that in the other container: what that had before or after is another matter.
    private func isElsewhere(_ step: Step, _ reader: Reader) -> Bool {
        func last(_ fetched: [Int]) -> Int {
            fetched.last { history.steps[$0].version == step.version } ?? -1
        }
        return last(reader.elsewhere) > last(reader.fetched)
    }

    private func isOnOtherSide(_ step: Step, at number: Int) -> Bool {
        guard let document = step.document, let side = step.side else { return false }
        return history.start[document][side.other] == step.version
            || history.steps[..<number].contains {
                $0.what == .changed && $0.document == document && $0.side == side.other
                    && $0.version == step.version
            }
    }

    /// The read that it made of this content, as far as calls are seen: the last one, or one so short before
    /// that this was the next to be reported.
    private func fetch(of step: Step, _ reader: Reader) -> Int? {
        guard let index = reader.fetched.lastIndex(where: { history.steps[$0].version == step.version })
        else {
            return nil
        }
        let next = reader.fetched.dropFirst(index + 1).first
        let isShort = next.map { ownTime(from: history.steps[$0].time, to: step) <= Self.longestReading }
        return isShort ?? true ? reader.fetched[index] : nil
    }

    /// The time that the program itself had.
    private func ownTime(from start: Duration, to step: Step) -> Duration {
        evidence.programs[step.side ?? .app].time.between(start, step.time)
    }

    /// It shows what it read before that was replaced. Which document it shows is known if it reads one only.
    private func judgeShown(_ side: Side, _ findings: inout Findings) {
        let lane = ObservedHistory.Lane(side).rawValue
        let mine = history.steps.indices.filter { history.steps[$0].lane == lane }
        guard let last = mine.last(where: { history.steps[$0].what == .shown }) else { return }
        let isReported = evidence.programs[side].reportsReads
        let reads = mine.filter { number in
            let step = history.steps[number]
            return step.what == (isReported ? .read : .fetched) && step.side == side
        }
        // What it shows is of a read that is not seen.
        if !isReported, !evidence.seesAllCalls {
            findings.open.insert(.staleRead)
            return
        }
        let documents = Set(reads.compactMap { history.steps[$0].document })
        for document in documents.sorted() {
            let spans = spans(document, side)
            var ages = mine.filter { history.steps[$0].what == .shown }.compactMap { number in
                age(of: number, document, reads, spans).map { (number, $0) }
            }
            // What it showed last, it shows to its end.
            if let end = age(atEndOf: side, document, reads, spans) { ages.append((last, end)) }
            if documents.count == 1,
                let old = ages.first(where: { $0.1.isSure && $0.1.time > Self.longestShowing })
            {
                findings.anomalies.append(anomaly(old.0, document, side, old.1))
            } else if ages.contains(where: {
                $0.1.passed > ($0.0 == last ? Self.blur : Self.longestShowing)
            }) {
                findings.open.insert(.staleRead)
            }
        }
    }

    /// What it showed had been replaced for some time, and it had not read the document since.
    private struct Age {
        var read: Int
        var gone: Int
        var span: Span
        /// What the program had of the time.
        var time: Duration
        /// All of it: whether it waited for another program that the lab kept waiting is not seen.
        var passed: Duration
        /// `false`: it may have shown something newer, of which it had read a part.
        var isSure = true
    }

    private func age(of number: Int, _ document: Int, _ reads: [Int], _ spans: [Span]) -> Age? {
        age(at: history.steps[number].time, before: number, document, reads, spans)
    }

    /// When its program ended, or the observation.
    private func age(atEndOf side: Side, _ document: Int, _ reads: [Int], _ spans: [Span]) -> Age? {
        guard let end = evidence.programs[side].gone ?? history.steps.last?.time else { return nil }
        return age(at: end, before: history.steps.count, document, reads, spans)
    }

    /// The age of what it showed: of the newest content that this may be.
    private func age(
        at time: Duration,
        before number: Int,
        _ document: Int,
        _ reads: [Int],
        _ spans: [Span]
    ) -> Age? {
        let mine = reads.filter { $0 < number && history.steps[$0].document == document }
        let whole = mine.lastIndex { !evidence.partialFetches.contains($0) }
        // Who has read a part since shows that, or what it had read as a whole.
        let candidates = mine[(whole ?? max(0, mine.count - 1))...]
        let ages = candidates.compactMap { age(at: time, before: number, readAt: $0, spans) }
        var youngest = ages.min { $0.time < $1.time }
        youngest?.isSure = ages.count == candidates.count
        return youngest
    }

    private func age(at now: Duration, before number: Int, readAt read: Int, _ spans: [Span]) -> Age? {
        guard let side = history.steps[read].side,
            let span = spans.last(where: {
                $0.version == history.steps[read].version
                    && $0.start <= history.steps[read].time + Self.blur
            }), let end = span.end, let gone = span.gone, read < gone, gone < number, end < now
        else { return nil }
        let time = evidence.programs[side].time.between(end, now)
        let passed = now - end
        return Age(read: read, gone: gone, span: span, time: time, passed: passed)
    }

    private func anomaly(_ number: Int, _ document: Int, _ side: Side, _ age: Age) -> Anomaly {
        var step = history.steps[number]
        (step.side, step.document) = (side, document)
        let time = Int(age.passed / .milliseconds(1))
        let (who, path) = (history.lanes[step.lane].name, history.documents[document])
        let sentence =
            number > age.gone
            ? "\(who) showed at step \(number) what it had read of \(path) at step \(age.read), which had been "
                + "replaced at step \(age.gone), \(time) ms before."
            : "\(who) showed from step \(number) on what it had read of \(path) at step \(age.read), for \(time) ms "
                + "after that had been replaced at step \(age.gone)."
        return anomaly(
            .staleRead,
            max(number, age.gone),
            step,
            age.span,
            sentence,
            from: min(number, age.gone)
        )
    }

    // MARK: Findings

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
