import RaceLab

extension TextPrinter {
    /// The findings, how reliable they are, and the latencies.
    ///
    /// - Parameter runs: it is the last of so many races.
    func text(_ observation: ObservationReport, runs: Int = 1) -> String {
        var lines = wrapped("observed  ", observation.summary)
        for (anomaly, count) in observation.findings {
            lines += labelled("found", anomaly.kind.rawValue, .red, ", \(counted(count, "time"))")
            lines += wrapped("          ", anomaly.sentence.withoutControls)
            lines += wrapped("mend      ", anomaly.advice(in: observation.history).text.withoutControls)
        }
        if observation.findings.isEmpty {
            lines += labelled("found", "no anomaly", observation.doubts.isEmpty ? .green : .yellow)
        }
        lines += observation.copiesText.map { wrapped("copies    ", $0.withoutControls) } ?? []
        lines += observation.readsText.map { wrapped("reads     ", $0.withoutControls) } ?? []
        for doubt in observation.doubts { lines += wrapped("in doubt  ", doubt.text.withoutControls) }
        for words in UncheckedWords.unseen(in: observation) { lines += wrapped("unseen    ", words) }
        for words in UncheckedWords.skipped(in: observation) { lines += wrapped("skipped   ", words) }
        lines += observation.checkedText(runs).map { wrapped("checked   ", $0.withoutControls) } ?? []
        lines += LatencyLines(bold: bold, columns: columns).lines(observation.latencies)
        if let anomaly = observation.findings.first?.anomaly,
            observation.history.steps.count <= Self.mostDrawnSteps
        {
            lines += [""] + drawn(observation.drawn, anomaly, beside: lines.count + 1)
        }
        return lines.map { "\($0)\n" }.joined()
    }

    /// The last of several races, and what the lab did to its programs.
    ///
    /// - Parameter again: the arguments that race the same programs in the same way.
    func text(_ reports: [ProcessReport], again: [String]?) -> String {
        guard let last = reports.last else { return "" }
        let clean = reports.count > 1 ? counted(reports.count - 1, "clean run") : nil
        var lines = ControlText(report: last, clean: clean, wrapped: wrapped).lines
        if !last.moves.isEmpty { lines += wrapped("moves     ", listed(last.moves)) }
        var text = lines.map { "\($0)\n" }.joined() + text(last.observation, runs: reports.count)
        if let again, last.observation.verdict == .anomaly {
            text += "\nagain: widgetbridge \(again.map(\.quotedForShell).joined(separator: " "))\n"
        }
        return text
    }

    /// The first moves, and every kill or end of the bridge; others are left out, because a long race has
    /// hundreds.
    private func listed(_ moves: [ProcessMove]) -> String {
        let shown = moves.enumerated().filter { $0 < Self.mostMoves || $1.isOfBridge }.map(\.element.text)
        let rest = moves.count - shown.count
        return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more, in --json" : "")
    }

    private static let mostMoves = 20

    /// Drawing more steps than this takes too long.
    private static let mostDrawnSteps = 5_000
}

extension ObservationReport {
    /// Which checks of the user's were run, and how often they held: another run may have another order.
    fileprivate func checkedText(_ runs: Int) -> String? {
        let check = own.isChecked ? own.checks.check.map { "`\($0)` at rest" } : nil
        let always = own.checks.always.map { "`\($0)` after \(counted(own.runs, "change", "changes"))" }
        let ran = [check, always].compactMap(\.self).joined(separator: ", ")
        if ran.isEmpty { return nil }
        if judgement.kinds.contains(.ownCheck) { return "\(ran): refused in run \(runs)" }
        return verdict == .clean ? "\(ran): held in \(counted(runs, "run", "runs"))" : ran
    }

    /// Names the programs that can notice the lab's reads, and why; `nil` if the reads raise no events.
    fileprivate var readsText: String? {
        guard let whyHearable else { return nil }
        let listeners =
            switch reads {
            case .silent, .unheard: "no program listens for"
            case .unused(let programs): "\(programs.joined(separator: ", ")) had no use for"
            case .heard(let programs): "\(programs.joined(separator: ", ")) listens for"
            }
        return "raise events, which \(listeners): \(whyHearable.text)"
    }
}
