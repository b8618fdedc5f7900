import ArgumentParser
import Processes
import RaceLab

/// Options for a race of real programs.
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

    @Flag(help: "The same as `--control gates`: programs print a line and read one at each gate.")
    var gates = false

    @Option(
        help: ArgumentHelp(
            "Control the order by system calls on the containers, by gates, or by stops at any moment.",
            discussion: "The default is calls, and stops where the system does not allow that.",
            valueName: "calls|gates|stops"
        )
    )
    var control: ControlReport.Kind?

    @Option(
        help: "Race them this many times, each with the next seed; stop at the first anomaly.",
        transform: PositiveNumber.parsed
    )
    var runs: PositiveNumber?

    @Option(
        help: ArgumentHelp(
            "Consider a program hung after this time. (default: \(Self.limit))",
            discussion:
                "Making a find smaller takes no longer than that either, or than 60 s without the option."
        ),
        transform: TimeSpan.parsed
    )
    var limit = Self.limit

    @Option(
        help: "Report data as stale if it has not propagated within this time. (default: \(Self.patience))",
        transform: TimeSpan.parsed
    )
    var patience = Self.patience

    @OptionGroup var checks: CheckOptions

    private static let limit = TimeSpan(.seconds(10))
    private static let patience = TimeSpan(.seconds(2))

    var isUsed: Bool { app != nil || widget != nil }

    /// Whether an option is given that has no meaning for a scenario.
    var isGiven: Bool {
        bridge != nil || profile != nil || gates || control != nil || runs != nil
            || !checks.checks.isEmpty || limit != Self.limit || patience != Self.patience
    }

    func validate() throws {
        if gates, let control, control != .gates {
            throw ValidationError("--gates is --control gates; give one of them")
        }
        for (option, command) in [("--app", app), ("--widget", widget), ("--bridge", bridge)]
        where command?.allSatisfy(\.isWhitespace) == true {
            throw ValidationError("\(option) needs a command")
        }
        if limit.duration <= .zero { throw ValidationError("--limit must be more than 0s") }
    }

    func outcome(seed: UInt64, on terminal: Terminal, _ files: RaceFiles) throws -> Outcome {
        var settings = try settings()
        Interruption.listen(on: terminal)
        func show(_ progress: String) {
            guard terminal.isInteractive else { return }
            // The agent prints lines of its own.
            if bridge == nil { terminal.complain(progress) } else { terminal.show(progress: progress) }
        }
        defer { if bridge != nil { show("") } }
        var reports: [ProcessReport] = []
        let count = UInt64(runs?.value ?? 1)
        for number in 0..<count {
            if count > 1 { show("race \(number + 1) of \(count)") }
            settings.seed = seed &+ number
            let report = try settings.race()
            reports.append(report)
            if report.observation.verdict != .clean { break }
        }
        // Only the last race can have an anomaly, because the loop ends there.
        if let last = reports.popLast() {
            let shrunk = settings.shrunk(last) { replay, left in
                let seconds = max(0, Int(left / .seconds(1)))
                show("making the find smaller: replay \(replay), for at most \(seconds) s more")
            }
            reports.append(shrunk)
        }
        let again = ["race", "run"] + words + ["--seed", "\(reports.last?.seed ?? seed)"]
        return Outcome(processes: reports, settings, files, again: again)
    }

    /// What a person types to race the same programs in the same way, without the seed; nothing for what is
    /// so by default.
    private var words: [String] {
        var words = CommandHint.option("--app", app) + CommandHint.option("--widget", widget)
        words += CommandHint.option("--bridge", bridge) + CommandHint.option("--profile", profile)
        if gates { words.append("--gates") }
        words += CommandHint.option("--control", control?.rawValue)
        if limit != Self.limit { words += ["--limit", "\(limit)"] }
        if patience != Self.patience { words += ["--patience", "\(patience)"] }
        return words + checks.words
    }

    private func settings() throws -> ProcessSettings {
        var settings = ProcessSettings(program: try racedProgram())
        settings.app = app
        settings.widget = widget
        settings.bridge = bridge
        settings.limit = limit.duration
        if limit != Self.limit {
            settings.shrinkingLimit = limit.duration
            settings.unrest = min(settings.unrest, limit.duration)
        }
        settings.patience = patience.duration
        settings.checks = checks.checks
        settings.profile = try profile.map { ($0, try NamedProfile($0, at: "--profile").profile()) }
        settings.hasGates = gates || control == .gates
        if settings.hasGates, limit != Self.limit { settings.gateLimit = limit.duration }
        if !settings.hasGates, control != .stops { try settings.controlCalls(isAsked: control == .calls) }
        return settings
    }
}

extension ControlReport.Kind: ExpressibleByArgument {}
