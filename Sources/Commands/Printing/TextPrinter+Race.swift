import RaceLab

extension TextPrinter {
    /// How far was looked, what was found, the first of it drawn, and how to have it again.
    func text(_ exploration: Exploration) -> String {
        let report = exploration.report
        var lines = [
            "\(bold(report.scenario.name.withoutControls)), engine \(report.scenario.engine.rawValue)"
        ]
        lines += wrapped("explored  ", "\(exploration.summary); \(exploration.time.inWords)")
        lines += found(report)
        guard let finding = report.findingsByWeight.first else {
            return lines.map { "\($0)\n" }.joined()
        }
        lines += [""] + wrapped("", finding.anomaly.sentence.withoutControls) + [finding.size, ""]
        lines += drawn(finding.history, finding.anomaly)
        lines += [""] + again(exploration)
        return lines.map { "\($0)\n" }.joined()
    }

    private func found(_ report: ExplorationReport) -> [String] {
        var lines: [String] = []
        for finding in report.findingsByWeight {
            let count = counted(report.counts[finding.anomaly.kind] ?? 1, "schedule")
            lines.append("found     \(coloured(finding.anomaly.kind.rawValue, .red)) in \(count)")
        }
        if report.findings.isEmpty {
            let isProof = report.isExhaustive && report.verdict == .clean
            let proof = isProof ? ": within the bound, that is a proof" : ""
            lines.append("found     \(coloured("no anomaly", isProof ? .green : .yellow))\(proof)")
        }
        if report.unfinished > 0 {
            lines.append("undecided \(counted(report.unfinished, "schedule")) never came to rest")
        }
        if report.isMissingExpected, let expected = report.scenario.expected {
            lines.append("expected  \(coloured(expected.rawValue, .yellow)), and no schedule showed it")
        }
        if report.overtakenReads > 0 {
            let time = report.longestOvertaking.inWords
            let what =
                "\(counted(report.overtakenReads, "read")) before a merge that was under way, at most \(time)"
            lines.append("overtaken \(what)")
        }
        return lines
    }

    private func again(_ exploration: Exploration) -> [String] {
        if let file = exploration.savedIn {
            return ["again: widgetbridge race replay \(file)"]
        }
        return [
            "again: widgetbridge race explore \(exploration.scenario) --save race.json",
            "       widgetbridge race replay race.json",
        ].map(\.withoutControls)
    }

    /// A single run, drawn with the first anomaly it shows.
    func text(_ run: ReplayedRun) -> String {
        let picture = run.picture
        let scenario = picture.saved.scenario
        var lines = ["\(bold(scenario.name.withoutControls)), engine \(scenario.engine.rawValue)"]
        lines.append("trace     \(picture.saved.trace ?? "")\(isSame(run.outcome))")
        for anomaly in picture.anomalies {
            lines += wrapped("found     ", "\(anomaly.kind.rawValue): \(anomaly.sentence.withoutControls)")
        }
        if picture.anomalies.isEmpty { lines.append("found     \(coloured("no anomaly", .green))") }
        if let unrest = picture.history.rest?.unrest { lines += wrapped("undecided ", unrest) }
        lines += [""] + drawn(picture.history, picture.anomalies.first)
        return lines.map { "\($0)\n" }.joined()
    }

    private func isSame(_ outcome: Replay.Outcome) -> String {
        switch outcome {
        case .same: ", the same in two runs"
        case .changed(let saved, _): ", saved as \(saved): the engine or the lab has changed since"
        case .unrepeatable(_, let other): ", then \(other)"
        }
    }

    func drawn(_ history: History, _ anomaly: Anomaly?) -> [String] {
        SwimLanes(history, anomaly: anomaly, width: Self.width).lines.map { line in
            let text = line.text.withoutControls
            guard usesColour, line.isGuilty, text.hasPrefix("┃") else { return text }
            return coloured("┃", .red) + text.dropFirst()
        }
    }

    func table(_ scenarios: [Scenario]) -> String {
        let width = scenarios.map(\.name.count).max() ?? 0
        let rows = scenarios.map { scenario in
            "\(scenario.name.padded(to: width))  \((scenario.expected?.rawValue ?? "nothing").padded(to: 18))  "
                + "\(scenario.engine.rawValue)"
        }
        let head = "\("PRESET".padded(to: width))  \("FINDS".padded(to: 18))  ENGINE"
        return "\(bold(head))\n" + rows.map { "\($0)\n" }.joined()
    }
}

extension Duration {
    fileprivate var inWords: String {
        let milliseconds = Int((self / .milliseconds(1)).rounded())
        return milliseconds < 10_000 ? "\(milliseconds) ms" : "\(milliseconds / 1_000) s"
    }
}
