import ArgumentParser
import Glibc
import Logging
import UnixSignals

struct AgentCommand: BridgeCommand {
    static let page = HelpPage(
        name: "agent",
        abstract: "Keep both containers in sync until SIGTERM or SIGINT.",
        discussion: """
            SIGHUP reads the configuration and the profiles again: bridges are added,
            removed or changed, and the others go on. A configuration with an error changes
            nothing.

            When widgets reload it runs the `hooks` of the configuration, a list. Each has
            one of `command` (a program and its arguments), `signal` (`program`, `number`)
            and `post` (a URL of this machine, or `socket` and `path`); and, if needed,
            `name`, `kind`, `document` and `timeout` (10s). It gets the notices as lines of
            JSON, on standard input or as the body. widgetbridge.yaml(5) has more.
            """,
        example: "widgetbridge agent --app ~/app --group ~/group --profile budget",
        exits: [
            (.done, "ended by SIGTERM or SIGINT"), (.failed, "error, or an agent already runs"),
            (.usage, "wrong usage"),
        ]
    )

    @OptionGroup var options: AgentOptions

    @Option(help: "Also serve the API on this TCP port of the loopback address, as 127.0.0.1:PORT.")
    var listen: String?

    @Option(
        help: "Require the bearer token on this file's first line for TCP connections.",
        completion: .file()
    )
    var tokenFile: String?

    func perform(on terminal: Terminal) async throws -> CommandStatus {
        // Before the bridges are opened, which may take a while.
        let hangups = await UnixSignalsSequence(trapping: .sighup)
        // The terminal was closed before that.
        if terminal.isInteractive, isatty(STDERR_FILENO) == 0 { return .done }
        // On a terminal the log shows what the agent does, for a person who started it by hand.
        let standard: Logger.Level = LineLogHandler.Form.ofThisProcess == .terminal ? .info : .warning
        // The file that is read at the start is the one that is read again: without it the search would find
        // another one, or none.
        var pinned = options
        pinned.address.config = options.address.configurationFile
        let supervisor = BridgeSupervisor(
            makeLogger: { [options] in options.log.logger(of: $0, $1 ?? standard) },
            hasFile: pinned.address.config != nil,
            read: { [pinned] in try pinned.servedBridges(listen: listen, tokenFile: tokenFile) }
        )
        try await supervisor.run(hangups, on: terminal)
        return .done
    }
}
