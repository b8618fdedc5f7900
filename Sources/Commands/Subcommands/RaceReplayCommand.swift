import ArgumentParser
import RaceLab

struct RaceReplayCommand: ReportingCommand {
    static let page = HelpPage(
        name: "replay",
        abstract: "Run a saved schedule or race again, or all of a directory, and compare the steps.",
        example: "widgetbridge race replay race.json",
        exits: raceExits,
        unprinted: .undecided
    )

    @Argument(
        help: "The file that `--save` wrote, or a directory of such files.",
        completion: .file(extensions: ["json"])
    )
    var file: String

    @OptionGroup var disk: StageOptions

    @Flag(help: "Record the steps anew where they differ and no anomaly is found.")
    var update = false

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var files: RaceFiles

    func validate() throws { try files.shown.validate(json: json) }

    func outcome(on terminal: Terminal) async throws -> Outcome {
        try files.check()
        Interruption.listen(on: terminal)
        let isCorpus = update || NamedFile.isDirectory(file)
        var outcome = isCorpus ? try corpus() : try replayed(file, on: disk, files)
        outcome.annotations = files.shown.annotations(of: outcome.report, in: file)
        return outcome
    }

    /// Runs all files of a directory.
    private func corpus() throws -> Outcome {
        guard files.shown.html == nil, files.shown.svg == nil, files.save == nil else {
            throw RaceError.onlyForOneFile
        }
        let races = try SavedRaces(file)
        let corpus = races.replayed(on: disk, updates: update) { Interruption.isAsked }
        var failures = corpus.entries.compactMap(\.failure)
        failures += written([(files.shown.junit, .junit, { JUnitReport(corpus).text })])
        return Outcome(report: .corpus(corpus), status: corpus.status, failures: failures)
    }
}

/// Runs a saved schedule or race of real programs again.
func replayed(_ file: String, on disk: StageOptions, _ files: RaceFiles) throws -> Outcome {
    if let race = try savedRace(file) {
        if disk.real != nil { throw RaceError.otherLayer(file: file, layer: SavedProcessRace.layer) }
        return try race.outcome(files)
    }
    let backendKind = try disk.backendKind()
    return ReplayedRun(try savedSchedule(file, on: backendKind), on: backendKind).outcome(files)
}
