extension ProgramManual {
    static let files = ManualSection(
        "FILES",
        [
            .terms([
                ManualTerm(
                    "`widgetbridge.yaml`",
                    """
                    The configuration: in the working directory, in its parents up to the home directory, or \
                    as `$XDG_CONFIG_HOME/widgetbridge/widgetbridge.yaml`. `widgetbridge init` writes one. \
                    See `widgetbridge.yaml`(5).
                    """
                ),
                ManualTerm(
                    "`$XDG_STATE_HOME/widgetbridge/`<hash>`/`",
                    """
                    The state directory of a bridge; the hash is of the real paths of both containers. \
                    `--state` names another. Only its owner may read it. It has:
                    """
                ),
                ManualTerm(
                    "`journal.sqlite`",
                    """
                    The database of what both sides last agreed on. A broken journal is set aside as \
                    `journal-broken.sqlite`; without a journal both sides are merged as if they had never \
                    been in sync, and nothing is deleted.
                    """
                ),
                ManualTerm("`trash/`", "What was overwritten or deleted; `history` lists it."),
                ManualTerm("`conflicts/`", "The documents that lost a conflict; `conflicts` lists them."),
                ManualTerm(
                    "`originals/`, `migrations/`",
                    "The documents from before a migration, and its log, until `migrate finish`."
                ),
                ManualTerm("`agent.sock`", "The socket on which the agent serves its HTTP API."),
                ManualTerm("`agent.lock`", "A lock that the process with the open bridge holds."),
                ManualTerm(
                    "`$RUNTIME_DIRECTORY/`<bridge>`.sock`",
                    """
                    A link to `agent.sock`, for programs that do not know the state directory. It is called \
                    `agent.sock` for a bridge without a name. With the systemd user unit the directory is \
                    `$XDG_RUNTIME_DIR/widgetbridge`.
                    """
                ),
                ManualTerm(
                    "<document>`.v`<N>`.json`",
                    """
                    A view: a document in another version, published beside it, read-only. A profile asks \
                    for it.
                    """
                ),
                ManualTerm(
                    "`.widgetbridge-*`",
                    "Temporary files in the containers, there for a moment while a document is written."
                ),
                ManualTerm(
                    "`widgetbridge-watch`",
                    """
                    The program that watches with inotify. It is looked for beside `widgetbridge`, then \
                    where `WIDGETBRIDGE_WATCH` says, then on `PATH`.
                    """
                ),
            ])
        ]
    )

    static let environment = ManualSection(
        "ENVIRONMENT",
        [
            .terms([
                ManualTerm(
                    "`WIDGETBRIDGE_CONFIG`",
                    "The configuration that is read where neither `--config` nor a container is given."
                ),
                ManualTerm(
                    "`XDG_CONFIG_HOME`",
                    "Where the user's configuration is looked for. Default: `~/.config`."
                ),
                ManualTerm("`XDG_STATE_HOME`", "Where state directories are. Default: `~/.local/state`."),
                ManualTerm("`HOME`", "The home directory, which is also what `~/` means in a configuration."),
                ManualTerm(
                    "`GITHUB_WORKSPACE`",
                    "The root of the repository: `--github` names files relative to it."
                ),
                ManualTerm("`NO_COLOR`", "Prints without colours, if it is set and not empty."),
                ManualTerm(
                    "`TZ`",
                    "The time zone of the times that people are shown. Default: that of `/etc/localtime`."
                ),
                ManualTerm("`TMPDIR`", "Where temporary directories are made. Default: `/tmp`."),
                ManualTerm(
                    "`WIDGETBRIDGE_WATCH`",
                    "The path of `widgetbridge-watch`, where it is not beside `widgetbridge`."
                ),
                ManualTerm("`PATH`", "Where `widgetbridge-watch` is looked for last."),
            ]),
            .text("systemd sets these for the agent:"),
            .terms([
                ManualTerm("`NOTIFY_SOCKET`", "The socket on which the agent reports that it is ready."),
                ManualTerm(
                    "`WATCHDOG_USEC`, `WATCHDOG_PID`",
                    "How often the agent must report that its bridges answer, and which process must."
                ),
                ManualTerm("`RUNTIME_DIRECTORY`", "Where the links to the sockets are made."),
                ManualTerm(
                    "`JOURNAL_STREAM`",
                    "Names the journal's socket: a log that goes there has priorities instead of times."
                ),
            ]),
            .text("`race run` sets these for the programs that it starts:"),
            .terms([
                ManualTerm("`WIDGETBRIDGE_APP`, `WIDGETBRIDGE_GROUP`", "The two containers."),
                ManualTerm("`WIDGETBRIDGE_STATE`", "The state directory."),
                ManualTerm("`WIDGETBRIDGE_PROFILE`", "The profile; empty without one."),
                ManualTerm("`WIDGETBRIDGE_PROGRAM`", "The path of `widgetbridge`."),
                ManualTerm(
                    "`WIDGETBRIDGE_LAB_PLAYER`",
                    "Which program of the race it is. The lab finds its processes by it."
                ),
                ManualTerm(
                    "`WIDGETBRIDGE_LAB_FD`",
                    "The descriptor for the lines by which a program tells what it saves, reads and shows."
                ),
            ]),
        ]
    )

    static let examples = ManualSection(
        "EXAMPLES",
        [
            .text("Keep two directories in sync, and wait until a save has crossed:"),
            .code(
                """
                widgetbridge agent --app ~/app --group ~/group --profile budget &
                cp new.json ~/app/budget.json
                widgetbridge wait budget.json --app ~/app --group ~/group
                """
            ),
            .text("Write a configuration, look at what would be done, and do it:"),
            .code(
                """
                widgetbridge init --app ~/app --group ~/group --profile budget
                widgetbridge sync --dry-run
                widgetbridge sync
                """
            ),
            .text("Run a command for each reload of a widget:"),
            .code(
                """
                widgetbridge subscribe --kind BudgetWidget --format plain |
                    while read -r line; do pkill -RTMIN+8 waybar; done
                """
            ),
            .text("Bring back what was deleted last:"),
            .code("widgetbridge history --limit 1\nwidgetbridge undo ID"),
            .text("Migrate a directory of documents, and take it back:"),
            .code(
                """
                widgetbridge migrate plan --profile budget ~/app
                widgetbridge migrate apply --profile budget ~/app
                widgetbridge migrate rollback --profile budget ~/app
                """
            ),
        ]
    )
}
