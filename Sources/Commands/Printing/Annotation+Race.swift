import RaceLab

extension Annotation {
    /// Errors for anomalies, and a warning if there is no verdict.
    ///
    /// - Parameter file: the file that the report is about, relative to the root of the repository.
    static func all(of report: Report, in file: String?) -> [Annotation] {
        switch report {
        case .exploration(let exploration): all(of: exploration, in: file)
        case .replayed(let run):
            all(run.picture.anomalies, run.picture.history, in: file) + warning(run.undecided, in: file)
        case .observation(let observation): all(of: observation, in: file)
        case .processes(let reports, _): reports.last.map { all(of: $0, in: file) } ?? []
        case .corpus(let corpus): corpus.entries.flatMap { all(of: $0) }
        default: []
        }
    }

    private static func all(of exploration: Exploration, in file: String?) -> [Annotation] {
        let report = exploration.report
        let found = report.findingsByWeight.flatMap { all([$0.anomaly], $0.history, $0.size, in: file) }
        guard exploration.status == .undecided else { return found }
        let missing = report.isMissingExpected ? report.scenario.expected : nil
        let count = report.schedules + report.randomSchedules
        let reason =
            missing.map { "no schedule showed \($0.rawValue)" }
            ?? "no verdict after \(counted(count, "schedule", "schedules"))"
        return found + warning(reason, in: file)
    }

    private static func all(of observation: ObservationReport, in file: String?) -> [Annotation] {
        let found = all(observation.findings.map(\.anomaly), observation.history, in: file)
        guard observation.verdict == .unknown else { return found }
        return found + warning(observation.doubts.map(\.text).joined(separator: "; "), in: file)
    }

    private static func all(of report: ProcessReport, in file: String?) -> [Annotation] {
        let found = all(of: report.observation, in: file)
        return found.contains { $0.level == .warning } ? found : found + warning(report.undecided, in: file)
    }

    private static func all(of entry: Corpus.Entry) -> [Annotation] {
        let file = AnnotatedFile.current.path(of: entry.file)
        if let failure = entry.failure {
            return [Annotation(level: .error, file: file, title: "not replayed", message: failure.text)]
        }
        return all(entry.anomalies, entry.history, in: file) + warning(entry.undecided, in: file)
    }

    /// The first of each kind.
    private static func all(
        _ anomalies: [Anomaly],
        _ history: History,
        _ size: String? = nil,
        in file: String?
    ) -> [Annotation] {
        var kinds: Set<AnomalyKind> = []
        return anomalies.filter { kinds.insert($0.kind).inserted }.map { anomaly in
            let advice = "mend: \(anomaly.advice(in: history).text)"
            return Annotation(
                level: .error,
                file: file,
                title: anomaly.kind.rawValue,
                message: [anomaly.sentence, advice, size].compactMap(\.self).joined(separator: "\n")
            )
        }
    }

    private static func warning(_ reason: String?, in file: String?) -> [Annotation] {
        reason.map { [Annotation(level: .warning, file: file, title: "no verdict", message: $0)] } ?? []
    }
}
