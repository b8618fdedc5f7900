import ArgumentParser
import RaceLab

struct RaceExploreCommand: ReportingCommand {
    static let page = HelpPage(
        name: "explore",
        abstract: "Run a scenario in every schedule within a bound, then in random ones; report anomalies.",
        example: "widgetbridge race explore --preset stat-recheck --html race.html",
        exits: raceExits,
        unprinted: .undecided
    )

    @OptionGroup var scenario: ScenarioOptions

    @Option(
        help: "Maximum number of preemptions per schedule. (default: \(Self.usualBound))",
        transform: WholeNumber.parsed
    )
    var bound = usualBound

    @Option(
        help: "Stop after this many seconds; spend what remains after the bound on random schedules.",
        transform: PositiveNumber.parsed
    )
    var seconds: PositiveNumber?

    @Option(
        help: "Seed of the random schedules, faults and power cuts. (default: \(Self.usualSeed))",
        transform: WholeNumber.parsed
    )
    var seed = usualSeed

    @Option(
        help: "Schedule by random priorities that change this many times, not at random step by step.",
        transform: PositiveNumber.parsed
    )
    var priorities: PositiveNumber?

    @Option(help: "Check for this kind of anomaly only, and stop at the first.")
    var find: AnomalyKind?

    @Flag(help: "Run every schedule within the bound, also those that are equivalent to another one.")
    var noReduction = false

    @Option(
        help: "Run schedules on this many threads; the result is the same. (default: one per processor)",
        transform: PositiveNumber.parsed
    )
    var jobs: PositiveNumber?

    @OptionGroup var disk: StageOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var files: RaceFiles

    func validate() throws {
        if priorities != nil, seconds == nil {
            throw ValidationError("--priorities is for random schedules; give --seconds")
        }
        try files.shown.validate(json: json)
    }

    func outcome(on terminal: Terminal) async throws -> Outcome {
        try files.check()
        var chosen = try scenario.chosen()
        if let find {
            if let reason = chosen.reasonNever(find) {
                throw RaceError.nothingToFind(chosen.name, find, reason)
            }
            chosen.checks = [find]
            if chosen.expected != find { chosen.expected = nil }
        }
        let start = ContinuousClock.now
        var options = options(start, terminal)
        options.backendKind = try disk.backendKind(for: chosen)
        Interruption.listen(on: terminal)
        var explorer = Explorer(chosen, options)
        let report = explorer.explore()
        let exploration = Exploration(
            report: report,
            time: ContinuousClock.now - start,
            words: scenario.words + words,
            disk: disk.words,
            savedIn: report.findings.isEmpty ? nil : files.save
        )
        if terminal.isInteractive { terminal.show(progress: "") }
        let junit = JUnitReport(report, seconds: exploration.time / .seconds(1)).text
        let summary = exploration.summaryOfPage
        let failures = files.write(report.pictures(on: options.backendKind), summary, junit: junit)
        var outcome = Outcome(
            report: .exploration(exploration),
            status: exploration.status,
            failures: failures
        )
        outcome.annotations = files.shown.annotations(of: outcome.report, in: scenario.file)
        return outcome
    }

    /// What a person types to explore in the same way; nothing for what is so by default.
    private var words: [String] {
        var words: [String] = []
        if bound != Self.usualBound { words += ["--bound", "\(bound)"] }
        words += CommandHint.option("--seconds", seconds.map { "\($0.value)" })
        if seed != Self.usualSeed { words += ["--seed", "\(seed)"] }
        words += CommandHint.option("--priorities", priorities.map { "\($0.value)" })
        words += CommandHint.option("--find", find?.rawValue)
        if noReduction { words.append("--no-reduction") }
        return words + CommandHint.option("--jobs", jobs.map { "\($0.value)" })
    }

    private static var usualBound: UInt32 { 2 }
    private static var usualSeed: UInt64 { 1 }

    private func options(_ start: ContinuousClock.Instant, _ terminal: Terminal) -> ExploreOptions {
        var options = ExploreOptions()
        options.bound = Int(bound)
        options.seed = seed
        options.priorityChanges = priorities?.value
        options.wanted = find
        options.isReduced = !noReduction
        options.jobs = jobs?.value ?? ExploreOptions.processors
        options.isHurried = { Interruption.isUrgent }
        if let seconds {
            options.randomSchedules = .max
            options.isTimeUp = {
                Interruption.isAsked || ContinuousClock.now - start > .seconds(seconds.value)
            }
        } else {
            options.isTimeUp = { Interruption.isAsked }
        }
        if terminal.isInteractive { options.progress = { terminal.show(progress: $0.words) } }
        return options
    }
}

extension AnomalyKind: ExpressibleByArgument {
    /// The command line has no custom checks.
    private static var known: [AnomalyKind] { allCases.filter { $0 != .ownCheck } }

    package init?(argument: String) {
        guard let kind = Self.known.first(where: { $0.rawValue == argument }) else { return nil }
        self = kind
    }

    package static var allValueStrings: [String] { known.map(\.rawValue) }
}

/// The result of an exploration, and its arguments.
struct Exploration {
    var report: ExplorationReport
    var time: Duration
    /// The command line arguments for the scenario and the search, and for the disk.
    var words: [String]
    var disk: [String]
    var savedIn: String?

    var status: CommandStatus {
        // A scenario that does not show its expected anomaly has no clean verdict.
        report.isMissingExpected && report.verdict == .clean ? .undecided : CommandStatus(report.verdict)
    }

    /// The extent of the exploration, in one line.
    func summary(in time: String) -> String {
        let within = "with at most \(counted(report.bound, "preemption", "preemptions"))"
        var text = counted(report.schedules, "schedule", "schedules")
        if report.skipped > 0 {
            text += " (\(counted(report.skipped, "equivalent branch", "equivalent branches")) skipped)"
        }
        if report.randomSchedules > 0 {
            text += " and \(counted(report.randomSchedules, "random one", "random ones"))"
        }
        let some = "\(report.isExhaustive ? "all" : "not all") \(within)"
        return "\(text) in \(time): \(report.isEveryOrder ? "every order there is" : some)"
    }

    /// For an HTML report, which has no lines with labels.
    var summaryOfPage: String {
        let parts = CoverageProse(report).lines.map { "\($0.label): \($0.text)" }
        return ([summary(in: time.inWords)] + parts).joined(separator: "; ")
    }
}

extension ExplorationProgress {
    fileprivate var words: String {
        switch total {
        case .known(let total): "\(schedules) of \(counted(total, "schedule", "schedules"))"
        case .estimated(let total): "\(schedules) of about \(Self.rounded(total)) schedules"
        case .unlimited: counted(schedules, "schedule", "schedules")
        }
    }

    /// To two digits: it is no more than an estimate.
    private static func rounded(_ number: Int) -> Int {
        var unit = 1
        while number / unit >= 100 { unit *= 10 }
        return number / unit * unit
    }
}
