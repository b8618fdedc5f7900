import Documents

/// widgetbridge.yaml(5): the configuration, and the profiles that it names.
enum ConfigurationManual {
    static let page = ManualPage(
        name: .configuration,
        abstract: "bridges and profiles of widgetbridge",
        sections: [
            ManualSection("DESCRIPTION", description), ManualSection("CONFIGURATION", configuration),
            ManualSection("HOOKS", HookManual.blocks), ManualSection("PROFILES", ProfileManual.profiles),
            ManualSection("DOCUMENTS", ProfileManual.documents + ActivityManual.blocks),
            ManualSection("ASSETS", AssetManual.blocks),
            ManualSection("VERSIONS", ProfileManual.versions),
            ManualSection("LENSES", ProfileManual.lenses),
            ManualSection("MERGING", ProfileManual.merging),
            ManualSection("STORES", ProfileManual.stores),
            ManualSection("SCHEMAS", SchemaManual.blocks),
            ManualSection("FILES", places), ManualSection("EXAMPLES", samples),
            ManualSection("SEE ALSO", [.text("`widgetbridge`(1), `widgetbridge-scenario`(5)")]),
        ]
    )

    private static let description: [ManualBlock] = [
        .text(
            """
            A configuration names a bridge, or several, and how each works. A profile describes the \
            documents of an app; a configuration names one by its `profile` key. Both are YAML 1.2 files \
            of at most 1 MiB. An unknown key and a wrong value are refused with their line, and status \
            64.
            """
        )
    ]

    private static let configuration: [ManualBlock] = [
        .text(
            """
            Each key but `hooks` is also an option of the command line, with two dashes before it, and the \
            command line overrides the file. A relative path starts at the file's directory, and \
            `~/` is the home directory.
            """
        ),
        settings.terms,
        .text(
            """
            A <size> is a number of bytes, or a number with `KiB`, `MiB` or `GiB`. A <time> is a number with \
            `ms`, `s`, `m`, `h` or `d`. A <share> is from `1%` to `100%`.
            """
        ),
        .heading("Several bridges"),
        .text(
            """
            Under `bridges:` each bridge has the keys above, and inherits those beside `bridges:`. In a \
            mapping its key is its name; in a list it has the key `name`. `--bridge` <name> chooses one.
            """
        ),
        bridgeNames.terms,
    ]

    /// All keys of a bridge.
    static let settings = ManualTable([
        .init("app", "<directory>", "The app's container."),
        .init("group", "<directory>", "The App Group container."),
        .init(
            "state",
            "<directory>",
            """
            Where journal, trash and socket are kept, outside of the containers. Default: a directory of \
            this pair of containers in `$XDG_STATE_HOME/widgetbridge`.
            """
        ),
        .init(
            "profile",
            "<name or file>",
            """
            A profile that is built in, as `widgetbridge profile list` lists them, or the path of a \
            file, with a `/` or ending in `.yaml` or `.yml`. Without one each `*.json` file is a \
            document without versions.
            """
        ),
        .init("app-version", "<number>", "Pins the app's side to this version."),
        .init("group-version", "<number>", "Pins the group's side to this version."),
        .init(
            "stores",
            "`json`, `ios` or `android`",
            """
            Where both sides keep the documents for which the profile names a store: in JSON files, or as the \
            app does on this platform.
            """,
            default: "json"
        ),
        .init("app-stores", "`json`, `ios` or `android`", "The same for the app's side alone."),
        .init("group-stores", "`json`, `ios` or `android`", "The same for the group's side alone."),
        .init(
            "durability",
            "`none`, `file`, `dir` or `batch`",
            """
            How much survives a power cut. With `none` a document may be torn or lost. With `file` every \
            document is whole, old or new. With `dir` and `batch` acknowledged writes survive, too; \
            `batch` flushes all waiting documents at once.
            """,
            default: "batch"
        ),
        .init(
            "commit",
            "`exchange` or `rename`",
            """
            How a document is replaced. `exchange` swaps the two files, and detects a save that came in \
            between. `rename` is for directories whose readers mistake the exchange for a deletion; a save \
            just before it can be lost.
            """,
            default: "exchange"
        ),
        .init("max-document", "<size>", "Holds documents that are larger.", default: "8MiB"),
        .init("max-depth", "<number>", "Holds documents that are nested deeper.", default: "512"),
        .init(
            "max-directories",
            "<number>",
            "Holds documents whose names have more directories.",
            default: "64"
        ),
        .init(
            "include",
            "<list>",
            """
            Syncs only documents with these names; `*` matches any characters within one component of a \
            path, and a name that ends with `/` is a directory's. Default: all.
            """
        ),
        .init(
            "exclude",
            "<list>",
            """
            Leaves out documents and directories with these names, even if `include` has them. The bridge \
            keeps their bases: if such a document is included again, later edits of both sides are merged. \
            Temporary files of programs are no documents anyway: \(TemporaryPattern.all.map { "`\($0.text)`" }.joined(separator: ", ")).
            """
        ),
        .init(
            "guard-last-document",
            "`true` or `false`",
            "Halts the bridge when its only document is deleted.",
            default: "false"
        ),
        .init(
            "halt-threshold",
            "<share>",
            "Halts the bridge when more than this share of ten or more documents disappears from one side.",
            default: "50%"
        ),
        .init(
            "max-trash",
            "<size>",
            "How much of the disk the trash may take; never more than a tenth of what the disk has left.",
            default: "256MiB"
        ),
        .init("trash-age", "<time>", "How long something stays in the trash.", default: "30d"),
        .init("rescan", "<time>", "How often the agent rescans both containers.", default: "60s"),
        .init(
            "polling",
            "`true` or `false`",
            "Polls every second instead of watching with inotify.",
            default: "false"
        ),
        .init("listen", "`127.0.0.1:`<port>", "Also serves the bridge's HTTP API on this port."),
        .init(
            "token-file",
            "<file>",
            """
            Requests over the port must carry the token on this file's first line. `listen` requires it, and \
            other users must not be able to read the file.
            """
        ),
        .init(
            "log-level",
            "`trace`, `debug`, `info`, `notice`, `warning`, `error` or `critical`",
            "The level from which on the agent logs; on a terminal it is `info` if not given.",
            default: "warning"
        ),
        .init("hooks", "<list>", "What the agent does when widgets reload: see HOOKS."),
        .init("bridges", "<mapping or list>", "Several bridges; see below."),
    ])

    static let bridgeNames = ManualTable([.init("name", "<name>", "The name of a bridge in a list.")])

    private static let places: [ManualBlock] = [
        .text(
            """
            The configuration is the file that `--config` names. Without it, and where neither `--app` nor \
            `--group` is given, it is the first of these:
            """
        ),
        .terms([
            ManualTerm("`$WIDGETBRIDGE_CONFIG`", "Whether that file is there or not."),
            ManualTerm("`widgetbridge.yaml`", "In the working directory."),
            ManualTerm(
                "`../widgetbridge.yaml`",
                "In its parents, up to the home directory, where the working directory lies in it."
            ),
            ManualTerm(
                "`$XDG_CONFIG_HOME/widgetbridge/widgetbridge.yaml`",
                "The same in `~/.config`, if the variable is not set."
            ),
        ]),
        .text(
            """
            A configuration that others can write, or that belongs to another user than yourself or root, is \
            refused with status 64. `widgetbridge init` writes one with every key. A running agent reads it, \
            and the profiles, again on SIGHUP.
            """
        ),
    ]

    private static let samples: [ManualBlock] = [
        .text("A configuration of two bridges:"),
        .code(
            """
            durability: batch
            bridges:
              budget:
                app: ~/apps/budget/app
                group: ~/apps/budget/group
                profile: budget
              notes:
                app: ~/apps/notes/app
                group: ~/apps/notes/group
                profile: notes.yaml
                max-document: 1MiB
            """
        ),
        .text("A profile, which `widgetbridge profile lint` checks:"),
        .code(sampleProfile),
    ]

    static let sampleProfile = """
        format: 1
        profile: notes
        documents:
          notes.json:
            version: {field: version, missing: 1}
            views: [1]
            identity: {/notes: id}
            merge: {/updatedAt: newest}
            ownership: {group: [/done]}
            kinds:
              NotesWidget: {shows: [/notes]}
            versions:
              1: {}
              2:
                lenses:
                  - rename: {from: items, to: notes}
                  - convert: {field: updatedAt, from: milliseconds, to: iso8601}
        """
}
