/// The latencies as a table of percentiles, with a histogram for each stretch.
struct LatencyTables {
    private let latencies: Latencies

    init(_ latencies: Latencies) { self.latencies = latencies }

    private static let hundredths = [50, 90, 99, 100]

    var html: String {
        let stretches = latencies.stretches.filter { !$0.distribution.samples.isEmpty }
        if stretches.isEmpty { return "" }
        let heads = Self.hundredths.map { "<th>\($0 == 100 ? "max" : "p\($0)")</th>" }.joined()
        let rows = stretches.map { one in
            let times = Self.hundredths.map {
                "<td>\(one.distribution.percentile($0).map(\.inWords) ?? "")</td>"
            }
            let count = "<td>\(one.distribution.samples.count)</td>"
            return "<tr><th>\(one.words)</th>\(times.joined())\(count)</tr>"
        }
        return """
            <section id="latencies" aria-label="latencies">
            <h2>How long it took</h2>
            <table class="figures"><thead><tr><th></th>\(heads)<th>samples</th></tr></thead>
            <tbody>\(rows.joined(separator: "\n"))</tbody></table>
            <div class="histograms">\(stretches.map(histogram).joined(separator: "\n"))</div>
            </section>
            """
    }

    private func histogram(_ stretch: (name: String, words: String, distribution: Latencies.Distribution))
        -> String
    {
        let bars = stretch.distribution.histogram
        let most = bars.map(\.count).max() ?? 1
        let rows = bars.map { bar in
            let limit = bar.upTo.map { "up to \($0.inShort)" } ?? "more"
            let width = bar.count * 100 / max(1, most)
            return "<tr><th>\(limit)</th><td>\(bar.count)</td>"
                + "<td class=\"bar\"><i style=\"width:\(bar.count > 0 ? max(1, width) : 0)%\"></i></td></tr>"
        }
        return "<figure><figcaption>\(stretch.words)</figcaption>"
            + "<table id=\"\(stretch.name)\">\(rows.joined(separator: "\n"))</table></figure>"
    }
}

extension Duration {
    /// For round times.
    fileprivate var inShort: String {
        let microseconds = Int((self / .microseconds(1)).rounded())
        switch microseconds {
        case ..<1_000: return "\(microseconds) µs"
        case ..<1_000_000: return "\(microseconds / 1_000) ms"
        default: return "\(microseconds / 1_000_000) s"
        }
    }
}
