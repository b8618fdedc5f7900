import AgentAPI
import ArgumentParser
import BridgeRuntime
import Documents
import StateStore
import SyncEngine

struct MigrateStatusCommand: VersionedCommand {
    static let page = HelpPage(
        name: "status",
        abstract: "List the version of each document, and which documents a migration would change.",
        example: "widgetbridge migrate status --app ~/app --group ~/group --profile budget",
        exits: [
            (.done, "every document is of its newest version"),
            (.failed, "error, a document that cannot be migrated, or a damaged log"),
            (.changesPending, "documents are to be migrated"),
            (.lossy, "the migration would lose something"),
            (.newerVersion, "a document is of a newer version than the profile knows"),
            (.drift, "the profile was edited after it was applied"),
            (.needsDecision, "a document of its newest version violates its schema"),
            (.usage, "wrong usage"),
        ]
    )

    @OptionGroup var options: MigrateOptions
    @OptionGroup var target: TargetVersion

    func perform(on terminal: Terminal) async throws -> CommandStatus {
        let printer = MigrationPrinter(terminal: terminal, isJSON: options.json, diff: nil, hint: hint)
        var show = MigrationShow(printer: printer, isQuiet: true, keepsEntries: false)
        show.lists = true
        show.foot.originals = KeptOriginals()
        for target in try options.targets("widgetbridge migrate status") {
            try await show.plan(target, options, options.request(.plan), on: terminal)
        }
        show.foot.trees = []
        show.end()
        let status = show.planStatus(allowLossy: false, on: terminal)
        return show.foot.damagedLogs.isEmpty ? status : .heaviest([status, .failed])
    }
}

struct MigrateLintCommand: ReportingCommand {
    static let page = HelpPage(
        name: "lint",
        abstract: "Warn of changes in a profile's newer versions that break programs of an older one.",
        example: "widgetbridge migrate lint --profile budget",
        exits: [
            (.done, "valid, with or without warnings"), (.failed, "the profile is not valid"),
            (.undecided, "the result cannot be printed"),
            (.usage, "wrong usage, or a profile that is unknown or cannot be read"),
        ],
        unprinted: .undecided
    )

    @Option(help: "The name of a built-in profile, or a file.", completion: .file(extensions: ["yaml"]))
    var profile: String

    @Flag(help: "Print one JSON object for each warning.")
    var json = false

    private static let rules: Set<LintFinding.Rule> = [
        .fieldRemoved, .requiredWithoutDefault, .fieldOptional, .typeChanged, .wayBackBroken, .viewNeeded,
        .viewUnneeded,
    ]

    func outcome(on terminal: Terminal) async throws -> Outcome {
        var outcome = try ProfileLintCommand.outcome(of: profile)
        if case .findings(let findings) = outcome.report {
            outcome.report = .findings(findings.filter { Self.rules.contains($0.finding.rule) })
        }
        return outcome
    }
}
