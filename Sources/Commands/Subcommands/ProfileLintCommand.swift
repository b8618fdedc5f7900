import AgentClient
import ArgumentParser
import Documents

struct ProfileLintCommand: ReportingCommand {
    static let page = HelpPage(
        name: "lint",
        abstract: "Check a profile, and warn of changes that break programs of an older version.",
        example: "widgetbridge profile lint budget",
        exits: [
            (.done, "valid, with or without warnings"), (.failed, "the profile is not valid"),
            (.undecided, "the result cannot be printed"),
            (.usage, "wrong usage, or a profile that is unknown or cannot be read"),
        ],
        unprinted: .undecided
    )

    @Argument(help: "The name of a built-in profile, or a file.", completion: .profiles)
    var profile: String

    @Flag(help: "Print one JSON object for each warning.")
    var json = false

    func outcome(on terminal: Terminal) async throws -> Outcome { try Self.outcome(of: profile) }

    static func outcome(of profile: String) throws -> Outcome {
        let named = try NamedProfile(profile)
        do throws(ProfileError) {
            let findings = try named.profile().lint()
            let root = try YAMLField.root(of: named.yaml, file: named.place)
            return Outcome(report: .findings(findings.map { LocatedFinding($0, in: root) }))
        } catch {
            return Outcome(failures: [ErrorProse(invalidProfile: error)])
        }
    }
}

/// A finding with the line of the profile that it is about.
struct LocatedFinding {
    let finding: LintFinding
    let file: String
    let line: Int

    /// Finds the nearest line that the profile has for the finding.
    init(_ finding: LintFinding, in root: YAMLField) {
        self.finding = finding
        let names: [String] =
            switch finding.rule {
            case .schemaMissing, .viewNeeded, .viewUnneeded, .versionUnrecognized:
                ["versions", finding.place]
            case .reloadBudget, .timeZoneMissing: ["kinds", finding.place, "refresh"]
            case .familyUnused: ["kinds", finding.place, "families"]
            case .kindRules: ["kinds", finding.place]
            case .nameUnmatched: []
            case .fieldRemoved, .requiredWithoutDefault, .fieldOptional, .typeChanged, .wayBackBroken:
                ["versions"]
            case .storeShared, .storeMismatch, .storeFieldUnknown, .storeTypeUnfit:
                Self.storeNames(finding.place)
            }
        var field = root
        for name in ["documents", finding.document] + names {
            guard let member = try? field.members().first(where: { $0.name == name }) else { break }
            field = member.value
        }
        file = field.file
        line = field.line
    }

    /// The members on the way to a store, or to one of its fields.
    private static func storeNames(_ place: String) -> [String] {
        let parts = place.split(separator: " ", maxSplits: 2).map { String($0) }
        return ["stores"] + parts.prefix(2) + parts.dropFirst(2).flatMap { ["fields", $0] }
    }

    var text: String { "\(file):\(line): \(finding.text)" }

    var json: JSONText {
        [
            "file": JSONText(file), "line": JSONText(line), "rule": JSONText(finding.rule.rawValue),
            "document": JSONText(finding.document), "place": JSONText(finding.place),
            "reason": JSONText(finding.reason.text),
        ]
    }
}
