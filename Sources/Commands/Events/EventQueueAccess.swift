import AgentClient
import BridgeRuntime
import StateStore

extension ClientOptions {
    /// So many events at once: a full queue is printed from its beginning, not after it was read.
    private static let pageSize = 64

    /// Calls `body` with the events, oldest first, some at once; not at all if there is none.
    func forEachPage(of request: EventRequest, _ body: ([QueuedEvent]) -> Void) async throws {
        var request = request
        var left = request.limit ?? .max
        while left > 0 {
            request.limit = min(left, Self.pageSize)
            let events = try await withEvents { [request] in try await $0.events(request) }
            guard let last = events.last else { return }
            body(events)
            if events.count < Self.pageSize { return }
            left -= events.count
            (request.after, request.waits) = (last.seq, false)
        }
    }

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
