import BackgroundAgent
import Logging

/// How long a command waits for another process to let go of the bridge, or for an agent that begins to
/// listen.
private let patience = Duration.seconds(5)

/// Asks the bridge's agent where one runs; else opens the bridge in this process for as long as `body` runs.
func withBridge<Result>(
    _ settings: BridgeSettings,
    logger: Logger,
    _ body: (any BridgeAccess) async throws -> Result
) async throws -> Result {
    let (access, bridge) = try await reach(settings, logger)
    do {
        let result = try await body(access)
        await bridge?.close()
        return result
    } catch {
        await bridge?.close()
        throw error
    }
}

/// The second is to be closed, where there is one.
private func reach(_ settings: BridgeSettings, _ logger: Logger) async throws -> (any BridgeAccess, Bridge?) {
    let agent = AgentClient(socketPath: try settings.socketPath())
    let deadline = ContinuousClock.now + patience
    while true {
        if await agent.isReachable() { return (agent, nil) }
        do throws(BridgeError) {
            let bridge = try await Bridge.open(settings, logger: logger, watching: false)
            return (bridge, bridge)
        } catch {
            // Another command has it for a moment, or an agent holds it and does not listen yet.
            guard case .alreadyRunning = error, ContinuousClock.now < deadline else { throw error }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
