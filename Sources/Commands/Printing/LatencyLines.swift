import RaceLab

/// How long changes took, as text.
struct LatencyLines {
    /// Emphasizes a heading.
    let bold: (String) -> String

    /// A table of the percentiles, and a histogram of the first stretch.
    func lines(_ latencies: Latencies) -> [String] {
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
