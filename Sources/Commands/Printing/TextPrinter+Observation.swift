import RaceLab

extension TextPrinter {
    /// The findings, how reliable they are, and the latencies.
    func text(_ observation: ObservationReport) -> String {
        var lines = ["observed  \(observation.summary)"]
        for (anomaly, count) in observation.findings {
            lines.append("found     \(coloured(anomaly.kind.rawValue, .red)), \(counted(count, "time"))")
            lines += wrapped("          ", anomaly.sentence.withoutControls)
        }
        let nothing = coloured("no anomaly", observation.doubts.isEmpty ? .green : .yellow)
        if observation.findings.isEmpty { lines.append("found     \(nothing)") }
        lines += observation.readsText.map { wrapped("reads     ", $0.withoutControls) } ?? []
        for doubt in observation.doubts { lines += wrapped("in doubt  ", doubt.text.withoutControls) }
        if observation.unseenReloads > 0 {
            let what = "of content that was overwritten before it could be read; these are not checked"
            lines += wrapped("unseen    ", "\(counted(observation.unseenReloads, "reload")) \(what)")
        }
        lines += latencies(observation.latencies)
        if let anomaly = observation.judgement.anomalies.first,
            observation.history.steps.count <= Self.mostDrawnSteps
        {
            lines += [""] + drawn(observation.history, anomaly, beside: lines.count + 1)
        }
        return lines.map { "\($0)\n" }.joined()
    }

    /// The last of several races, and what the lab did to its programs.
    func text(_ reports: [ProcessReport]) -> String {
        guard let last = reports.last else { return "" }
        let clean = reports.count > 1 ? counted(reports.count - 1, "clean run") : nil
        var lines = ControlText(report: last, clean: clean, wrapped: wrapped).lines
        if !last.moves.isEmpty { lines += wrapped("moves     ", told(last.moves)) }
        return lines.map { "\($0)\n" }.joined() + text(last.observation)
    }

    /// The first moves, and every kill of the agent; others are left out, because a long race has hundreds.
    private func told(_ moves: [ProcessMove]) -> String {
        let told = moves.enumerated().filter { $0 < Self.mostMoves || $1 == .killedAgent }.map(\.element.text)
        let rest = moves.count - told.count
        return told.joined(separator: ", ") + (rest > 0 ? " and \(rest) more, in --json" : "")
    }

    private static let mostMoves = 20

    /// Drawing more steps than this takes too long.
    private static let mostDrawnSteps = 5_000

    private func latencies(_ latencies: Latencies) -> [String] {
        let stretches = latencies.stretches.filter { !$0.distribution.samples.isEmpty }
        guard !stretches.isEmpty else { return [] }
        let heads = ["p50", "p90", "p99", "max"].map { $0.paddedInFront(to: 10) }.joined()
        var lines = ["", bold("\("HOW LONG IT TOOK".padded(to: 22))\(heads)     of")]
        for (_, words, distribution) in stretches {
            let times = [50, 90, 99, 100].map {
                (distribution.percentile($0)?.exactly ?? "").paddedInFront(to: 10)
            }
            let count = String(distribution.samples.count).paddedInFront(to: 7)
            lines.append("\(words.padded(to: 22))\(times.joined())\(count)")
        }
        for (_, words, distribution) in stretches.prefix(1) {
            lines += ["", bold(words.uppercased())] + bars(distribution.histogram)
        }
        return lines
    }

    private func bars(_ bars: [Latencies.Distribution.Bar]) -> [String] {
        let most = bars.map(\.count).max() ?? 1
        return bars.map { bar in
            let limit = bar.upTo.map { "up to \($0.exactly)" } ?? "more"
            let length = bar.count * 40 / most
            let drawn = bar.count > 0 ? String(repeating: "█", count: max(1, length)) : ""
            return "\(limit.padded(to: 16))\(String(bar.count).paddedInFront(to: 7)) \(drawn)"
        }
    }
}

extension Duration {
    /// The duration, with three significant digits.
    fileprivate var exactly: String {
        let microseconds = Int((self / .microseconds(1)).rounded())
        switch microseconds {
        case ..<1_000: return "\(microseconds) us"
        case ..<10_000:
            return "\(microseconds / 1_000).\(microseconds % 1_000 / 100) ms".replacing(".0 ms", with: " ms")
        case ..<10_000_000: return "\(microseconds / 1_000) ms"
        default: return "\(microseconds / 1_000_000) s"
        }
    }
}

extension ObservationReport {
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
