package import AgentClient
import BridgeRuntime
public import WidgetBridge

extension WidgetBridge.Bridge {
    /// Connects to the bridge that a `widgetbridge agent` of the same user has.
    ///
    /// ```swift
    /// let bridge = try await Bridge(agentFor: app, group: group)
    /// let budget = try await bridge.data(of: "budget.json")
    /// ```
    ///
    /// It has the same methods as a bridge in this process, and closing it leaves the agent alone.
    ///
    /// - Parameters:
    ///   - app: The app's container, as the agent was given it.
    ///   - group: The App Group container.
    ///   - state: The agent's state directory, where it was given one.
    ///   - patience: How long an agent may be silent before it is asked whether it still answers at all.
    /// - Throws: ``BridgeFailure`` with the reason `noAgent` where no agent answers.
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

extension AgentClient: BridgeBackend {
    /// Nothing runs in this process.
    package func close() async {}
}
