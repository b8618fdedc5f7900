import RaceLab

/// widgetbridge-scenario(5): the scenarios of the race lab.
enum ScenarioManual {
    static let page = ManualPage(
        name: .scenario,
        abstract: "scenarios of widgetbridge's race lab",
        sections: [
            ManualSection("DESCRIPTION", description), ManualSection("SCENARIO", scenario),
            ManualSection("ACTORS", actors), ManualSection("OPERATIONS", operations),
            ManualSection("ENGINES", engines), ManualSection("CHECKS", checks),
            ManualSection("EXAMPLES", samples),
            ManualSection("SEE ALSO", [.text("`widgetbridge`(1), `widgetbridge.yaml`(5)")]),
        ]
    )

    private static let description: [ManualBlock] = [
        .text(
            """
            A scenario is a small world for `widgetbridge race`: two containers with their documents, and \
            actors that take turns, one system call at a time. `race explore` runs it in every order \
            within a bound, and looks for anomalies.
            """
        ),
        .text(
            """
            It is a YAML 1.2 file of at most 1 MiB. `race lint` checks it: it refuses unknown keys and wrong \
            values, each with its line, as `race explore` does with the first, and warns of what is legal \
            but has no effect or cannot happen. `race presets` lists the scenarios that are built in, and \
            `race show` prints one.
            """
        ),
        .text(
            """
            A <time> is a whole number with `us`, `ms` or `s`. A <flag> is `yes` or `no`, or `true` or \
            `false`. A <document> is a path inside both containers that ends in `.json`; programs make its \
            directories. Names have no control characters.
            """
        ),
    ]

    private static let scenario: [ManualBlock] = [
        scenarioKeys.terms, .heading("documents"), documentKeys.terms, .heading("widgets"),
        .text("A policy decides when a placed widget reloads, as for a widget on a phone."),
        widgetKeys.terms, .heading("machine"), machineKeys.terms, .heading("settings"), settingKeys.terms,
    ]

    static let scenarioKeys = ManualTable([
        .init("name", "<text>", "Its name in reports.", default: "unnamed"),
        .init("about", "<text>", "What it shows, for people."),
        .init(
            "engine",
            "<engine>",
            "The bridge of the agents that name none; see ENGINES.",
            default: EngineKind.widgetbridge.rawValue
        ),
        .init(
            "profile",
            "<name>",
            "A built-in profile, for documents with versions. Without one documents have none."
        ),
        .init(
            "documents",
            "<list>",
            """
            From 1 to \(ScenarioLimits.documents) documents, each a <document> or a mapping; see below. At \
            the start they are the same on both sides. Operations that name none use the first. Required.
            """
        ),
        .init(
            "widgets",
            "<mapping>",
            "Kinds of which a widget is placed, by their names; see below. Not together with a `profile`."
        ),
        .init("machine", "<mapping>", "The disk; see below."),
        .init("settings", "<mapping>", "The settings of the bridges; see below."),
        .init(
            "actors",
            "<mapping>",
            "At most \(ScenarioLimits.actors) actors by their names, an agent among them; see ACTORS. Required."
        ),
        .init("checks", "<list>", "The kinds of anomalies to check for; see CHECKS. Default: all of them."),
        .init(
            "expect",
            "<kind>",
            """
            The kind of anomaly that it demonstrates: a `race explore` that finds none then has no verdict. \
            `none` is the same as to leave it out.
            """
        ),
    ])

    static let documentKeys = ManualTable([
        .init("name", "<document>", "Its name. Required."),
        .init("there", "<flag>", "Whether it exists at the start.", default: "yes"),
        .init(
            "padding",
            "<number>",
            """
            This many bytes of padding, at most \(ScenarioLimits.padding): all contents that the \
            programs of a run write may have \(ScenarioLimits.contents >> 20) MB.
            """,
            default: "0"
        ),
        .init(
            "holds",
            "<JSON>",
            """
            Its content at the start, as text, in the version of the first program. It is also what a \
            program starts from after a deletion. Without it the lab makes a flat object.
            """
        ),
    ])

    static let widgetKeys = ManualTable([
        .init("document", "<document>", "What it shows. Default: the first document."),
        .init("ignore", "<list>", "JSON Pointers of values whose changes are invisible."),
        .init("budget", "<number>", "How many reloads it may have within 24 hours.", default: "40"),
        .init("stale", "<time>", "The age at which what it shows is stale. Default: never."),
    ])

    static let machineKeys = ManualTable([
        .init(
            "grain",
            "<time>",
            """
            Timestamps of files are multiples of this, at most \
            \(ScenarioLimits.grain.components.seconds)s. With `0s` each change has a time of its own.
            """,
            default: "0s"
        ),
        .init(
            "reuses-inodes",
            "<flag>",
            "A new file gets the inode number of one that was deleted, as on ext4.",
            default: "yes"
        ),
        .init(
            "exchange",
            "<flag>",
            "Whether two files can be exchanged (`RENAME_EXCHANGE`).",
            default: "yes"
        ),
        .init(
            "faults",
            "<number>",
            """
            One in this many file operations of the bridge fails, drawn by the seed; from 2 to \
            \(ScenarioLimits.faults). With `0` none fails.
            """,
            default: "0"
        ),
    ])

    static let settingKeys = ManualTable([
        .init(
            "durability",
            "`none`, `file`, `dir` or `batch`",
            "As in `widgetbridge.yaml`(5).",
            default: "batch"
        ),
        .init("commit", "`exchange` or `rename`", "As in `widgetbridge.yaml`(5).", default: "exchange"),
        .init(
            "evidence",
            "<flag>",
            """
            Whether the bridge hears who opens, reads and saves documents, as an agent does that watches \
            with inotify. With `no` it is an agent that polls, which takes every save for one on top of what \
            it last brought there.
            """,
            default: "yes"
        ),
    ])

    private static let actors: [ManualBlock] = [
        .text(
            """
            An actor is named by its key, in which a kind may stand: `app: {does: [write]}` is an actor \
            of kind `app`. It has these keys:
            """
        ),
        actorKeys.terms, .heading("Kinds"),
        .terms(ScenarioActor.Kind.allCases.map { ManualTerm("`\($0.rawValue)`", $0.manual) }),
    ]

    static let actorKeys = ManualTable([
        .init("kind", "<kind>", "Default: the actor's name, which must be a kind then."),
        .init(
            "side",
            "`app` or `group`",
            "The container that a program uses. Default: `group` for a widget, else `app`."
        ),
        .init(
            "version",
            "<number>",
            "The version of a program's documents, which the profile must have."
        ),
        .init("engine", "<engine>", "The engine of this agent. Default: that of the scenario."),
        .init("does", "<list>", "The operations of a program or of fate, in order; see OPERATIONS."),
    ])

    private static let operations: [ManualBlock] = [
        .text(
            """
            An operation is a word, such as `write`, which is done to the first document, or a mapping of \
            the word to a <document>, such as `{write: budget.json, times: 3}`. The actors of a scenario \
            have at most \(ScenarioLimits.operations) operations together. In a mapping these keys may \
            stand beside the word:
            """
        ),
        operationKeys.terms, .heading("Programs"), terms { !$0.isOfFate }, .heading("Fate"),
        terms { $0.isOfFate },
        .text(
            """
            A program can be killed between any two of its steps. What it has written stays; its memory, its \
            open file and its subscriptions are gone, and no answer reaches it. Launched again, it reads \
            its documents, subscribes again to what it had subscribed to, gets the current state, and goes \
            on with the operation after the one in which it was killed, even if that was a pause. A save \
            in which it was killed is not acknowledged.
            """
        ),
    ]

    private static func terms(_ isIncluded: (Operation.Verb) -> Bool) -> ManualBlock {
        .terms(
            Operation.Verb.allCases.filter(isIncluded).map { verb in
                let value = verb.manual.value
                return ManualTerm(
                    "`\(verb.rawValue)`" + (value.isEmpty ? "" : "`:` \(value)"),
                    verb.manual.text
                )
            }
        )
    }

    static let operationKeys = ManualTable([
        .init(
            "field",
            "<field>",
            """
            The field that a save sets to a text: in a document with `holds` a JSON Pointer such as \
            `/data/limit`, whose object must be there, else a name. An index of a list inserts an element \
            there. By default each program has a field of its own. A save of a program whose field has no \
            place any more is refused.
            """
        ),
        .init("second-field", "<field>", "Another field, which the same save sets to the same value."),
        .init("is", "<JSON>", "The value that `until` and `if` compare their `field` with. Default: any."),
        .init("version", "<number>", "The version to which `migrate` takes the program."),
        .init("times", "<number>", "How often the operation is done.", default: "1"),
    ])

    private static let engines: [ManualBlock] = [
        .text("All but the first have one typical fault of bridges, to see what it leads to."),
        .terms(EngineKind.allCases.map { ManualTerm("`\($0.rawValue)`", $0.manual) }),
        .text(
            """
            Several agents are several bridges on the same two containers. An `edit` goes to the first \
            of them, and each sends notices to every subscriber.
            """
        ),
    ]

    private static let checks: [ManualBlock] = [
        .terms(AnomalyKind.allCases.map { ManualTerm("`\($0.rawValue)`", $0.manual) })
    ]

    private static let samples: [ManualBlock] = [
        .text(
            """
            An app that reads, thinks and saves; a widget that is told of changes, and may be killed at any \
            moment; and a copy loop that somebody has left running beside the bridge:
            """
        ),
        .code(sample), .text("It is checked and explored by:"),
        .code("widgetbridge race lint tap.yaml\nwidgetbridge race explore tap.yaml --html race.html"),
    ]

    static let sample = """
        name: tap
        documents:
          - budget.json
          - {name: notes.json, there: no, padding: 40}
        settings: {durability: batch, evidence: yes}
        actors:
          app: {does: [read-modify-write, wait: 5ms, {write: notes.json, times: 2}]}
          widget: {does: [subscribe, write, read-on-notice]}
          fate: {does: [crash: widget]}
          agent: {}
          loop: {kind: agent, engine: copier}
        checks: [lost-update, torn-read, ping-pong]
        """
}
