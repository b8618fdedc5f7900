import AgentAPI
package import BridgeRuntime
import Documents
import NIOHTTP1
package import StateStore

extension AgentClient {
    package func push(_ event: EventDraft) async throws(BridgeError) -> PushedEvent {
        // The agent would take data that is not JSON for a fault of the whole request.
        _ = try event.checked(nil, EventRules())
        var exchange = exchange(.POST, "/v1/events")
        exchange.body = Array(event.json.description.utf8)
        let answer = try await exchange.checkedAnswer()
        guard let json = try? JSONPointer.root.value(in: JSON(parsing: answer.body)),
            let event = QueuedEvent(json)
        else { throw unknownAnswer(answer) }
        return PushedEvent(event: event, isNew: answer.status == 201)
    }

    package func events(_ request: EventRequest) async throws(BridgeError) -> [QueuedEvent] {
        let limit = request.limit.map { "&limit=\($0)" } ?? ""
        let target = "/v1/events?after=\(request.after)&wait=\(request.waits)\(limit)"
        let answer = try await exchange(.GET, target).checkedAnswer()
        guard let events = QueuedEvent.list(answer.body) else { throw unknownAnswer(answer) }
        return events
    }

    package func acknowledge(_ ids: [String]) async throws(BridgeError) {
        var exchange = exchange(.POST, "/v1/events/ack")
        let asked: JSONText = ["ids": JSONText(ids.map { JSONText($0) })]
        exchange.body = Array(asked.description.utf8)
        _ = try await exchange.checkedAnswer()
    }
}
