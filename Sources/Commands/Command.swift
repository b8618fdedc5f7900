import ArgumentParser
import BridgeRuntime
import Model

/// One subcommand of the program.
protocol Command: DocumentedCommand, AsyncParsableCommand {
    func perform(on terminal: Terminal) async throws -> CommandStatus
    /// Builds the command lines that error messages about this command's bridge suggest.
    var hint: CommandHint { get }
}

extension Command {
    var hint: CommandHint { CommandHint() }
}

/// A command that takes files.
protocol FilesCommand: Command {
    var options: MigrateOptions { get set }
}

/// A command that migrates to a version, or shows what that would do.
protocol VersionedCommand: FilesCommand {
    var target: TargetVersion { get }
}

extension FilesCommand {
    var hint: CommandHint { options.hint }
}

/// A command that returns one report, for the printers to print.
protocol ReportingCommand: Command {
    var json: Bool { get }
    func outcome(on terminal: Terminal) async throws -> Outcome
}

extension ReportingCommand {
    func perform(on terminal: Terminal) async throws -> CommandStatus {
        show(try await outcome(on: terminal), on: terminal)
    }

    /// Prints the outcome, and returns the exit status.
    func show(_ outcome: Outcome, on terminal: Terminal) -> CommandStatus {
        let status = CommandStatus.heaviest([outcome.status] + outcome.failures.map(\.status))
        if json {
            terminal.print(JSONPrinter().text(outcome.report), endingWith: status)
        } else if case .document(let document) = outcome.report {
            terminal.print(document.bytes, endingWith: status)
        } else if case .value(let value) = outcome.report {
            terminal.print(value.bytes, endingWith: status)
        } else {
            let printer = TextPrinter(
                usesColour: terminal.usesColour,
                columns: terminal.columns,
                hint: hint
            )
            terminal.print(printer.text(outcome.report), endingWith: status)
        }
        let annotations = outcome.annotations.map { "\($0.line)\n" }.joined()
        if !annotations.isEmpty { terminal.print(annotations, endingWith: status) }
        for failure in outcome.failures { terminal.complain(failure.line) }
        return status
    }
}

extension BridgeOptions {
    /// Runs `body` for every bridge. An error of one bridge does not stop the others.
    func eachBridge<Value>(
        _ body: (NamedBridge) async throws -> Value
    ) async throws -> (values: [Report.Of<Value>], failures: [ErrorProse]) {
        var values: [Report.Of<Value>] = []
        var failures: [ErrorProse] = []
        for bridge in try bridges(besideAgent: true) {
            do {
                values.append(Report.Of(bridge: bridge.name, value: try await body(bridge)))
            } catch {
                failures.append(ErrorProse(error, hint.of(bridge: bridge.name)).of(bridge: bridge.name))
            }
        }
        return (values, failures)
    }
}

/// Parses a document's name from the command line.
func documentName(_ text: String) throws(BridgeError) -> RelativePath {
    guard let name = RelativePath(text) else {
        throw .notADocument(text, .known(.noPath))
    }
    return name
}
