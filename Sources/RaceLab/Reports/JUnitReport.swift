/// A report for build servers: a test case for each kind of anomaly that was checked.
package struct JUnitReport {
    private var cases: [Case] = []
    private let scenario: String
    private let time: String
    /// What is worth knowing beside the results.
    private var notes: [String] = []

    package struct Case {
        package enum Result {
            case passed
            case failed(AnomalyKind, message: String, text: String)
            case skipped(message: String)
            case undecided(message: String)
        }

        package var name: String
        package var result: Result

        package init(name: String, result: Result) {
            self.name = name
            self.result = result
        }
    }

    /// For several runs, with a test case for each.
    package init(name: String, cases: [Case]) {
        scenario = name
        time = "0"
        self.cases = cases
    }

    package init(_ report: ExplorationReport, seconds: Double) {
        scenario = report.scenario.name
        time = "\((seconds * 1_000).rounded() / 1_000)"
        let found = report.findings.map { finding in
            let advice = finding.anomaly.advice(in: finding.history)
            return (finding.anomaly, "mend: \(advice.text)\n\(finding.size)\n\(finding.saved.text)")
        }
        let impossible = report.coverage.impossible.map { ($0.kind, $0.reason.text) }
        add(found, report.scenario.checks, skipped: Dictionary(impossible) { first, _ in first })
        if let expected = report.scenario.expected, report.isMissingExpected {
            add(undecided: "expected \(expected.rawValue), which no schedule showed")
        } else if report.verdict == .unknown {
            let count = report.schedules + report.randomSchedules
            add(undecided: "no verdict after \(counted(count, "schedule", "schedules"))")
        }
    }

    /// For a single run.
    package init(_ picture: Picture) {
        scenario = picture.name
        time = "0"
        let text = picture.saved?.text ?? ""
        let found = picture.anomalies.map { ($0, "mend: \($0.advice(in: picture.history).text)\n\(text)") }
        add(found, picture.saved?.scenario.checks ?? Set(AnomalyKind.allCases))
        if picture.verdict == .unknown {
            add(undecided: picture.history.rest?.unrest?.text ?? picture.difference ?? "")
        }
    }

    /// For observed programs.
    ///
    /// - Parameter difference: from the recorded run, where it is a replay.
    package init(_ observation: ObservationReport, name: String, difference: String? = nil) {
        scenario = name
        notes = [observation.copiesText].compactMap(\.self)
        time = "\(((observation.duration / .milliseconds(1))).rounded() / 1_000)"
        let found = observation.findings.map { finding in
            let advice = finding.anomaly.advice(in: observation.history)
            return (finding.anomaly, "mend: \(advice.text)\n\(counted(finding.count, "time", "times"))")
        }
        add(found, Set(AnomalyKind.allCases), skipped: observation.skipped.mapValues(\.text))
        if !observation.judgement.kinds.contains(.ownCheck), let result = ownCheck(observation) {
            cases.append(Case(name: AnomalyKind.ownCheck.rawValue, result: result))
        }
        let open = (difference.map { [$0] } ?? []) + observation.doubts.map(\.text)
        if observation.verdict == .unknown || observation.verdict == .clean && difference != nil {
            add(undecided: open.joined(separator: "; "))
        }
    }

    private mutating func add(
        _ found: [(anomaly: Anomaly, text: String)],
        _ checks: Set<AnomalyKind>,
        skipped: [AnomalyKind: String] = [:]
    ) {
        for kind in checks.subtracting([.ownCheck]).union(found.map(\.anomaly.kind)).sorted() {
            let first = found.first { $0.anomaly.kind == kind }
            let result = first.map { Case.Result.failed(kind, message: $0.anomaly.sentence, text: $0.text) }
            let skip = skipped[kind].map { Case.Result.skipped(message: $0) }
            cases.append(Case(name: kind.rawValue, result: result ?? skip ?? .passed))
        }
    }

    /// `nil` if the user gave no check.
    private func ownCheck(_ observation: ObservationReport) -> Case.Result? {
        guard !observation.own.checks.isEmpty else { return nil }
        return observation.uncheckedReason.map { .skipped(message: $0.text) } ?? .passed
    }

    private mutating func add(undecided message: String) {
        cases.append(Case(name: "verdict", result: .undecided(message: message)))
    }

    package var text: String {
        var failures = 0
        var errors = 0
        var skipped = 0
        var lines: [String] = []
        for one in cases {
            let start = "    <testcase classname=\"\(scenario.escaped)\" name=\"\(one.name.escaped)\""
            switch one.result {
            case .passed: lines.append("\(start)/>")
            case .failed(let kind, let message, let text):
                failures += 1
                let type = "type=\"\(kind.rawValue)\" message=\"\(message.escaped)\""
                lines += ["\(start)>", "      <failure \(type)>\(text.escaped)</failure>", "    </testcase>"]
            case .skipped(let message):
                skipped += 1
                lines += ["\(start)>", "      <skipped message=\"\(message.escaped)\"/>", "    </testcase>"]
            case .undecided(let message):
                errors += 1
                lines += ["\(start)>", "      <error message=\"\(message.escaped)\"/>", "    </testcase>"]
            }
        }
        let results = "failures=\"\(failures)\" errors=\"\(errors)\" skipped=\"\(skipped)\""
        let counts = "tests=\"\(cases.count)\" \(results) time=\"\(time)\""
        let suite = ["<testsuites \(counts)>", "  <testsuite name=\"widgetbridge race\" \(counts)>"]
        lines += notes.map { "    <system-out>\($0.escaped)</system-out>" }
        let all =
            ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"] + suite + lines + [
                "  </testsuite>", "</testsuites>",
            ]
        return all.map { "\($0)\n" }.joined()
    }
}

extension String {
    /// Escaped for XML and HTML, in text and in attributes.
    var escaped: String {
        var result = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            // XML does not allow these, not even escaped.
            case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
