import Documents
import FileSystem
import Model
import RaceLab

extension ErrorProse {
    init(race error: RaceError) {
        switch error {
        case .noScenario:
            self.init("no scenario is given", "give a scenario's file, or a --preset", .usage)
        case .unknownScenario(let name):
            let advice = "`widgetbridge race presets` lists them; a file is named by its path"
            self.init("unknown scenario", at: "`\(name)`", advice, .usage)
            suggestion = nearestWord(to: name, among: Preset.names + Preset.appNames)
        case .file(let error): self = ErrorProse(error).with(.usage)
        case .notUsable(let error): self.init(error)
        case .otherScenario(let file, let scenario, let disk):
            let replay = CommandHint(options: disk)("race replay", file)
            let advice = "\(replay) runs it with its own scenario"
            self.init("the schedule belongs to another scenario than \(scenario)", at: file, advice, .usage)
        case .nothingToFind(let scenario, let kind, let reason):
            let what = "\(reason.text), so `\(kind.rawValue)` cannot occur in \(scenario)"
            self.init(what, "add such an actor, or give another --find", .usage)
        case .otherBackend(let scenario, let reason):
            self.init("\(scenario) cannot run on real files: \(reason)", "omit --real", .usage)
        case .notSaved(let file):
            self.init("not a saved schedule or race", at: file, "give a file that `--save` wrote", .usage)
        case .needsCode(let file, let actor):
            let advice = "replay it in the test that has the scenario, with `replay(_:in:)`"
            self.init("what `\(actor)` does is Swift code", at: file, advice, .usage)
        case .emptyDirectory(let path):
            self.init("no saved schedule", at: path, "save some there as `*.json` with `--save`", .usage)
        case .unknownProgram(let error): self = ErrorProse(error).with(.usage)
        case .onlyForOneFile:
            self.init("--html, --svg and --save are for a single run", "replay one file", .usage)
        case .otherLayer(let file, let layer):
            switch layer {
            case 0: self.init("the schedule is of the simulated disk", at: file, "omit --real", .usage)
            case 1: self.init("the schedule is of real files", at: file, "give --real DIR", .usage)
            default:
                let what = "the race is of real programs, whose directories are made for them"
                self.init(what, at: file, "omit --real", .usage)
            }
        }
    }

    init(race failure: RealTree.Failure) {
        self.init(failure.description, "give a writable directory", .usage)
    }

    init(race failure: RaceFailure) {
        switch failure {
        case .missingDirectory(let path):
            self.init("no such directory", at: path, "create it, or give another", .usage)
        case .nestedDirectories(let one, let other):
            self.init("`\(one)` and `\(other)` overlap", "give two separate directories", .usage)
        case .cannotRun(let command, let errno):
            self.init("cannot run `\(command)`: \(systemMessage(errno))", "run it again", .usage)
        case .agentFailed(let words):
            self.init("the agent \(words)", "see its output above", .usage)
        case .noCommand(let command):
            self.init("`\(command)` cannot be found or run", "give a command that the shell can run", .usage)
        case .cannotGate(let refusal):
            self.init(
                "the order of system calls cannot be controlled: \(refusal.text)",
                "give --control stops",
                .usage
            )
        }
    }

    /// The order of calls was not controlled, so there is none to save.
    init(unsaved file: String, _ control: ControlReport) {
        let what = "nothing was saved, since the order of system calls was not controlled"
        let why = control.refusal.map { ": \($0.text)" } ?? ""
        self.init(what + why, at: file, "keep the --seed instead", .undecided)
    }

    /// Two runs of one schedule have different traces.
    init(unrepeatable one: String, _ other: String) {
        let what = "two runs of one schedule differ: trace \(one), then \(other)"
        self.init(what, "this is a bug in the race lab; please report it with the schedule", .internal)
    }
}
