import ArgumentParser
import BridgeRuntime
import Processes

extension BridgeStatus.Document.State: ExpressibleByArgument {}

struct StatusCommand: ReportingCommand, BridgeCommand {
    static let page = HelpPage(
        name: "status",
        abstract: "Show what is in sync, pending, held or in conflict.",
        example: "widgetbridge status --only held --only conflict --app ~/app --group ~/group",
        exits: [
            (.done, "all documents asked for are in sync"), (.failed, "error, or no such document"),
            (.changesPending, "changes are pending"),
            (.newerVersion, "a document is of a newer version than the profile knows"),
            (.needsDecision, "a document is held, or the bridge is halted or paused"),
            (.usage, "wrong usage"),
        ]
    )

    @Argument(
        help: "Show only these documents, by their paths inside the container.",
        completion: .documents
    )
    var documents: [String] = []

    @Option(help: "Show only documents in this state; may be repeated.")
    var only: [BridgeStatus.Document.State] = []

    @Option(
        help: "Show at most this many documents, in order of their names.",
        transform: PositiveNumber.parsed
    )
    var limit: PositiveNumber?

    @Option(help: "Start after this document, the last one of the page before.", completion: .documents)
    var after: String?

    @Flag(help: "Show it again whenever it changes, until SIGINT or SIGTERM.")
    var watch = false

    @OptionGroup var options: WriterOptions

    @Flag(help: "Also show the files of both containers that are no documents, and why.")
    var ignored = false

    @Flag(help: "Print one JSON object for each bridge.")
    var json = false

    func perform(on terminal: Terminal) async throws -> CommandStatus {
        guard watch else { return show(try await outcome(on: terminal), on: terminal) }
        Interruption.listen(on: terminal)
        if terminal.ownsProcess { OutputReader.end(with: CommandStatus.done.rawValue) }
        var last: (text: String, status: CommandStatus)?
        repeat {
            let outcome = try await outcome(on: terminal)
            let text = json ? JSONPrinter().text(outcome.report) : TextPrinter().text(outcome.report)
            if text != last?.text {
                terminal.clear()
                last = (text, show(outcome, on: terminal))
            }
            for _ in 0..<10 where !Interruption.isAsked { try await Task.sleep(for: .milliseconds(100)) }
        } while !Interruption.isAsked
        return last?.status ?? .done
    }

    func outcome(on terminal: Terminal) async throws -> Outcome {
        let selection = DocumentSelection(
            names: try documents.map { text throws(BridgeError) in try documentName(text) },
            page: DocumentPage.Request(states: only, limit: limit?.value, after: after)
        )
        var (read, failures) = try await options.eachBridge { bridge in
            try await withBridge(bridge.settings, options.logger, on: terminal, toLook: true) {
                let status = try await $0.status()
                guard ignored else { return (status: status, ignored: [IgnoredFile]?.none) }
                return (status, IgnoredFile.all(of: status, bridge.settings, try await $0.profile()))
            }
        }
        var statuses: [Report.Of<ShownStatus>] = []
        for one in read {
            let all = read.map(\.value.status)
            guard let part = selection.part(in: one.value.status, of: all) else { continue }
            do throws(UnknownDocument) {
                var shown = try ShownStatus(one.value.status, part)
                shown.ignored = one.value.ignored
                statuses.append(Report.Of(bridge: one.bridge, value: shown))
            } catch {
                failures.append(ErrorProse(error, options.hint.of(bridge: one.bridge)).of(bridge: one.bridge))
            }
        }
        let status = CommandStatus.heaviest(statuses.map(\.value.exitStatus))
        return Outcome(report: .status(statuses), status: status, failures: failures)
    }
}
