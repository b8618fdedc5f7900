import Documents
import RaceLab

extension ErrorProse {
    init(race error: RaceError) {
        switch error {
        case .unknownScenario(let name):
            let advice = "`widgetbridge race presets` lists them; a file is named by its path"
            self.init("unknown scenario", at: "`\(name)`", advice, .usage)
        case .unreadable(let error):
            self.init(error)
            status = .usage
        case .notUsable(let error): self.init(error)
        case .otherScenario(let file, let scenario):
            let advice = "`widgetbridge race replay \(file)` runs it with the one that it is of"
            self.init("the schedule is of another scenario than \(scenario)", at: file, advice, .usage)
        case .otherLayer(let file, let layer):
            let advice = "only simulated ones can be run again like this"
            self.init("the schedule is of layer \(layer)", at: file, advice, .usage)
        }
    }

    /// Two runs of one schedule differed.
    init(unrepeatable one: String, _ other: String) {
        let what = "two runs of one schedule differ: trace \(one), then \(other)"
        self.init(what, "the lab is at fault; please report it with the schedule", .internal)
    }
}
