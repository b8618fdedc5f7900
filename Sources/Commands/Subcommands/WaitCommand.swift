import AgentAPI
import AgentClient
import ArgumentParser
import BridgeRuntime
import Documents
import Model

struct WaitCommand: BridgeCommand {
    static let page = HelpPage(
        name: "wait",
        abstract: "Wait until all writes that ended before are in sync.",
        example: "widgetbridge wait budget.json --timeout 2s --app ~/app --group ~/group",
        exits: [
            (.done, "in sync"), (.failed, "timed out, or no agent runs"),
            (.needsDecision, "a document is held, or the bridge is halted or paused"),
            (.usage, "wrong usage"),
        ]
    )

    @Argument(
        help: "Wait only for these documents, by their paths inside the container; without any, for all.",
        completion: .documents
    )
    var documents: [String] = []

    @Option(
        help: "Wait no longer than this, as `500ms`, `5s` or `2m`. (default: 5s)",
        transform: TimeSpan.parsed
    )
    var timeout = TimeSpan(.seconds(5))

    @Flag(help: "Read every document again, to find changes that raise no event.")
    var rehash = false

    @OptionGroup var options: ClientOptions

    func perform(on terminal: Terminal) async throws -> CommandStatus {
        let names = try documents.map { text throws(BridgeError) in try documentName(text) }
        let bridges = try options.bridges(besideAgent: true)
        return try await withProgress("waiting for the agents", on: terminal) { progress in
            if bridges.count == 1, let agent = try bridges.first.map({ try AgentClient(of: $0.settings) }) {
                progress.showWaiting(for: agent)
            }
            return await withTaskGroup(of: Waited.self) { barriers in
                for bridge in bridges {
                    barriers.addTask { [self] in await waited(for: names, in: bridge) }
                }
                let all = await barriers.reduce(into: []) { $0.append($1) }
                let failures = all.compactMap(\.failure)
                for failure in failures { terminal.complain(failure.line) }
                // Otherwise a mistyped name would be reported as in sync.
                for name in names where all.allSatisfy({ $0.unknown.contains(name) }) {
                    let unseen = UnseenDocument(name: name, known: all.flatMap(\.known))
                    terminal.complain(unseen.prose(hint).line)
                }
                return .heaviest(failures.map(\.status))
            }
        }
    }

    private struct Waited {
        var failure: ErrorProse?
        /// Documents that this bridge does not have and never had.
        var unknown: Set<RelativePath> = []
        /// What it has instead.
        var known: [String] = []
    }

    private func waited(for names: [RelativePath], in bridge: NamedBridge) async -> Waited {
        do {
            let agent = try agentClient(of: bridge.settings)
            try await agent.wait(for: names, timeout: timeout.duration, rehash: rehash)
            let unknown = await unknown(names, to: agent)
            let known = unknown.isEmpty ? [] : try? await agent.status().documents.map(\.name)
            return Waited(unknown: unknown, known: known ?? [])
        } catch {
            var error = error
            // An agent may sync this pair with another state directory.
            if case .noAgent? = error as? BridgeError { error = bridge.settings.pairTaken ?? error }
            return Waited(failure: ErrorProse(error, hint.of(bridge: bridge.name)).of(bridge: bridge.name))
        }
    }

    private func unknown(_ names: [RelativePath], to agent: AgentClient) async -> Set<RelativePath> {
        var unknown: Set<RelativePath> = []
        for name in names where await agent.hasNeverSeen(name) { unknown.insert(name) }
        return unknown
    }
}
