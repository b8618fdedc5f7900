import AgentClient
import BridgeRuntime
// A program that uses an agent needs no other import.
@_exported public import WidgetBridge

extension WidgetBridge.Bridge {
    /// Connects to a bridge of a `widgetbridge agent` that the same user runs.
    ///
    /// ```swift
    /// let bridge = try await Bridge(agentFor: app, group: group)
    /// let budget = try await bridge.data(of: "budget.json")
    /// ```
    ///
    /// It has the same methods as a bridge in this process. Closing it does not affect the agent.
    ///
    /// - Parameters:
    ///   - app: The app's container, as in the agent's configuration.
    ///   - group: The App Group container.
    ///   - state: The agent's state directory, if the agent was given one.
    ///   - patience: How long the agent may take to answer before it is checked whether it answers at all.
    /// - Throws: ``BridgeFailure`` with the reason `noAgent` if no agent answers.
    public convenience init(
        agentFor app: String,
        group: String,
        state: String? = nil,
        patience: Duration = .seconds(10)
    ) async throws(BridgeFailure) {
        let client = try await rethrowing { () throws(BridgeError) in
            let settings = BridgeSettings(app: app, group: group, state: state)
            let client = AgentClient(
                socketPath: try settings.socketPath(),
                identity: try BridgeIdentity(settings),
                patience: patience
            )
            try await client.knock()
            return client
        }
        self.init(of: client)
    }
}
