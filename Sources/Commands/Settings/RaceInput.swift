import ArgumentParser
import Documents
import Processes
import RaceLab

/// A race cannot be started as requested.
enum RaceError: Error {
    case noScenario
    case unknownScenario(String)
    case file(NamedFileError)
    case notUsable(ProfileError)
    /// The schedule belongs to another scenario than the one named.
    case otherScenario(file: String, scenario: String, disk: [String])
    case otherLayer(file: String, layer: Int)
    /// The requested anomaly can never occur in the scenario.
    case nothingToFind(String, AnomalyKind, ImpossibleReason)
    /// The scenario needs something that real files cannot do.
    case otherBackend(String, String)
    /// The file is none that `--save` wrote.
    case notSaved(file: String)
    /// What this actor does is known only to the test that saved the schedule.
    case needsCode(file: String, actor: String)
    /// There is no saved schedule in it.
    case emptyDirectory(String)
    /// Pictures, and a file for a schedule, are of a single run.
    case onlyForOneFile
    /// The file of this program, which the lab starts as the bridge, is unknown.
    case unknownProgram(ThisProgram.Unknown)
}

/// The options that name a scenario.
struct ScenarioOptions: ParsableArguments {
    @Argument(help: "A scenario's file, or the name of a preset.", completion: .scenarios)
    var scenario: String?

    @Option(help: "Use this preset; `race presets` lists them.", completion: .presets)
    var preset: String?

    @Flag(help: "Use widgetbridge's own engine, and have programs save as it recommends.")
    var ownEngine = false

    var isNamed: Bool { scenario != nil || preset != nil }

    /// The scenario's file; `nil` for a preset and for standard input.
    var file: String? {
        guard let scenario, scenario != "-", !Self.isPreset(scenario) else { return nil }
        return scenario
    }

    func validate() throws {
        if scenario != nil, preset != nil {
            throw ValidationError("give a scenario's file, or a --preset, not both")
        }
    }

    func chosen() throws(RaceError) -> Scenario {
        guard isNamed else { throw .noScenario }
        let scenario = if let preset { try Self.preset(preset).scenario } else { try named() }
        return ownEngine ? scenario.withOwnEngine : scenario
    }

    /// The command line arguments for these options.
    var words: [String] {
        CommandHint.option("--preset", preset) + [scenario].compactMap { $0.map(CommandHint.argument) }
            + (ownEngine ? ["--own-engine"] : [])
    }

    private func named() throws(RaceError) -> Scenario {
        let name = scenario ?? ""
        let text = try Self.yaml(named: name)
        return try usable { () throws(ProfileError) in try Scenario(yaml: text, file: name) }
    }

    /// Of a file, of standard input, or of a preset.
    static func yaml(named name: String) throws(RaceError) -> String {
        isPreset(name) ? try preset(name).text : try raceText(of: name)
    }

    /// Also if there is neither a preset nor a file of that name.
    private static func isPreset(_ name: String) -> Bool {
        Preset.text(name) != nil
            || name != "-" && !Profile.isPath(name) && (try? NamedFile(name)) == nil
    }

    static func preset(_ name: String) throws(RaceError) -> (scenario: Scenario, text: String) {
        guard let text = Preset.text(name) else { throw .unknownScenario(name) }
        let scenario = try usable { () throws(ProfileError) in try Preset.scenario(name) }
        guard let scenario else { throw .unknownScenario(name) }
        return (scenario, text)
    }
}

/// The options that choose the disk of a scenario.
struct StageOptions: ParsableArguments {
    @Option(
        help: "Run on real files, in a new directory inside this one, instead of on a simulated disk.",
        completion: .directory
    )
    var real: String?

    /// The command line arguments for these options; empty for the simulated disk.
    var words: [String] { CommandHint.option("--real", real) }

    func backendKind() throws(RealTree.Failure) -> RaceBackendKind {
        guard let real else { return .simulated }
        return .real(try RealTree(in: real))
    }

    /// Throws if the scenario cannot run on this disk.
    func backendKind(for scenario: Scenario) throws -> RaceBackendKind {
        let backendKind = try backendKind()
        if let refusal = backendKind.refusal(of: scenario) {
            throw RaceError.otherBackend(scenario.name, refusal)
        }
        return backendKind
    }
}

/// Reads a schedule that was saved on this kind of disk.
func savedSchedule(_ path: String, on backendKind: RaceBackendKind) throws(RaceError) -> SavedSchedule {
    let saved = try savedSchedule(path)
    try saved.check(path, on: backendKind)
    return saved
}

func savedSchedule(_ path: String) throws(RaceError) -> SavedSchedule {
    let text = try raceText(of: path)
    let saved = try usable { () throws(ProfileError) in try SavedSchedule(text: text, file: path) }
    if let actor = saved.scenario.actorWithoutCode { throw .needsCode(file: path, actor: actor) }
    return saved
}

extension SavedSchedule {
    /// Throws if it was saved on another kind of disk.
    func check(_ file: String, on backendKind: RaceBackendKind) throws(RaceError) {
        if layer != backendKind.layer { throw .otherLayer(file: file, layer: layer) }
    }
}

/// Reads a saved race of real programs; `nil` if the file has a schedule of a scenario.
func savedRace(_ path: String) throws(RaceError) -> SavedProcessRace? {
    let text = try raceText(of: path)
    do throws(ProfileError) { return try SavedProcessRace(text: text, file: path) } catch {
        if case .expected(.mapping, _) = error.reason, error.key.isEmpty { throw .notSaved(file: path) }
        throw .notUsable(error)
    }
}

private func raceText(of path: String) throws(RaceError) -> String {
    do throws(NamedFileError) { return try NamedFile(path).text() } catch { throw .file(error) }
}

private func usable<Value>(_ body: () throws(ProfileError) -> Value) throws(RaceError) -> Value {
    do throws(ProfileError) { return try body() } catch { throw .notUsable(error) }
}

/// The options for report files.
struct ShownFiles: ParsableArguments {
    @Option(
        help: "Write an HTML report to this file; it needs no other file.",
        completion: .file()
    )
    var html: String?

    @Option(help: "Draw the first anomaly as a picture in this file.", completion: .file())
    var svg: String?

    @Option(help: "Write a JUnit report to this file.", completion: .file())
    var junit: String?

    @Flag(help: "Print findings also as GitHub workflow commands, which annotate the file that is named.")
    var github = false

    func validate(json: Bool) throws {
        if github, json { throw ValidationError("--github adds lines to the text; give it or --json") }
    }

    /// Throws if one of the files cannot be written: better before a long run than after it.
    func check() throws(RaceError) {
        try checkWritable([(html, .html), (svg, .svg), (junit, .junit)])
    }

    /// - Parameter file: the file that the report is about, if there is one.
    func annotations(of report: Report, in file: String?) -> [Annotation] {
        guard github else { return [] }
        return Annotation.all(of: report, in: file.map { AnnotatedFile.current.path(of: $0) })
    }

    /// Writes the reports of an observation of real programs.
    ///
    /// - Parameter difference: from the recorded race, where it is a replay.
    func write(
        _ observation: ObservationReport,
        of name: String,
        _ about: String,
        _ summary: String,
        difference: String? = nil
    ) -> [ErrorProse] {
        func page() -> String {
            HTMLReport(observation, name: name, about: about, summary: summary).text
        }
        return written([
            (html, .html, page),
            (svg, .svg, { observation.pictures(named: name).first.map { LaneDrawing($0).svg } ?? "" }),
            (junit, .junit, { JUnitReport(observation, name: name, difference: difference).text }),
        ])
    }
}

/// The options for report files and for a file that reproduces the finding.
struct RaceFiles: ParsableArguments {
    @OptionGroup var shown: ShownFiles

    @Option(help: "Save the schedule to this file, for `race replay`.", completion: .file())
    var save: String?

    func check() throws(RaceError) {
        try checkWritable([(save, .schedule)])
        try shown.check()
    }

    /// Writes all files, once their content is known.
    /// - Parameter pictures: asked for only if a file needs them, as they may take another run.
    func write(
        _ pictures: @autoclosure () -> [Picture],
        _ summary: String,
        junit report: String
    ) -> [ErrorProse] {
        let pictures = [save, shown.html, shown.svg].contains { $0 != nil } ? pictures() : []
        return written([
            (save, .schedule, { pictures.first?.saved?.text ?? "" }),
            (shown.html, .html, { HTMLReport(pictures, summary: summary).text }),
            (shown.svg, .svg, { pictures.first.map { LaneDrawing($0).svg } ?? "" }),
            (shown.junit, .junit, { report }),
        ])
    }
}

enum RaceFileKind {
    case schedule, html, svg, junit

    /// How such files begin: an existing file that begins differently is not replaced.
    var opening: String {
        switch self {
        case .schedule: "{\n  \"format\": "
        case .html: "<!DOCTYPE html>"
        case .svg: "<svg"
        case .junit: "<?xml"
        }
    }
}

private func checkWritable(_ files: [(path: String?, kind: RaceFileKind)]) throws(RaceError) {
    for case (let path?, let kind) in files {
        do throws(NamedFileError) {
            try NamedFile.check(path, opening: kind.opening)
        } catch {
            throw .file(error)
        }
    }
}

/// Writes the files. A failure turns a clean verdict into an undecided one, because its report is missing; it
/// does not change another verdict.
func written(_ texts: [(path: String?, kind: RaceFileKind, text: () -> String)]) -> [ErrorProse] {
    texts.compactMap { path, kind, text in
        guard let path else { return nil }
        do throws(NamedFileError) {
            try NamedFile.write(Array(text().utf8), to: path, opening: kind.opening)
            return nil
        } catch {
            var prose = ErrorProse(error)
            prose.status = .undecided
            return prose
        }
    }
}
