/// widgetbridge(1). The texts about commands and options come from the parser's descriptions.
enum ProgramManual {
    static func page() throws -> ManualPage {
        let shared = try SharedOptions.all()
        let commands = ManualSection("COMMANDS", try CommandReference(shared: shared).blocks())
        let options = shared.map { ManualSection($0.title.uppercased(), [.terms($0.arguments.map(\.term))]) }
        return ManualPage(
            name: .widgetbridge,
            abstract: "keep the containers of an app and its widgets in sync",
            sections: [synopsis, description, general, commands] + options
                + GuideReader.sections(of: PackageResources.CommandLine_md) + [seeAlso]
        )
    }

    private static let synopsis = ManualSection(
        "SYNOPSIS",
        [
            .text("`widgetbridge` <command> [<option> ...] [<argument> ...]"),
            .text("`widgetbridge help` [<command> ...]"),
        ]
    )

    private static let description = ManualSection(
        "DESCRIPTION",
        [
            .text(
                """
                widgetbridge keeps two directories of JSON documents in sync: the container of an app, \
                and the App Group container that its widgets read. It tells subscribers that a widget \
                has something new to show, once the new data can be read.
                """
            ),
            .text(
                """
                `widgetbridge agent` watches both containers and carries each save to the other side; \
                `widgetbridge sync` does it once. What both sides changed is merged key by key. Where \
                both changed the same key the app's value stands, and the other document is kept as a \
                conflict copy. What is overwritten or deleted goes to a trash, and `undo` brings it \
                back.
                """
            ),
            .text(
                """
                A profile describes the documents of an app: their versions, the steps between these, \
                how they are merged, and what each widget shows. With it the app and the widget can each \
                have a version of their own, and `migrate` takes documents from one version to another. \
                `race` looks for races between an app, its widget and the bridge.
                """
            ),
            .text(
                """
                A bridge is named by `--app` and `--group`, or by a configuration: see \
                `widgetbridge.yaml`(5). While an agent runs, the other commands go through it.
                """
            ),
        ]
    )

    private static let general = ManualSection(
        "OPTIONS",
        [
            .terms([
                ManualTerm(
                    "`-h`, `--help`",
                    "Show the options, an example and the exit statuses of the program or of a command."
                ),
                ManualTerm("`--version`", "Show the version."),
            ]),
            .text(
                """
                Options that several commands have are explained once, below the commands. `--json` prints \
                data for programs. An error is one line on standard error.
                """
            ),
        ]
    )

    private static let seeAlso = ManualSection.seeAlso(
        "`widgetbridge.yaml`(5), `widgetbridge-scenario`(5), `inotify`(7), `systemd.service`(5)"
    )
}
