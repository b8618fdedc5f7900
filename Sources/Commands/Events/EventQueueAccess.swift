import AgentClient
import BridgeRuntime

extension ClientOptions {
    /// Asks the bridge's agent, which knows the profile. Without one, or if it ends before it has answered,
    /// uses the queue on the disk: each of these requests may be made twice.
    func withEvents<Value>(
        _ body: (any EventAccess) async throws -> Value
    ) async throws -> Value {
        let settings = try onlyBridge().settings
        let agent = try AgentClient(of: settings)
        if await agent.isReachable() {
            do {
                return try await body(agent)
            } catch let error as BridgeError where error.mayPass {}
        }
        let inbox = try EventInbox(of: settings)
        do {
            let value = try await body(inbox)
            await inbox.close()
            return value
        } catch {
            await inbox.close()
            throw error
        }
    }
}
