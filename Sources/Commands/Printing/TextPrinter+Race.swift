import RaceLab

extension TextPrinter {
    private static var page: Int { 40 }

    /// The extent of the exploration, its findings, a drawing of the first one, and how to reproduce it.
    func text(_ exploration: Exploration) -> String {
        let report = exploration.report
        var lines = heading(report.scenario.name, report.scenario.engineText)
        lines += wrapped("explored  ", exploration.summary(in: exploration.time.inWords))
        lines += found(report)
        for line in CoverageProse(report).lines { lines += wrapped(line.label.padded(to: 10), line.text) }
        guard let finding = report.findingsByWeight.first else {
            return lines.map { "\($0)\n" }.joined()
        }
        lines += [""] + wrapped("", finding.anomaly.sentence.withoutControls)
        lines += wrapped("", finding.size) + [""]
        let advice = finding.anomaly.advice(in: finding.history)
        let again = [""] + wrapped("mend: ", advice.text.withoutControls) + exploration.again
        lines += drawn(finding.history, finding.anomaly, beside: lines.count + again.count) + again
        return lines.map { "\($0)\n" }.joined()
    }

    private func found(_ report: ExplorationReport) -> [String] {
        var lines: [String] = []
        for finding in report.findingsByWeight {
            let count = counted(report.counts[finding.anomaly.kind] ?? 1, "schedule")
            lines += labelled("found", finding.anomaly.kind.rawValue, .red, " in \(count)")
        }
        if report.findings.isEmpty {
            lines += labelled("found", "no anomaly", report.isProof ? .green : .yellow, report.proof)
        }
        if report.isMissingExpected, let expected = report.scenario.expected {
            lines += labelled("expected", expected.rawValue, .yellow, ", but no schedule showed it")
        }
        if report.overtakenReads > 0 {
            let time = report.longestOvertaking.inWords
            let reads = counted(report.overtakenReads, "read")
            let what = "\(reads) missed a save that a merge was bringing back, at most \(time)"
            lines += wrapped("overtaken ", what)
        }
        return lines
    }

    /// A single run, drawn with its first anomaly.
    func text(_ run: ReplayedRun) -> String {
        let picture = run.picture
        var lines = heading(picture.name, picture.saved?.scenario.engineText)
        lines += wrapped("trace     ", "\(picture.saved?.trace ?? ""), \(run.comparison.withoutControls)")
        for anomaly in picture.anomalies {
            lines += wrapped("found     ", "\(anomaly.kind.rawValue): \(anomaly.sentence.withoutControls)")
        }
        if picture.anomalies.isEmpty { lines += labelled("found", "no anomaly", .green) }
        if let unrest = picture.history.rest?.unrest { lines += wrapped("undecided ", unrest.text) }
        let advice = picture.anomalies.first.map { $0.advice(in: picture.history) }
        let end = advice.map { [""] + wrapped("mend: ", $0.text.withoutControls) } ?? []
        lines += [""] + drawn(picture.history, picture.anomalies.first, beside: lines.count + end.count + 1)
        lines += end
        return lines.map { "\($0)\n" }.joined()
    }

    /// A name and what is added to it.
    private func heading(_ name: String, _ more: String?) -> [String] {
        let name = name.withoutControls
        let text = [name, more].compactMap(\.self).joined(separator: ", ")
        return layout.lines(text, [Layout.Part(text: name, style: bold)])
    }

    /// Shortens the drawing to one page if possible.
    func drawn(_ history: History, _ anomaly: Anomaly?, beside lines: Int) -> [String] {
        let height = max(Self.page / 2, Self.page - lines)
        let width = min(Self.width, columns ?? Self.width)
        return SwimLanes(history, anomaly: anomaly, width: width, height: height).lines.map { line in
            let text = line.text.withoutControls
            guard usesColour, line.isGuilty, text.hasPrefix("┃") else { return text }
            return coloured("┃", .red) + text.dropFirst()
        }
    }

    func table(_ scenarios: [Scenario]) -> String {
        let rows = scenarios.map { [$0.name, $0.expected?.rawValue ?? "nothing", $0.engineNames] }
        let lines = layout.table(["PRESET", "FINDS", "ENGINE"], rows, styled: bold)
        return lines.map { "\($0)\n" }.joined()
    }
}

extension ReplayedRun {
    /// The run beside the recorded one.
    fileprivate var comparison: String {
        switch outcome {
        case .same: "identical in two runs"
        case .unrepeatable(_, let other): "then \(other)"
        case .changed, .misfit: difference ?? ""
        }
    }
}

extension Exploration {
    /// How to find it again, and replay it.
    fileprivate var again: [String] {
        func line(_ words: [String]) -> String { words.map(\.quotedForShell).joined(separator: " ") }
        if let file = savedIn.map(CommandHint.argument) {
            return ["again: widgetbridge race replay \(line([file] + disk))"]
        }
        let explored = line(words + disk + ["--save", "race.json"])
        return [
            "again: widgetbridge race explore \(explored)",
            "       widgetbridge race replay \(line(["race.json"] + disk))",
        ]
    }
}

extension Duration {
    /// The duration in seconds or milliseconds.
    var inWords: String {
        let tenths = Int((self / .milliseconds(100)).rounded())
        if tenths >= 10 { return "\(tenths / 10).\(tenths % 10) s" }
        return "\(Int((self / .milliseconds(1)).rounded())) ms"
    }
}
