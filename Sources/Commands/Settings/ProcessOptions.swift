import ArgumentParser
import Processes
import RaceLab

/// Real programs that race, instead of a scenario's.
struct ProcessOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Race this command as the app; it starts in the app's container.",
            valueName: "command"
        )
    )
    var app: String?

    @Option(
        help: ArgumentHelp(
            "Race this command as the widget; it starts in the App Group container.",
            valueName: "command"
        )
    )
    var widget: String?

    @Option(
        help: ArgumentHelp(
            "Run this command as the bridge, instead of widgetbridge's agent.",
            valueName: "command"
        )
    )
    var bridge: String?

    @Option(help: "Take the documents of these programs from this profile.", completion: .file())
    var profile: String?

    @Flag(help: "Stop programs only at gates, where they print a line and read one, not at any moment.")
    var gates = false

    @Option(
        help: "Race them this many times, each with the next seed; stop at the first anomaly.",
        transform: PositiveNumber.parsed
    )
    var runs: PositiveNumber?

    @Option(
        help: "Consider a program hung after this time. (default: \(Self.limit))",
        transform: TimeSpan.parsed
    )
    var limit = Self.limit

    @Option(
        help: "Report data as stale if it has not propagated within this time. (default: \(Self.patience))",
        transform: TimeSpan.parsed
    )
    var patience = Self.patience

    private static let limit = TimeSpan(.seconds(10))
    private static let patience = TimeSpan(.seconds(2))

    var isUsed: Bool { app != nil || widget != nil }

    /// What is given here says nothing of a scenario.
    var isGiven: Bool {
        bridge != nil || profile != nil || gates || runs != nil
            || limit != Self.limit || patience != Self.patience
    }

    func outcome(seed: UInt64, on terminal: Terminal, _ files: ShownFiles) throws -> Outcome {
        var settings = ProcessSettings(program: try ThisProgram.path())
        settings.app = app
        settings.widget = widget
        settings.bridge = bridge
        settings.hasGates = gates
        settings.limit = limit.duration
        settings.patience = patience.duration
        settings.profile = try profile.map { ($0, try NamedProfile($0, at: "--profile").profile()) }
        Interruption.listen(on: terminal)
        var reports: [ProcessReport] = []
        for number in 0..<UInt64(runs?.value ?? 1) {
            settings.seed = seed &+ number
            var report = try ProcessRace(settings).run(isAsked: { Interruption.isAsked })
            if Interruption.isAsked { report.observation.noticed.append(.interrupted) }
            reports.append(report)
            if report.observation.verdict != .clean { break }
        }
        // The last is the only one that may have shown something.
        let status = reports.last.map { CommandStatus($0.observation.verdict) } ?? .undecided
        let failures = reports.last.map(files.write) ?? []
        return Outcome(report: .processes(reports), status: status, failures: failures)
    }
}

extension ShownFiles {
    /// The race that may have shown something, and what was done to whom in it.
    fileprivate func write(_ report: ProcessReport) -> [ErrorProse] {
        let gates = report.gates.isEmpty ? [] : ["gates: \(report.gateWords)"]
        let about =
            ["seed \(report.seed)"] + gates + report.moves.map(\.text) + report.observation.doubts.map(\.text)
        return write(
            report.observation,
            of: "race",
            about.joined(separator: "; "),
            report.observation.summary
        )
    }
}
