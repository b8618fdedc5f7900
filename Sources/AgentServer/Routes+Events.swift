import AgentAPI
import BridgeRuntime
import Documents
import HTTPTypes
import Hummingbird
import HummingbirdCore
import ServiceLifecycle
import StateStore

extension Routes {
    func addEvents(to router: Router<RequestContextOnChannel>) {
        router.on("v1/events", .post) { request, _, _ in try await push(request) }
        router.on("v1/events", .get, query: ["after", "limit", "wait"]) { request, query, _ in
            try await events(request, query)
        }
        router.on("v1/events/ack", .post) { request, _, _ in try await acknowledge(request) }
    }

    /// 201 for a new event, 200 for one that the queue has or had.
    private func push(_ request: Request) async throws -> Response {
        let body = try await request.body.collect(upTo: Self.maxBody)
        let pushed = try await bridge.push(EventDraft(body: Array(body.readableBytesView)))
        var response = json(pushed.json)
        if pushed.isNew { response.status = .created }
        return response
    }

    /// With `wait`, ends once there is an event, the client closes the connection, or the agent ends.
    private func events(_ request: Request, _ query: Query) async throws -> Response {
        let asked = EventRequest(
            after: try query.number("after", least: 0) ?? 0,
            limit: try query.number("limit", least: 1).map { Int(clamping: $0) },
            waits: try query.flag("wait")
        )
        let place = asked.waits ? try gate.openStream() : nil
        defer { withExtendedLifetime(place) {} }
        return try await request.body.consumeWithCancellationOnInboundClose { _ in
            let events = try await cancelWhenGracefulShutdown { [bridge] in try await bridge.events(asked) }
            return json(["events": JSONText(events.map(\.json))])
        }
    }

    private func acknowledge(_ request: Request) async throws -> Response {
        let body = try await request.body.collect(upTo: Self.maxBody)
        try await bridge.acknowledge(AcknowledgeRequest(parsing: Array(body.readableBytesView)).ids)
        return Response(status: .noContent)
    }
}

private struct AcknowledgeRequest: JSONRequest {
    var ids: [String]

    static let members = ["ids"]
    static let form = #"the body must be {"ids":["…"]}, with the IDs of events"#
}

/// The body of `POST /v1/events`, except for `data`, whose numbers must stay as they are.
private struct PushRequest: JSONRequest {
    var id: String?
    var kind: String
    var name: String

    static let members = ["id", "kind", "name", "data"]
    static let form =
        #"the body must be {"id":"…","kind":"…","name":"…","data":…}; id and data may be left out"#
}

extension EventDraft {
    fileprivate init(body: [UInt8]) throws(ProblemDetails) {
        let request = try PushRequest(parsing: body)
        let data = try? JSONPointer(tokens: [Array("data".utf8)]).value(in: JSON(parsing: body))
        self.init(id: request.id, kind: request.kind, name: request.name, data: data?.bytes)
    }
}
