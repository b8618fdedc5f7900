import AgentAPI
import AgentClient
import ArgumentParser
import BridgeRuntime
import Documents
import Glibc
import Model
import Processes
import Synchronization

struct SubscribeCommand: BridgeCommand {
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case jsonl, plain, waybar, eww, i3blocks, polybar, template

        /// `nil` for notices.
        var bar: BarFormat? { BarFormat(rawValue: rawValue) }
    }

    static let page = HelpPage(
        name: "subscribe",
        abstract: "Print a line for each reload: the current state first, then every change.",
        discussion: """
            For a status bar, --format prints what one document shows: at once, and
            whenever that or its state changes, also by time. The state is fresh, stale,
            error, nodata, locked or incompatible. It goes on when an agent starts again.
            Of a kind with a budget it prints a change when that is reloaded, as a widget
            would.

            With --ack, write the cursor of each notice to standard input, a line for each.
            A kind with `retry` in its profile is told again until one does.

            In a template, `{data.spent}` is a field, `{#data.list}` counts, and `{{` is
            a brace. The kinds of the built-in profiles have templates.
            """,
        example: "widgetbridge subscribe --kind BudgetWidget --app ~/app --group ~/group",
        exits: [
            (.done, "ended by --count, by SIGTERM, or because its output was closed"),
            (.failed, "error, or no agent runs, or it ended"), (.usage, "wrong usage"),
            (.interrupted, "interrupted"),
        ]
    )

    @Option(help: "Only reloads of this widget kind.", completion: .kinds)
    var kind: String?

    @Option(help: "Only reloads of this document.", completion: .documents)
    var document: String?

    @Option(help: "Start after this cursor, from an earlier notice.")
    var since: String?

    @Option(
        help: "End after this many notices, including those of the current state.",
        transform: PositiveNumber.parsed
    )
    var count: PositiveNumber?

    @Flag(help: "Acknowledge each notice: its cursor is read from standard input.")
    var ack = false

    @Option(help: "Lines of JSON, columns for people, or lines for a status bar.")
    var format = Format.jsonl

    @Option(help: "For a status bar: the text, with fields of the document in its newest version.")
    var template: String?

    @OptionGroup var options: ClientOptions

    func validate() throws {
        if format.bar == nil, template != nil {
            throw ValidationError("--template needs --format template, or that of a status bar")
        }
        if format.bar != nil, since != nil {
            throw ValidationError("--since is for notices; a status bar gets the current state")
        }
        if format.bar != nil, ack { throw ValidationError("--ack is for notices") }
        if let since, ReloadEvent.position(at: since) == nil {
            throw ValidationError("--since must be a cursor, INSTANCE:NUMBER, from a notice")
        }
    }

    func perform(on terminal: Terminal) async throws -> CommandStatus {
        // SIGTERM may end the process at once, because each line is written completely
        // before the next is read.
        if terminal.ownsProcess {
            signal(SIGTERM) { _ in _exit(0) }
            OutputReader.end(with: CommandStatus.done.rawValue)
        }
        if let bar = format.bar { return try await show(in: bar, on: terminal) }
        let bridges = try subscribedBridges()
        let filter = ReloadFilter(
            kind: kind,
            document: try document.map(documentName),
            since: since,
            acknowledges: ack
        )
        let acknowledging = ack ? try acknowledge(bridges[0].settings, on: terminal) : nil
        defer { acknowledging?.cancel() }
        let printer = NoticePrinter(filter: filter, format: format, limit: count?.value, terminal: terminal)
        try await printAll(of: bridges, filter, with: printer, on: terminal)
        return .done
    }

    /// A cursor is that of one bridge.
    private func subscribedBridges() throws -> [NamedBridge] {
        let bridges = try options.bridges(besideAgent: true)
        let option = since != nil ? "--since" : ack ? "--ack" : nil
        if let option, bridges.count > 1 {
            throw UsageError.severalBridges(option, known: bridges.compactMap(\.name))
        }
        return bridges
    }

    private func printAll(
        of bridges: [NamedBridge],
        _ filter: ReloadFilter,
        with printer: NoticePrinter,
        on terminal: Terminal
    ) async throws {
        try await withThrowingTaskGroup(of: BridgeError?.self) { streams in
            for bridge in bridges {
                let agent = try agentClient(of: bridge.settings)
                streams.addTask {
                    do {
                        let missing = try await withProgress("waiting", on: terminal) { progress in
                            progress.showWaiting(for: agent)
                            try await agent.knock()
                            return await unseen(filter.document, by: agent)
                        }
                        printer.report(missing, ofBridges: bridges.count, hint)
                        return try await printer.printAll(of: agent, named: bridge.name)
                    } catch {
                        throw FailureOfBridge(name: bridge.name, error: afterRemoval(of: bridge, error))
                    }
                }
            }
            var refusals: [BridgeError] = []
            // The first stream to end, by the count or because its agent ended, ends all. But a bridge that
            // does not have the kind ends none, because another bridge may have it.
            while let refusal = try await streams.next() ?? nil {
                refusals.append(refusal)
                if refusals.count == bridges.count { throw BridgeError(unknownKindOf: refusals) }
            }
            streams.cancelAll()
        }
    }

    private func unseen(_ name: RelativePath?, by agent: AgentClient) async -> UnseenDocument? {
        guard let name else { return nil }
        return await agent.unseen(name)
    }

    /// The agent ends a bridge that is no longer in the configuration; starting an agent would not help.
    private func afterRemoval(of bridge: NamedBridge, _ error: any Error) -> any Error {
        guard case .subscriptionEnded(_, isServed: false)? = error as? BridgeError, let name = bridge.name,
            let file = options.address.configurationFile,
            let entries = try? options.address.configuration()?.entries,
            !entries.contains(where: { $0.name == name })
        else { return error }
        return UsageError.removedBridge(name, from: file, known: entries.compactMap(\.name))
    }
}

/// Prints the notices of all streams, each on one line, until the limit is reached.
private final class NoticePrinter: Sendable {
    private let filter: ReloadFilter
    private let format: SubscribeCommand.Format
    private let limit: Int?
    private let terminal: Terminal
    private let printed = Mutex(0)
    /// The bridges that have never seen the document, as far as they were asked.
    private let unseen = Mutex<[UnseenDocument]>([])

    init(filter: ReloadFilter, format: SubscribeCommand.Format, limit: Int?, terminal: Terminal) {
        self.filter = filter
        self.format = format
        self.limit = limit
        self.terminal = terminal
    }

    /// Reports that no bridge has seen the document, once the last one has said so. A bridge without
    /// documents has just begun.
    func report(_ document: UnseenDocument?, ofBridges count: Int, _ hint: CommandHint) {
        guard let document else { return }
        let all = unseen.withLock { unseen in
            unseen.append(document)
            return unseen
        }
        let known = all.flatMap(\.known)
        if all.count < count || known.isEmpty { return }
        terminal.complain(UnseenDocument(name: document.name, known: known).prose(hint).line)
    }

    /// Returns `nil` once the limit is reached, or the error if this bridge does not have the kind.
    func printAll(of agent: AgentClient, named bridge: String?) async throws -> BridgeError? {
        do {
            for try await event in agent.reloads(filter) where print(event, of: bridge) { return nil }
        } catch let error as BridgeError {
            guard case .unknownKind = error else { throw error }
            return error
        }
        throw BridgeError.subscriptionEnded(socket: agent.socketPath, isServed: await answersAgain(agent))
    }

    /// The socket of a bridge that is opened again stays open, and the request waits there. That of an ended
    /// one is closed, and the request fails.
    private func answersAgain(_ agent: AgentClient) async -> Bool {
        do {
            try await agent.knock()
            return true
        } catch {
            return false
        }
    }

    /// Gaps are printed but not counted, because they are no notices.
    private func print(_ event: ReloadEvent, of bridge: String?) -> Bool {
        printed.withLock { printed in
            if let limit, printed >= limit { return true }
            switch format {
            case .jsonl: terminal.print("\(event.json.with(bridge: bridge))\n")
            default: terminal.print(TextPrinter(columns: terminal.columns).line(event, of: bridge))
            }
            if case .notice = event { printed += 1 }
            return limit.map { printed >= $0 } ?? false
        }
    }
}

extension BridgeError {
    /// No bridge has the kind: combines the known kinds of all bridges, for the suggestion.
    fileprivate init(unknownKindOf refusals: [BridgeError]) {
        var (kind, known) = ("", [String]())
        for case .unknownKind(let asked, let some) in refusals {
            kind = asked
            known += some.filter { !known.contains($0) }
        }
        self = .unknownKind(kind, known: known)
    }
}
