import ArgumentParser
import Documents
import Model
import RaceLab

struct RaceObserveCommand: ReportingCommand {
    static let page = HelpPage(
        name: "observe",
        abstract: "Watch two containers while programs use them, and report anomalies. Nothing is changed.",
        discussion: labLines,
        example: "widgetbridge race observe --app ~/app --group ~/group --seconds 60",
        exits: raceExits,
        unprinted: .undecided
    )

    @Option(help: "The app's container.", completion: .directory)
    var app: String

    @Option(help: "The App Group container.", completion: .directory)
    var group: String

    @Option(
        help: "Take the documents from this profile: a built-in one or a file.",
        completion: .file(extensions: ["yaml"])
    )
    var profile: String?

    @Option(help: "Observe this document only; repeat for several.", transform: RelativePath.parsed)
    var document: [RelativePath] = []

    @Option(
        help: ArgumentHelp(
            "Run this command, which prints a line for each reload: like `subscribe`, or a document's name.",
            valueName: "command"
        )
    )
    var reloads: String?

    @Option(help: "Observe for this long (default: until interrupted).", transform: PositiveNumber.parsed)
    var seconds: PositiveNumber?

    @Option(
        help: "Report data as stale if it has not propagated within this time. (default: 2s)",
        transform: TimeSpan.parsed
    )
    var patience = TimeSpan(.seconds(2))

    @OptionGroup var checks: CheckOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var files: ShownFiles

    func validate() throws { try files.validate(json: json) }

    func outcome(on terminal: Terminal) async throws -> Outcome {
        try files.check()
        var settings = ObserverSettings(app: app, group: group)
        settings.profile = try profile.map { try NamedProfile($0, at: "--profile").profile() }
        settings.documents = Set(document)
        settings.reloads = reloads
        settings.patience = patience.duration
        Interruption.listen(on: terminal)
        let observer = try Observer(settings)
        defer { observer.close() }
        let seconds = seconds.map { Duration.seconds($0.value) }
        var observation = try observer.observe(
            until: { now in Interruption.isAsked || seconds.map { now >= $0 } ?? false },
            isHurried: { Interruption.isUrgent }
        )
        checks.checks.judge(
            &observation,
            in: observer.containers,
            isDocument: observer.isWatched,
            isAsked: { Interruption.isUrgent }
        )
        let failures = files.write(
            observation,
            of: "observed",
            (["\(app) and \(group)"] + observation.doubts.map(\.text)).joined(separator: "; "),
            observation.summary
        )
        let status = CommandStatus(observation.verdict)
        var outcome = Outcome(report: .observation(observation), status: status, failures: failures)
        outcome.annotations = files.annotations(of: outcome.report, in: nil)
        return outcome
    }
}
