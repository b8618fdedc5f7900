import AgentAPI
import BridgeRuntime
import Documents
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Model
import NIOCore
import SyncEngine

extension Routes {
    func addDecisions(to router: Router<RequestContextOnChannel>) {
        router.on("v1/conflicts", .get) { _, _, _ in
            try await json(["conflicts": JSONText(bridge.conflicts().map(\.json))])
        }
        router.on("v1/conflicts/:id", .post, query: ["take"]) { request, query, context in
            let id = try context.id()
            return try await json(bridge.resolve(id, taking: taken(from: request, query)).json)
        }
        router.on("v1/history", .get, query: ["document"]) { _, query, _ in
            try await json(["history": JSONText(bridge.history(of: query.document()).map(\.json))])
        }
        router.on("v1/undo/:id", .post) { _, _, context in
            try await json(bridge.undo(context.id()).json)
        }
        router.on("v1/allow/:id", .post) { _, _, context in
            try await json(bridge.allow(context.id()).json)
        }
        router.on("v1/pause", .post) { _, _, _ in try await json(bridge.pause().json) }
        router.on("v1/resume", .post) { _, _, _ in try await json(bridge.resume().json) }
    }

    /// `?take=app|group`, or the same as `{"take":"app"}`; `?take=content` takes the body itself.
    private func taken(from request: Request, _ query: Query) async throws -> Taken {
        let body = Array(try await request.body.collect(upTo: Self.maxBody).readableBytesView)
        if query["take"] == "content" { return .content(body) }
        let asked = body.isEmpty ? nil : try TakeRequest(parsing: body).take
        guard let text = query["take"] ?? asked, text == asked ?? text, let side = Side(rawValue: text) else {
            throw ProblemDetails.badRequest(TakeRequest.form)
        }
        return .side(side)
    }
}

private struct TakeRequest: JSONRequest {
    var take: String?

    static let members = ["take"]
    static let form = #"send {"take":"app"} or {"take":"group"}, or a document to ?take=content"#
}
