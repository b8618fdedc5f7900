import ArgumentParser
import RaceLab

struct RaceRunCommand: ReportingCommand {
    static let page = HelpPage(
        name: "run",
        abstract: "Run a scenario once, with a saved schedule or a seed; or race real programs.",
        discussion: labLines,
        example: "widgetbridge race run --preset stat-recheck --seed 7",
        exits: raceExits,
        unprinted: .undecided
    )

    @OptionGroup var scenario: ScenarioOptions

    @Option(help: "Follow this schedule, which `--save` wrote for the same scenario.", completion: .file())
    var schedule: String?

    @Option(help: "Seed of the random schedule.", transform: WholeNumber.parsed)
    var seed: UInt64?

    @OptionGroup var disk: StageOptions

    @OptionGroup(title: "Real programs") var processes: ProcessOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var files: RaceFiles

    func validate() throws {
        if processes.isUsed, scenario.isNamed || scenario.ownEngine || schedule != nil || disk.real != nil {
            throw ValidationError("--app and --widget race real programs, without a scenario")
        }
        if !processes.isUsed, processes.isGiven {
            throw ValidationError("these options are for real programs; give --app or --widget")
        }
        if processes.isUsed, files.save != nil,
            processes.gates || [.gates, .stops].contains(processes.control)
        {
            throw ValidationError("--save needs --control calls: other races have no order to save")
        }
        if schedule != nil, seed != nil { throw ValidationError("give a --schedule or a --seed, not both") }
        try files.shown.validate(json: json)
    }

    func outcome(on terminal: Terminal) async throws -> Outcome {
        var outcome = try run(on: terminal)
        outcome.annotations = files.shown.annotations(of: outcome.report, in: scenario.file)
        return outcome
    }

    private func run(on terminal: Terminal) throws -> Outcome {
        try files.check()
        if processes.isUsed { return try processes.outcome(seed: seed ?? 1, on: terminal, files) }
        let chosen = try scenario.chosen().drawn(seed: seed ?? 1)
        // A run is short: it completes after Ctrl-C, and its directory is removed.
        Interruption.listen(on: terminal)
        let backendKind = try disk.backendKind(for: chosen)
        var saved = SavedSchedule(layer: backendKind.layer, scenario: chosen, schedule: Schedule())
        if let seed { saved.schedule = Run.random(chosen, seed: seed, on: backendKind).schedule }
        if let schedule {
            saved = try savedSchedule(schedule, on: backendKind)
            guard saved.scenario.hash == chosen.hash else {
                throw RaceError.otherScenario(file: schedule, scenario: chosen.name, disk: disk.words)
            }
        }
        return ReplayedRun(saved, on: backendKind).outcome(files)
    }
}

/// One run, and whether its trace is the recorded one.
struct ReplayedRun {
    var picture: Picture
    var outcome: Replay.Outcome
    /// As it was given.
    private let saved: SavedSchedule

    init(_ saved: SavedSchedule, on backendKind: RaceBackendKind) {
        let replay = saved.replay(on: backendKind)
        picture = Picture(saved.scenario, replay.run, layer: backendKind.layer)
        outcome = replay.outcome
        self.saved = saved
        picture.difference = difference
    }

    /// Why the recorded order is not that of the run; `nil` if it is.
    var difference: String? {
        let cause = "the file was edited, or the engine or the lab has changed since"
        switch outcome {
        case .same, .unrepeatable: return nil
        case .changed(let trace, _): return "recorded as \(trace): \(cause)"
        case .misfit(let misfit):
            let segment = saved.schedule.segments[misfit.segment]
            let actor = saved.scenario.actors[segment.lane].name
            return "the schedule does not fit the scenario: at step \(misfit.step), "
                + "`\(actor) \(segment.count)`, entry \(misfit.segment + 1) of `schedule`, has "
                + "\(counted(misfit.left, "step", "steps")) that \(actor) cannot take"
                + (saved.trace == nil ? "" : "; \(cause)")
        }
    }

    var status: CommandStatus {
        switch outcome {
        case .same: CommandStatus(picture.verdict)
        // A run that differs from the recorded one cannot prove that the anomaly is gone.
        case .changed, .misfit: picture.verdict == .clean ? .undecided : CommandStatus(picture.verdict)
        case .unrepeatable: .internal
        }
    }

    /// Why there is no verdict, if there is none.
    var undecided: String? {
        guard status == .undecided else { return nil }
        if let unrest = picture.history.rest?.unrest { return unrest.text }
        if case .misfit = outcome { return difference }
        return "the steps differ from the recorded ones and show no anomaly, which proves nothing"
    }

    func outcome(_ files: RaceFiles) -> Outcome {
        var failures = files.write([picture], "one run", junit: JUnitReport(picture).text)
        if case .unrepeatable(let one, let other) = outcome {
            failures.append(ErrorProse(unrepeatable: one, other))
        }
        return Outcome(report: .replayed(self), status: status, failures: failures)
    }
}
