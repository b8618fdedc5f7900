import AgentAPI
package import BridgeRuntime
package import Logging
import Model
import SyncEngine

/// Runs the hooks of a bridge, each on its own, until the task is cancelled or the bridge is closed.
///
/// A hook reads the notices as any other subscriber, so that a slow one delays nothing; what comes while it
/// runs, it gets the next time, the newest of each document and kind.
package struct HookRunner: Sendable {
    private let bridge: Bridge
    private let hooks: [Hook]
    private let environment: [String: String]
    private let logger: Logger

    /// - Parameter environment: that of the agent.
    package init(_ bridge: Bridge, _ hooks: [Hook], environment: [String: String], logger: Logger) {
        (self.bridge, self.hooks, self.logger) = (bridge, hooks, logger)
        self.environment = environment.filter { !Self.ofTheAgent.contains($0.key) }
        for hook in hooks { bridge.hookBoard.add(hook.name) }
    }

    /// With these a hook could speak to systemd in the agent's name.
    private static let ofTheAgent: Set = [
        "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES",
    ]

    package func run() async {
        let kinds = hooks.map { ($0.listener, $0.kind) }
        bridge.expectAcknowledgements(ofHooks: Dictionary(kinds) { $1 })
        await withTaskGroup { group in
            for hook in hooks { group.addTask { await run(hook) } }
        }
    }

    private func run(_ hook: Hook) async {
        let filter = ReloadFilter(kind: hook.kind, document: hook.document.flatMap { RelativePath($0) })
        let subscription = bridge.subscription(filter)
        var hasFailed = false
        while !Task.isCancelled, let events = await subscription.nextNewest() {
            // What another listener has not acknowledged.
            let news = hasFailed ? events : events.filter { !$0.isRepeated }
            if !news.isEmpty { hasFailed = await run(hook, news) }
            guard !hasFailed, let last = events.map(\.sequence).max() else { continue }
            try? await bridge.acknowledge(hook.listener, upTo: last)
        }
    }

    /// Whether it has failed.
    private func run(_ hook: Hook, _ events: [ReloadEvent]) async -> Bool {
        bridge.hookBoard.begin(hook.name)
        let lines = events.map { "\($0.json)\n" }.joined()
        var failure: HookFailure?
        do throws(HookFailure) {
            try await hook.act(Array(lines.utf8), environment: environment)
        } catch {
            failure = error
        }
        // A hook that ends with the agent has not failed.
        if Task.isCancelled { return false }
        bridge.hookBoard.end(hook.name, failure: failure?.text)
        guard let failure else { return false }
        logger.warning("a hook failed", metadata: ["hook": "\(hook.name)", "why": "\(failure.text)"])
        return true
    }
}

extension ReloadEvent {
    fileprivate var isRepeated: Bool {
        if case .notice(let notice, _) = self { notice.isRepeated } else { false }
    }

    fileprivate var sequence: Int64 {
        switch self {
        case .notice(let notice, _): notice.sequence
        case .gap(_, let sequence): sequence
        }
    }
}
