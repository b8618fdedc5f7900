import AgentClient
import AgentServer
import ArgumentParser
import Glibc
import Hooks
import Model
import Processes
import RaceLab

@main
struct Program {
    static func main() async {
        // First, because the program that this process executes inherits what is set below.
        if GatedProgram.isAskedFor { exit(GatedProgram.run()) }
        if BoundProgram.isAskedFor { exit(BoundProgram.run()) }
        if RaceReaper.isAskedFor { exit(RaceReaper.run()) }
        StandardStreams.keepClosedOnesClosed()
        // Before anything else: a signal of the first moment must not find its default action.
        if CommandLine.arguments.dropFirst().first == AgentCommand.page.name { EarlySignals.trap() }
        // `write` reports a closed pipe as an error, and the command then ends quietly.
        signal(SIGPIPE, SIG_IGN)
        // A limit on the file size becomes an error of `write`, like a full disk.
        signal(SIGXFSZ, SIG_IGN)
        surviveRealTimeSignals()
        unblockSignals()
        checkArguments(on: .standard)
        ProcessTuning.giveMemoryBack()
        ProcessTuning.useOneThread()
        let status = await run(Array(CommandLine.arguments.dropFirst()), on: .standard)
        exit(status.rawValue)
    }

    /// `pkill -RTMIN+8` signals a status bar, and also reaches a process that only has the bar in its
    /// arguments. Unlike `SIG_IGN`, a handler is not passed on to the programs of hooks.
    private static func surviveRealTimeSignals() {
        for number in Hook.realTimeSignals where !Interruption.isIgnored(number) { signal(number) { _ in } }
    }

    /// Swift replaces invalid UTF-8 with U+FFFD, so a command would write to another file than the one named.
    private static func checkArguments(on terminal: Terminal) {
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let argument = unsafe CommandLine.unsafeArgv[index],
                unsafe String(validatingCString: argument) == nil
            else { continue }
            let bytes = unsafe UnsafeBufferPointer(start: argument, count: strlen(argument)).map {
                UInt8(bitPattern: $0)
            }
            let prose = ErrorProse(UsageError.notUTF8(escaped(bytes)))
            terminal.complain(prose.line)
            exit(prose.status.rawValue)
        }
    }

    /// A process inherits the signal mask of the thread that started it, and some parents block all signals.
    private static func unblockSignals() {
        var needed = sigset_t()
        unsafe sigemptyset(&needed)
        for signal in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&needed, signal) }
        _ = unsafe pthread_sigmask(SIG_UNBLOCK, &needed, nil)
    }

    static func run(_ arguments: [String], on terminal: Terminal) async -> CommandStatus {
        if let topic = HelpTopic(arguments) {
            terminal.print(topic.text(Layout(columns: terminal.columns)))
            return .done
        }
        let (shown, rest) = ManyFiles.split(NegativeValues.joined(arguments))
        var hint = CommandHint()
        do {
            if let unknown = unknownCommand(in: shown) { throw unknown }
            var command = try await WidgetBridgeCommand.asyncParseAsRoot(shown)
            if var one = command as? any FilesCommand {
                one.options.moreFiles = rest
                one.options.to = (one as? any VersionedCommand)?.target.to?.value
                command = one
            }
            if let command = command as? any Command {
                hint = command.hint
                var terminal = terminal
                terminal.unprinted = type(of: command).page.unprinted
                return try await command.perform(on: terminal)
            }
            // The remaining errors are the parser's own, and those of a command without its subcommand.
            if command is any CommandWithSubcommands {
                terminal.complain(help(for: CleanExit.helpRequest(command), columns: terminal.columns))
                return .usage
            }
            try command.run()
            return .done
        } catch {
            return report(error, of: shown, hint, on: terminal)
        }
    }

    /// Finds an unknown word where a subcommand is expected. The parser reports it as a surplus argument, or,
    /// with `--help`, prints the help of the parent command.
    private static func unknownCommand(in arguments: [String]) -> UsageError? {
        var type: any ParsableCommand.Type = WidgetBridgeCommand.self
        var name = WidgetBridgeCommand._commandName
        for word in arguments.drop(while: { $0 == "help" }) {
            guard type is any CommandWithSubcommands.Type, !word.hasPrefix("-") else { return nil }
            let known = type.configuration.subcommands
            guard let next = known.first(where: { $0._commandName == word }) else {
                return .unknownCommand(word, of: name, known: known.map { $0._commandName })
            }
            type = next
            name += " \(word)"
        }
        return nil
    }

    /// The parser's error types are internal. Except for `exitCode(for:)` and our own errors, no type says
    /// which argument of which command is wrong and why, so this reads it from the parser's messages.
    private static func report(
        _ error: any Error,
        of arguments: [String],
        _ hint: CommandHint,
        on terminal: Terminal
    ) -> CommandStatus {
        switch WidgetBridgeCommand.exitCode(for: error) {
        case .success:
            terminal.print(help(for: error, columns: terminal.columns) + "\n")
            return .done
        case .validationFailure:
            let prose = ErrorProse(wrongUsage(error, of: arguments))
            terminal.complain(prose.line)
            return prose.status
        default:
            let prose = ErrorProse(error, hint)
            terminal.complain(prose.line)
            return prose.status
        }
    }

    private static func wrongUsage(_ error: any Error, of arguments: [String]) -> UsageError {
        let (type, name) = command(in: WidgetBridgeCommand.fullMessage(for: error))
        // First: its value may be what the parser refuses, as one argument too many.
        if let foreign = WidgetBridgeCommand.foreignOption(in: arguments, of: type, name) { return foreign }
        let message = ParserMessage(WidgetBridgeCommand.message(for: error))
        return .arguments(message.text, command: name, meant: message.suggestion)
    }

    private static let usage = "USAGE: "

    /// The parser's help text, with the footer of the command's page.
    ///
    /// - Parameter columns: the width of the terminal, by which the parser itself fits only the options.
    static func help(for error: any Error, columns: Int? = nil) -> String {
        let text = WidgetBridgeCommand.fullMessage(for: error)
        guard text.contains("USAGE: "), let type = command(in: text).type as? any DocumentedCommand.Type
        else {
            return text
        }
        let end = text.lastIndex { !$0.isNewline } ?? text.startIndex
        let layout = Layout(columns: columns)
        let lines = text[...end].split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
            line.hasPrefix(usage)
                ? layout.wrapped(usage, String(line.dropFirst(usage.count))) : [String(line)]
        }
        return lines.joined(separator: "\n") + "\n\n" + type.page.footer(layout)
    }

    /// The command whose usage the text shows. The arguments are not enough to find it: options may stand
    /// between the command's words, and only the parser knows which of them take a value.
    private static func command(in text: String) -> (type: any ParsableCommand.Type, name: String) {
        let usage = text.split(separator: "\n").first { $0.lowercased().hasPrefix("usage: ") } ?? ""
        var type: any ParsableCommand.Type = WidgetBridgeCommand.self
        var name = WidgetBridgeCommand._commandName
        for word in usage.split(separator: " ").dropFirst(2) {
            guard let next = type.configuration.subcommands.first(where: { $0._commandName == word }) else {
                break
            }
            type = next
            name += " \(word)"
        }
        return (type, name)
    }
}

/// A command that only groups subcommands.
protocol CommandWithSubcommands: DocumentedCommand {}

struct WidgetBridgeCommand: AsyncParsableCommand, CommandWithSubcommands {
    static let page = HelpPage(
        name: "widgetbridge",
        abstract: "Keep an app's container and its App Group container in sync, and tell widgets to reload.",
        example: "widgetbridge agent --app ~/app --group ~/group",
        exits: [
            (.done, "done, or nothing to do"), (.failed, "error"),
            (.changesPending, "changes are pending (sync --dry-run, status, migrate plan)"),
            (.lossy, "a migration would lose something, and needs --allow-lossy"),
            (.newerVersion, "a document is of a newer version than the profile knows"),
            (.drift, "a migration's input has changed since it was planned or applied"),
            (.partlyDone, "a migration is partly done; run it again to go on"),
            (.needsDecision, "a conflict, or a document is held, or the bridge is halted or paused"),
            (.usage, "wrong usage"),
        ]
    )

    static var configuration: CommandConfiguration {
        page.configuration(
            version: "0.1.0",
            subcommands: [
                InitCommand.self, AgentCommand.self, SyncCommand.self, WaitCommand.self, StatusCommand.self,
                WhyCommand.self, DiffCommand.self, HistoryCommand.self, ConflictsCommand.self,
                UndoCommand.self, AllowCommand.self, PauseCommand.self, ResumeCommand.self, GetCommand.self,
                PutCommand.self, DeleteCommand.self, MoveCommand.self,
                SubscribeCommand.self, EventCommand.self, StoreCommand.self, JSONCommand.self,
                ProfileCommand.self, MigrateCommand.self, ReloadsCommand.self, WidgetCommand.self,
                AppStateCommand.self, RaceCommand.self,
                DoctorCommand.self,
                ManualCommand.self,
            ]
        )
    }
}
