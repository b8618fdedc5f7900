package import Documents

extension ObservationReport {
    /// The number of findings of each kind, and the first one.
    package var findings: [(anomaly: Anomaly, count: Int)] {
        var counts: [AnomalyKind: Int] = [:]
        for anomaly in judgement.anomalies { counts[anomaly.kind, default: 0] += 1 }
        return counts.keys.sorted { $0.causalRank < $1.causalRank }.compactMap { kind in
            judgement.anomalies.first { $0.kind == kind }.map { ($0, counts[kind] ?? 0) }
        }
    }

    private static let mostAnomalies = 100

    package var json: JSONText {
        [
            "format": JSONText(1),
            "verdict": JSONText(verdict.word),
            "durationMs": JSONText(milliseconds: duration),
            "changes": JSONText(changes),
            "looks": JSONText(looks),
            "reads": JSONText(reads.word),
            "readsReason": JSONText(whyHearable?.text),
            "reloads": JSONText(reloads),
            "unseenReloads": JSONText(unseenReloads),
            "unseenSaves": JSONText(unseenSaves),
            "conflictCopies": copies.map { JSONText($0.map { JSONText($0) }) } ?? .null,
            "doubts": JSONText(doubts.map { JSONText($0.text) }),
            "skipped": JSONText(
                object: skipped.sorted { $0.key < $1.key }.map { ($0.key.rawValue, JSONText($0.value.text)) }
            ),
            "counts": JSONText(object: findings.map { ($0.anomaly.kind.rawValue, JSONText($0.count)) }),
            "anomalies": JSONText(
                judgement.anomalies.prefix(Self.mostAnomalies).map { $0.json(in: history) }
            ),
            "checks": own.json,
            "latencies": latencies.json,
            "latencyReader": JSONText(latencies.reader?.rawValue),
        ]
    }
}

extension OwnChecks.Results {
    /// `null` if there is none.
    fileprivate var json: JSONText {
        guard !checks.isEmpty else { return .null }
        return [
            "check": JSONText(checks.check), "checkRuns": JSONText(isChecked ? 1 : 0),
            "always": JSONText(checks.always), "alwaysRuns": JSONText(runs),
        ]
    }
}

extension Latencies {
    /// The stretches with their names in JSON and in text.
    package var stretches: [(name: String, words: String, distribution: Distribution)] {
        // Where no program's read is known, the lab reads on each notice.
        let toRead = reader == .lab ? "to lab's read" : "to read"
        return [
            ("writeToVisible", "write to visible", visible),
            ("visibleToNotified", "visible to notified", notified),
            ("notifiedToRead", "notified \(toRead)", read),
            ("visibleToRead", "visible to read", found),
            ("readToShown", "read to shown", shown),
            ("writeToRead", "write \(toRead)", whole),
            ("writeToShown", "write to shown", seen),
        ]
    }

    fileprivate var json: JSONText {
        JSONText(object: stretches.map { ($0.name, $0.distribution.json) })
    }
}

extension Latencies.Distribution {
    fileprivate var json: JSONText {
        var members: [(String, JSONText)] = [("count", JSONText(samples.count))]
        for hundredths in [50, 90, 99, 100] {
            guard let sample = percentile(hundredths) else { continue }
            members.append((hundredths == 100 ? "maxMs" : "p\(hundredths)Ms", JSONText(milliseconds: sample)))
        }
        let bars = histogram.map { bar -> JSONText in
            [
                "upToMs": bar.upTo.map { JSONText(milliseconds: $0) } ?? .null,
                "count": JSONText(bar.count),
            ]
        }
        members.append(("histogram", JSONText(bars)))
        return JSONText(object: members)
    }
}
