import Processes
import RaceLab

/// The file of this program, which the lab starts as the bridge.
func racedProgram() throws(RaceError) -> String {
    do throws(ThisProgram.Unknown) { return try ThisProgram.path() } catch { throw .unknownProgram(error) }
}

extension ProcessSettings {
    /// Controls the order of system calls if the system allows it.
    ///
    /// - Parameter isAsked: throw if the system does not allow it.
    mutating func controlCalls(isAsked: Bool) throws(RaceFailure) {
        refusal = GatedProgram.refusal(trying: program)
        controlsCalls = refusal == nil
        if isAsked, let refusal { throw .cannotGate(refusal) }
    }

    /// Runs one race.
    ///
    /// - Parameter isHurried: whether to stop with what is known.
    func race(isHurried: @escaping () -> Bool = { false }) throws -> ProcessReport {
        var report = try ProcessRace(self).run(isAsked: { Interruption.isAsked || isHurried() })
        if Interruption.isAsked { report.observation.noticed.append(.interrupted) }
        return report
    }

    /// Finds an order with fewer switches that shows the same anomaly, if the order of calls decides.
    ///
    /// - Parameter onReplay: gets the number of each replay, from 1, before it begins, and the time that is
    ///   left for all.
    func shrunk(_ report: ProcessReport, onReplay: @escaping (Int, Duration) -> Void) -> ProcessReport {
        guard controlsCalls, report.observation.verdict == .anomaly else { return report }
        let deadline = ContinuousClock.now + shrinkingLimit
        func isLate() -> Bool { ContinuousClock.now > deadline }
        var replays = 0
        var shrinker = ProcessShrinker(
            report,
            isHurried: { Interruption.isAsked || isLate() },
            run: { order in
                replays += 1
                onReplay(replays, deadline - .now)
                var settings = self
                settings.order = order
                settings.quiet = Self.replayQuiet
                settings.unrest = min(unrest, Self.replayUnrest)
                return try? settings.race(isHurried: isLate)
            }
        )
        return shrinker.shrink()
    }

    /// What never rests shows that soon.
    private static var replayUnrest: Duration { .seconds(1) }
    /// An anomaly that appears later than this does not count, so its order is not shortened.
    private static var replayQuiet: Duration { .milliseconds(250) }
}

extension SavedProcessRace {
    func outcome(_ files: RaceFiles) throws -> Outcome {
        let (settings, report) = try replayed()
        return Outcome(processes: [report], settings, files, again: nil)
    }

    /// Runs the same programs in the same order.
    func replayed() throws -> (ProcessSettings, ProcessReport) {
        var settings = ProcessSettings(program: try racedProgram())
        settings.app = app
        settings.widget = widget
        settings.bridge = bridge
        settings.profile = try profile.map { ($0, try NamedProfile($0, at: "profile").profile()) }
        settings.limit = limit
        settings.patience = patience
        settings.checks = checks
        settings.order = order
        try settings.controlCalls(isAsked: true)
        var report = try settings.race()
        report.replay = ProcessReplay(of: self, report)
        return (settings, report)
    }
}

extension Outcome {
    /// - Parameters:
    ///   - reports: only the last race can have an anomaly.
    ///   - again: the arguments that run it once more; `nil` for a replay.
    init(
        processes reports: [ProcessReport],
        _ settings: ProcessSettings,
        _ files: RaceFiles,
        again: [String]?
    ) {
        let isSaved = reports.last?.control.kind == .calls
        let replay = files.save.flatMap { isSaved ? ["race", "replay", $0] : nil }
        self.init(report: .processes(reports, again: again.map { replay ?? $0 }))
        guard let last = reports.last else {
            status = .undecided
            return
        }
        status = last.status
        failures = files.shown.write(last)
        guard let path = files.save else { return }
        if last.control.kind == .calls {
            failures += written([(path, .schedule, { SavedProcessRace(settings, last).text })])
        } else {
            failures.append(ErrorProse(unsaved: path, last.control))
        }
    }
}

extension ShownFiles {
    /// Writes the race that can have an anomaly, and what the lab did to its programs.
    fileprivate func write(_ report: ProcessReport) -> [ErrorProse] {
        let gates = report.gates.isEmpty ? [] : ["gates: \(report.gateWords)"]
        let about =
            [report.replay == nil ? "seed \(report.seed)" : "replayed"] + gates + report.moves.map(\.text)
            + report.observation.doubts.map(\.text)
        return write(
            report.observation,
            of: "race",
            about.joined(separator: "; "),
            report.observation.summary,
            difference: report.difference
        )
    }
}
