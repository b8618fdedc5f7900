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
        await withTaskGroup { group in
            for hook in hooks { group.addTask { await run(hook) } }
        }
    }

    private func run(_ hook: Hook) async {
        let filter = ReloadFilter(kind: hook.kind, document: hook.document.flatMap { RelativePath($0) })
        let subscription = bridge.subscription(filter)
        while !Task.isCancelled, let events = await subscription.nextNewest() {
            if !events.isEmpty { await run(hook, events) }
        }
    }

    private func run(_ hook: Hook, _ events: [ReloadEvent]) async {
        bridge.hookBoard.begin(hook.name)
        let lines = events.map { "\($0.json)\n" }.joined()
        var failure: HookFailure?
        do throws(HookFailure) {
            try await hook.act(Array(lines.utf8), environment: environment)
        } catch {
            failure = error
        }
        // A hook that ends with the agent has not failed.
        if Task.isCancelled { return }
        bridge.hookBoard.end(hook.name, failure: failure?.text)
        guard let failure else { return }
        logger.warning("a hook failed", metadata: ["hook": "\(hook.name)", "why": "\(failure.text)"])
    }
}
