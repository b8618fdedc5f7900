/// The part of widgetbridge.yaml(5) about what the agent does when widgets reload.
enum HookManual {
    static let blocks: [ManualBlock] = [
        .text(
            """
            Each member of the list `hooks` is a mapping with these keys, and has one of `command`, `signal` \
            and `post`. A hook gets the notices that `widgetbridge subscribe` prints, a line for each: a \
            program on its standard input, a server as the body of a POST request. When the agent starts, it \
            gets a notice for each document and kind; what comes while it runs, it gets the next time, the \
            newest of each document and kind. Hooks stand in a configuration only, never in a profile.
            """
        ),
        keys.terms, .heading("signal"), signalKeys.terms, .heading("post"), postKeys.terms,
        .text(
            """
            A program is started in the directory `/`, with the environment of the agent, but without a \
            shell. It may run for `timeout`, print 64 KiB and have 64 processes at once; beyond that it is \
            ended. All that it has started ends with it. A failure is logged, and counted by `widgetbridge \
            reloads`; a hook delays neither the bridge nor another hook.
            """
        ),
    ]

    static let keys = ManualTable([
        .init("name", "<text>", "Names the hook in reports. Default: `hook` and its number."),
        .init("kind", "<text>", "Only reloads of this widget kind. Default: all."),
        .init("document", "<name>", "Only reloads for this document. Default: all."),
        .init("timeout", "<time>", "How long it may take, at most 10 minutes.", default: "10s"),
        .init("command", "<list>", "A program and its arguments."),
        .init("signal", "<mapping>", "A signal to the user's own processes that run a program."),
        .init(
            "post",
            "<URL or mapping>",
            """
            A server on this machine: `http://127.0.0.1:`<port>, `http://[::1]:`<port>, or a Unix socket. A \
            redirect is not followed.
            """
        ),
    ])

    static let signalKeys = ManualTable([
        .init("program", "<file or name>", "The program, by its path or as found in `PATH`."),
        .init("number", "<text>", "`HUP`, `USR1`, `USR2`, `WINCH`, or `RTMIN+`<number>."),
    ])

    static let postKeys = ManualTable([
        .init("socket", "<file>", "The Unix socket."),
        .init("path", "<text>", "The path of the request.", default: "/"),
    ])
}
