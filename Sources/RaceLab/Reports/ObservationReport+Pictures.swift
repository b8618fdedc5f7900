import Model

extension ObservationReport {
    /// The number of steps to show around an anomaly, and at both ends of a long stretch.
    private static let margin = 20
    private static let most = 100

    /// The first anomaly of each kind, with some steps before and after; without any anomaly, the end,
    /// and where the lab killed the bridge.
    package func pictures(named name: String) -> [Picture] {
        let (end, history) = (EndState(history), drawn)
        if findings.isEmpty {
            let last = history.steps.indices.suffix(2 * Self.most)
            let kept = history.steps.indices.filter {
                last.contains($0) || [.died, .started].contains(history.steps[$0].what)
            }
            return [Self.picture(name, history.part(kept), kept, [], end)]
        }
        return findings.map { finding in
            let (first, last) = (finding.anomaly.steps.lowerBound, finding.anomaly.steps.upperBound)
            let kept = Set(first - Self.margin...first + Self.most)
                .union(last - Self.most...last + Self.margin)
                .union([finding.anomaly.evidence.culprit].compactMap(\.self))
                .union(history.reads(deciding: finding.anomaly))
            let steps = history.steps.indices.filter(kept.contains)
            return Self.picture(name, history.part(steps), steps, [finding.anomaly], end)
        }
    }

    private static func picture(
        _ name: String,
        _ part: History,
        _ kept: [Int],
        _ anomalies: [Anomaly],
        _ end: EndState
    ) -> Picture {
        Picture(name, part, anomalies.map { $0.part(kept) }, numbers: kept, end: end)
    }
}

extension History {
    /// Only these steps, and their calls.
    fileprivate func part(_ kept: [Int]) -> History {
        var part = self
        part.steps = kept.map { steps[$0] }
        part.calls = []
        for step in steps[..<(kept.first ?? 0)] where step.what == .changed {
            if let document = step.document, let side = step.side, let version = step.version {
                part.start[document][side] = version
            }
        }
        var numbers: [Int: Int] = [:]
        for (index, step) in part.steps.enumerated() {
            guard let call = step.call else { continue }
            if numbers[call] == nil {
                numbers[call] = part.calls.count
                part.calls.append(calls[call])
                part.calls[part.calls.count - 1].first = index
            }
            guard let number = numbers[call] else { continue }
            part.calls[number].last = index
            part.steps[index].call = number
        }
        return part
    }
}

extension Anomaly {
    /// The same anomaly, with step numbers of the part.
    fileprivate func part(_ kept: [Int]) -> Anomaly {
        var part = self
        let inside = kept.indices.filter { steps.contains(kept[$0]) }
        part.steps = (inside.first ?? 0)...(inside.last ?? 0)
        part.evidence.culprit = evidence.culprit.flatMap { kept.firstIndex(of: $0) }
        return part
    }
}
