import ArgumentParser
import RaceLab

struct RaceCommand: CommandWithSubcommands {
    static let page = HelpPage(
        name: "race",
        abstract: "Find, replay and observe races between an app, its widget and the bridge.",
        discussion: "`widgetbridge help scenario` explains the scenarios that it runs.",
        example: "widgetbridge race explore --preset stat-recheck",
        exits: raceExits,
        unprinted: .undecided
    )

    static let configuration = page.configuration(
        subcommands: [
            RaceExploreCommand.self, RaceRunCommand.self, RaceReplayCommand.self, RacePresetsCommand.self,
            RaceShowCommand.self, RaceLintCommand.self, RaceObserveCommand.self,
        ]
    )
}

/// The discussion of the commands that hear programs.
let labLines = """
    A program may tell what it does, in lines on the descriptor that
    WIDGETBRIDGE_LAB_FD names: `saved NAME HASH`, `read NAME HASH`, `shown TEXT`,
    and `done` once it saves nothing more. HASH is `sha256:` and 64 hex digits, or
    `none` for a document that it deleted or did not find. `race run` gives the
    descriptor to --app and --widget, `race observe` to the command of --reloads.
    """

/// The exit statuses of the commands that race.
let raceExits: [(status: CommandStatus, meaning: String)] = [
    (.done, "no anomaly"), (.anomaly, "an anomaly was found"),
    (.undecided, "no verdict, or it cannot be printed"),
    (.usage, "wrong usage, or it could not be started"), (.internal, "the lab failed"),
]

extension CommandStatus {
    /// The meaning of this status for `race`.
    static let anomaly = CommandStatus.failed

    init(_ verdict: RaceVerdict) {
        self =
            switch verdict {
            case .clean: .done
            case .anomaly: .anomaly
            case .unknown: .undecided
            }
    }
}

struct RacePresetsCommand: ReportingCommand {
    static let page = HelpPage(
        name: "presets",
        abstract: "List the built-in scenarios: the examples, and one for each of the five apps.",
        example: "widgetbridge race presets",
        exits: [(.done, "listed"), (.usage, "wrong usage")]
    )

    @Flag(help: "Print one JSON object for each preset.")
    var json = false

    func outcome(on terminal: Terminal) async throws -> Outcome {
        let names = Preset.names + Preset.appNames
        return Outcome(report: .presets(try names.map { try ScenarioOptions.preset($0).scenario }))
    }
}

struct RaceShowCommand: ReportingCommand {
    static let page = HelpPage(
        name: "show",
        abstract: "Print a preset's scenario file, as a start for your own.",
        example: "widgetbridge race show stat-recheck > mine.yaml",
        exits: [(.done, "printed"), (.usage, "wrong usage, or an unknown preset")]
    )

    @Argument(help: "The preset's name.", completion: .presets)
    var preset: String

    @Flag(help: "Print it as JSON, with every default value.")
    var json = false

    func outcome(on terminal: Terminal) async throws -> Outcome {
        let (scenario, text) = try ScenarioOptions.preset(preset)
        return Outcome(report: .preset(scenario, text: text + "\n"))
    }
}
