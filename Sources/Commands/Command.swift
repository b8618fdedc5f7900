import ArgumentParser
import BridgeRuntime
import Model

/// What one subcommand does.
protocol Command: DocumentedCommand, AsyncParsableCommand {
    func perform(on terminal: Terminal) async throws -> CommandStatus
    /// For texts about the bridge that it is for.
    var hint: CommandHint { get }
}

extension Command {
    var hint: CommandHint { CommandHint() }
}

/// One that is given files.
protocol FilesCommand: Command {
    var options: MigrateOptions { get set }
}

/// One that migrates to a version, or says what that would do.
protocol VersionedCommand: FilesCommand {
    var target: TargetVersion { get }
}

extension FilesCommand {
    var hint: CommandHint { options.hint }
}

/// One that finds something out and is done; the printers say it.
protocol ReportingCommand: Command {
    var json: Bool { get }
    func outcome(on terminal: Terminal) async throws -> Outcome
}

extension ReportingCommand {
    func perform(on terminal: Terminal) async throws -> CommandStatus {
        let outcome = try await outcome(on: terminal)
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
        for failure in outcome.failures { terminal.complain(failure.line) }
        return status
    }
}

extension BridgeOptions {
    /// The same for every bridge; one that fails does not keep the others from being told.
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

/// A document's name as a person gave it.
func documentName(_ text: String) throws(BridgeError) -> RelativePath {
    guard let name = RelativePath(text) else {
        throw .notADocument(text, .known(.noPath))
    }
    return name
}
