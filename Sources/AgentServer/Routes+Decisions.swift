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
        router.get("v1/conflicts") { _, _ in
            try await json(["conflicts": JSONText(bridge.conflicts().map(\.json))])
        }
        router.post("v1/conflicts/:id") { request, context in
            let id = try context.parameters.require("id")
            return try await json(bridge.resolve(id, taking: taken(from: request)).json)
        }
        router.get("v1/history") { request, _ in
            let document = try DocumentAddress.value(of: "document", in: request)
            let name = try document.map { text throws(ProblemDetails) in
                try DocumentAddress.relativePath(text)
            }
            return try await json(["history": JSONText(bridge.history(of: name).map(\.json))])
        }
        router.post("v1/undo/:id") { _, context in
            try await json(bridge.undo(context.parameters.require("id")).json)
        }
        router.post("v1/allow/:id") { _, context in
            try await json(bridge.allow(context.parameters.require("id")).json)
        }
    }

    /// `?take=app|group`, or the same as `{"take":"app"}`; `?take=content` takes the body itself.
    private func taken(from request: Request) async throws -> Taken {
        let body = Array(try await request.body.collect(upTo: Self.maxBody).readableBytesView)
        let asked = try? JSONDecoder().decode(TakeRequest.self, from: Data(body))
        let text = try DocumentAddress.value(of: "take", in: request) ?? asked?.take ?? ""
        if text == "content" { return .content(body) }
        guard let side = Side(rawValue: text) else {
            throw ProblemDetails.badRequest(
                #"say {"take":"app"} or {"take":"group"}, or send a document to ?take=content"#
            )
        }
        return .side(side)
    }
}

private struct TakeRequest: Decodable { var take: String? }
