import RaceLab

/// How long changes took, as text.
struct LatencyLines {
    /// Emphasizes a heading.
    let bold: (String) -> String
    /// The width of the terminal, if there is one.
    var columns: Int?

    /// A table of the percentiles, and a histogram of the first stretch.
    func lines(_ latencies: Latencies) -> [String] {
        let stretches = latencies.stretches.filter { !$0.distribution.samples.isEmpty }
        guard !stretches.isEmpty else { return [] }
        let isNarrow = columns.map { $0 < Self.tableWidth } ?? false
        var lines = [""] + (isNarrow ? list(stretches) : table(stretches))
        for (_, words, distribution) in stretches.prefix(1) {
            lines += ["", bold(words.uppercased())] + bars(distribution.histogram)
        }
        return lines
    }

    private typealias Stretches = [(name: String, words: String, distribution: Latencies.Distribution)]
    private static let percentiles = [("p50", 50), ("p90", 90), ("p99", 99), ("max", 100)]
    private static let tableWidth = 69
    private static let longestBar = 40

    private func table(_ stretches: Stretches) -> [String] {
        let heads = Self.percentiles.map { $0.0.paddedInFront(to: 10) }.joined()
        let rows = stretches.map { _, words, distribution in
            let times = Self.percentiles.map { _, percent in
                (distribution.percentile(percent)?.exactly ?? "").paddedInFront(to: 10)
            }
            let count = String(distribution.samples.count).paddedInFront(to: 7)
            return "\(words.padded(to: 22))\(times.joined())\(count)"
        }
        return [bold("\("HOW LONG IT TOOK".padded(to: 22))\(heads)     of")] + rows
    }

    /// Without columns, for which there is no room.
    private func list(_ stretches: Stretches) -> [String] {
        let layout = Layout(columns: columns)
        let rows = stretches.flatMap { _, words, distribution in
            let times = Self.percentiles.compactMap { name, percent in
                distribution.percentile(percent).map { "\(name) \($0.exactly)" }
            }
            let parts = [words] + times + ["of \(distribution.samples.count)"]
            return layout.row(parts.map { Layout.Part(text: $0) })
        }
        return [bold("HOW LONG IT TOOK")] + rows
    }

    private func bars(_ bars: [Latencies.Distribution.Bar]) -> [String] {
        let most = bars.map(\.count).max() ?? 1
        let longest = columns.map { max(1, min(Self.longestBar, $0 - 24)) } ?? Self.longestBar
        return bars.map { bar in
            let limit = bar.upTo.map { "up to \($0.exactly)" } ?? "more"
            let length = bar.count * longest / most
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
