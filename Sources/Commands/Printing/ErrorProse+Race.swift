import Documents
import FileSystem
import Model
import RaceLab

extension ErrorProse {
    init(race error: RaceError) {
        switch error {
        case .noScenario:
            self.init("no scenario is named", "name a scenario's file, or a --preset", .usage)
        case .unknownScenario(let name):
            let advice = "`widgetbridge race presets` lists them; a file is named by its path"
            self.init("unknown scenario", at: "`\(name)`", advice, .usage)
            suggestion = nearestWord(to: name, among: Preset.names + Preset.appNames)
        case .unreadable(let error):
            self.init(error)
            status = .usage
        case .notUsable(let error): self.init(error)
        case .otherScenario(let file, let scenario, let disk):
            let replay = CommandHint(options: disk)("race replay", file)
            let advice = "\(replay) runs it with the one that it is of"
            self.init("the schedule is of another scenario than \(scenario)", at: file, advice, .usage)
        case .nothingToFind(let scenario, let reason):
            self.init("\(reason) in \(scenario)", "let somebody do it, or look for something else", .usage)
        case .otherBackend(let scenario, let reason):
            self.init("\(scenario) cannot be run on real files: \(reason)", "leave --real", .usage)
        case .otherLayer(let file, let layer):
            let advice =
                switch layer {
                case 0: "it is of the simulated disk; leave --real"
                case 1: "give --real DIR, for it is of real files"
                default: "only 0 and 1 are replayed: simulated, and real files"
                }
            self.init("the schedule is of layer \(layer)", at: file, advice, .usage)
        }
    }

    init(race failure: RealTree.Failure) {
        self.init(failure.description, "name a directory that can be written", .usage)
    }

    init(race failure: RaceFailure) {
        switch failure {
        case .missingDirectory(let path):
            self.init("no such directory", at: path, "create it, or name another", .usage)
        case .nestedDirectories(let one, let other):
            self.init("`\(one)` and `\(other)` are not apart", "give two directories that lie apart", .usage)
        case .cannotRun(let command, let errno):
            self.init("cannot run `\(command)`: \(systemMessage(errno))", "run it again", .usage)
        case .agentFailed(let words):
            self.init("the agent \(words)", "see what it printed", .usage)
        case .noCommand(let command):
            self.init("`\(command)` cannot be found or run", "give a command that the shell finds", .usage)
        }
    }

    /// Two runs of one schedule differed.
    init(unrepeatable one: String, _ other: String) {
        let what = "two runs of one schedule differ: trace \(one), then \(other)"
        self.init(what, "the lab is at fault; please report it with the schedule", .internal)
    }
}
