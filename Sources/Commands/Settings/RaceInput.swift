import ArgumentParser
import Documents
import RaceLab

/// A race cannot be started as it was asked for.
enum RaceError: Error {
    case noScenario
    case unknownScenario(String)
    case unreadable(NamedFileError)
    case notUsable(ProfileError)
    /// The schedule is of another scenario than the one named.
    case otherScenario(file: String, scenario: String, disk: [String])
    case otherLayer(file: String, layer: Int)
    /// What is looked for could never show in the scenario.
    case nothingToFind(String, String)
    /// Real files cannot do what the scenario asks for.
    case otherBackend(String, String)
}

/// Which scenario is meant.
struct ScenarioOptions: ParsableArguments {
    @Argument(help: "A scenario's file, or the name of a preset.", completion: .scenarios)
    var scenario: String?

    @Option(help: "Use this preset; `race presets` lists them.", completion: .presets)
    var preset: String?

    @Flag(help: "Use widgetbridge's own engine, and have programs save as it recommends.")
    var ownEngine = false

    var isNamed: Bool { scenario != nil || preset != nil }

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

    /// What a person types to mean it.
    var words: [String] {
        CommandHint.option("--preset", preset) + [scenario].compactMap(\.self)
            + (ownEngine ? ["--own-engine"] : [])
    }

    private func named() throws(RaceError) -> Scenario {
        let name = scenario ?? ""
        if Preset.text(name) != nil || !Profile.isPath(name) && (try? NamedFile(name)) == nil {
            return try Self.preset(name).scenario
        }
        let text = try raceText(of: name)
        return try usable { () throws(ProfileError) in try Scenario(yaml: text, file: name) }
    }

    static func preset(_ name: String) throws(RaceError) -> (scenario: Scenario, text: String) {
        guard let text = Preset.text(name) else { throw .unknownScenario(name) }
        let scenario = try usable { () throws(ProfileError) in try Preset.scenario(name) }
        guard let scenario else { throw .unknownScenario(name) }
        return (scenario, text)
    }
}

/// On which disk a scenario is played.
struct StageOptions: ParsableArguments {
    @Option(
        help: "Run on real files, in a new directory inside this one, instead of on a simulated disk.",
        completion: .directory
    )
    var real: String?

    /// What a person types to mean it; nothing for the simulated one.
    var words: [String] { CommandHint.option("--real", real) }

    func backendKind() throws(RealTree.Failure) -> RaceBackendKind {
        guard let real else { return .simulated }
        return .real(try RealTree(in: real))
    }

    /// For a scenario that can be played there.
    func backendKind(for scenario: Scenario) throws -> RaceBackendKind {
        let backendKind = try backendKind()
        if let refusal = backendKind.refusal(of: scenario) {
            throw RaceError.otherBackend(scenario.name, refusal)
        }
        return backendKind
    }
}

/// A schedule that was saved on such a stage.
func savedSchedule(_ path: String, on backendKind: RaceBackendKind) throws(RaceError) -> SavedSchedule {
    let text = try raceText(of: path)
    let saved = try usable { () throws(ProfileError) in try SavedSchedule(text: text, file: path) }
    if saved.layer != backendKind.layer { throw .otherLayer(file: path, layer: saved.layer) }
    return saved
}

/// A race of real programs; `nil` if the file has a schedule of a scenario.
func savedRace(_ path: String) throws(RaceError) -> SavedProcessRace? {
    let text = try raceText(of: path)
    return try usable { () throws(ProfileError) in try SavedProcessRace(text: text, file: path) }
}

private func raceText(of path: String) throws(RaceError) -> String {
    do throws(NamedFileError) { return try NamedFile(path).text() } catch { throw .unreadable(error) }
}

private func usable<Value>(_ body: () throws(ProfileError) -> Value) throws(RaceError) -> Value {
    do throws(ProfileError) { return try body() } catch { throw .notUsable(error) }
}

/// Where what was found is shown, beside the terminal.
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

    /// What real programs did, as it was watched.
    func write(_ observation: ObservationReport, of name: String, _ about: String, _ summary: String)
        -> [ErrorProse]
    {
        func page() -> String {
            HTMLReport(observation, name: name, about: about, summary: summary).text
        }
        return written([
            (html, page),
            (svg, { observation.pictures(named: name).first.map { LaneDrawing($0).svg } ?? "" }),
            (junit, { JUnitReport(observation, name: name).text }),
        ])
    }
}

/// Where what was found is kept, so that it is had again.
struct RaceFiles: ParsableArguments {
    @OptionGroup var shown: ShownFiles

    @Option(help: "Save the schedule to this file, for `race replay`.", completion: .file())
    var save: String?

    /// All of them, once it is known what they say.
    func write(_ pictures: [Picture], _ summary: String, junit report: String) -> [ErrorProse] {
        guard let first = pictures.first else { return [] }
        return written([
            (save, { first.saved?.text ?? "" }),
            (shown.html, { HTMLReport(pictures, summary: summary).text }),
            (shown.svg, { LaneDrawing(first).svg }), (shown.junit, { report }),
        ])
    }
}

/// Where one cannot be written, a bad verdict stands as it is; a good one that nobody can read is none.
func written(_ texts: [(path: String?, text: () -> String)]) -> [ErrorProse] {
    texts.compactMap { path, text in
        guard let path else { return nil }
        do throws(NamedFileError) {
            try NamedFile.write(Array(text().utf8), to: path)
            return nil
        } catch {
            var prose = ErrorProse(error)
            prose.status = .undecided
            return prose
        }
    }
}
