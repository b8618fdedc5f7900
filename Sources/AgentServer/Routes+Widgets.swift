import AgentAPI
import BridgeRuntime
import Documents
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import Reloads
import SyncEngine

extension Routes {
    func addWidgets(to router: Router<RequestContextOnChannel>) {
        router.on("v1/widgets", .get) { _, _, _ in
            try await json(["widgets": JSONText(bridge.widgets().map(\.json))])
        }
        router.on("v1/widgets", .post) { request, _, _ in
            let asked = try WidgetRequest(parsing: await body(of: request))
            guard let kind = asked.kind, let family = asked.family else {
                throw ProblemDetails.badRequest(WidgetRequest.form)
            }
            var response = try await json(bridge.placeWidget(kind, family: family).json)
            response.status = .created
            return response
        }
        router.on("v1/widgets/:id", .delete) { _, _, context in
            try await json(bridge.removeWidget(context.id()).json)
        }
        router.on("v1/reloads/ledger", .get, query: ["kind"]) { _, query, _ in
            try await json(LedgerList(kinds: bridge.reloadLedger(of: query["kind"])).json)
        }
        router.on("v1/reloads/ack", .post) { request, _, _ in
            let asked = try AcknowledgementRequest(parsing: await body(of: request))
            guard let cursor = asked.cursor, ReloadEvent.position(at: cursor) != nil else {
                throw ProblemDetails.badRequest(AcknowledgementRequest.form)
            }
            try await bridge.acknowledge(reloadsUpTo: cursor)
            return Response(status: .noContent)
        }
        router.on("v1/hooks", .get) { _, _, _ in
            try await json(HookList(hooks: bridge.hookReports()).json)
        }
        router.on("v1/app/state", .get) { _, _, _ in try await json(bridge.appState().json) }
        router.on("v1/app/state", .post) { request, _, _ in
            let asked = try AppStateRequest(parsing: await body(of: request))
            guard let activity = asked.state.flatMap(AppActivity.init(rawValue:)),
                let time = asked.time, AppActivity.times.contains(time)
            else { throw ProblemDetails.badRequest(AppStateRequest.form) }
            return try await json(bridge.enter(activity, for: time).json)
        }
    }

    private func body(of request: Request) async throws -> [UInt8] {
        Array(try await request.body.collect(upTo: SyncBarrierRequest.maxBody).readableBytesView)
    }
}

private struct WidgetRequest: JSONRequest {
    var kind: String?
    var family: String?

    static let members = ["kind", "family"]
    static let form = #"the body must be {"kind":"KIND","family":"FAMILY"}"#
}

private struct AcknowledgementRequest: JSONRequest {
    var cursor: String?

    static let members = ["cursor"]
    static let form = #"the body must be {"cursor":"INSTANCE:NUMBER"}, from a notice"#
}

private struct AppStateRequest: JSONRequest {
    var state: String?
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var for_ms: Int64?

    /// `nil` if it is no time.
    var time: Duration? { for_ms.map { .milliseconds($0) } ?? .milliseconds(AppActivity.lapse) }

    static let members = ["state", "for_ms"]
    static let form =
        #"the body must be {"state":"foreground|background|audio|navigation","for_ms":600000}, "#
        + "from a millisecond to a day"
}
