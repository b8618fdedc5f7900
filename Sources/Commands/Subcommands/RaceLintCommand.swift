import ArgumentParser
import Documents
import RaceLab

struct RaceLintCommand: ReportingCommand {
    static let page = HelpPage(
        name: "lint",
        abstract: "Check scenarios, and warn of what in them has no effect or cannot happen.",
        example: "widgetbridge race show stat-recheck | widgetbridge race lint -",
        exits: [
            (.done, "valid, with or without warnings"), (.failed, "a scenario is not valid"),
            (.undecided, "the result cannot be printed"),
            (.usage, "wrong usage, or a file that is unknown or cannot be read"),
        ],
        unprinted: .undecided
    )

    @Argument(
        help: "Scenario files, or the names of presets; `-` is standard input.",
        completion: .scenarios
    )
    var files: [String]

    @Flag(help: "Print one JSON object for each mistake and each warning.")
    var json = false

    func outcome(on terminal: Terminal) async throws -> Outcome {
        var outcome = Outcome()
        var findings: [ScenarioFinding] = []
        for file in files {
            do throws(RaceError) {
                let lint = ScenarioLint(yaml: try ScenarioOptions.yaml(named: file), file: file)
                findings += lint.mistakes.map(ScenarioFinding.mistake)
                findings += lint.warnings.map(ScenarioFinding.warning)
            } catch {
                outcome.failures.append(ErrorProse(error))
            }
        }
        let mistakes = findings.compactMap(\.prose)
        if !json { outcome.failures += mistakes }
        outcome.status = .heaviest(mistakes.map(\.status))
        outcome.report = .scenarioFindings(findings)
        return outcome
    }
}

/// What `race lint` found in a scenario.
enum ScenarioFinding {
    case mistake(ProfileError)
    case warning(ScenarioWarning)

    /// `nil` for a warning.
    var prose: ErrorProse? {
        guard case .mistake(let mistake) = self else { return nil }
        return ErrorProse(invalidProfile: mistake)
    }

    /// A warning's line; mistakes are printed as errors.
    var line: String? {
        guard case .warning(let warning) = self else { return nil }
        return "\(warning.place): \(warning.reason.text); \(warning.reason.advice)"
    }

    var json: JSONText {
        switch self {
        case .mistake(let mistake):
            let prose = ErrorProse(invalidProfile: mistake)
            return [
                "file": JSONText(mistake.file), "line": JSONText(mistake.line),
                "column": JSONText(mistake.column), "severity": "error",
                "rule": JSONText(mistake.reason.unknownWord == nil ? "invalid" : "unknown-word"),
                "key": JSONText(mistake.key), "what": JSONText(prose.what),
                "advice": JSONText(prose.advice), "meant": JSONText(prose.suggestion),
            ]
        case .warning(let warning):
            return [
                "file": JSONText(warning.file), "line": JSONText(warning.line),
                "column": JSONText(warning.column), "severity": "warning",
                "rule": JSONText(warning.reason.code), "key": JSONText(warning.key),
                "what": JSONText(warning.reason.text), "advice": JSONText(warning.reason.advice),
                "meant": .null,
            ]
        }
    }
}
