import AgentAPI
import BridgeRuntime
import Documents
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Model
import NIOCore

/// The handlers of all routes.
struct Routes: Sendable {
    /// A larger request body is refused. The bridge's limit for a document is smaller.
    static let maxBody = 64 << 20

    let bridge: any BridgeAccess
    let gate: ConnectionGate

    var router: Router<RequestContextOnChannel> {
        let router = Router(context: RequestContextOnChannel.self, options: .autoGenerateHeadEndpoints)
        router.on("v1/status", .get) { _, _, _ in try await json(bridge.status().json) }
        router.on("v1/profile", .get) { _, _, _ in
            let profile = try await bridge.profile()
            return json(["profile": JSONText(profile?.id), "yaml": JSONText(profile?.yaml)])
        }
        router.on("v1/documents", .get, query: ["state", "after", "limit"]) { _, query, _ in
            try await documents(query)
        }
        router.on("v1/documents/**", .get, query: ["side"]) { request, query, _ in
            try await document(request, query)
        }
        router.on("v1/documents/**", .put, query: ["side", "force"]) { request, query, _ in
            try await put(request, query)
        }
        router.on("v1/documents/**", .delete, query: ["side"]) { request, query, _ in
            try await delete(request, query)
        }
        router.on("v1/why/**", .get) { request, _, _ in
            let name = try DocumentAddress.name(in: request, behind: "/v1/why/")
            return try await json(bridge.story(of: name).json)
        }
        router.on("v1/sync", .post, query: ["dry-run", "timeout-ms"]) { request, query, _ in
            try await sync(request, query)
        }
        router.on("v1/migrate", .post) { request, _, _ in try await migrate(request) }
        router.on("v1/wait", .post) { request, _, _ in try await wait(request) }
        router.on("v1/reloads", .get, query: ["kind", "document", "since", "ack"]) {
            request,
            query,
            context in
            let filter = try filter(request, query)
            let place = try gate.openStream()
            let events = try bridge.reloads(filter).map(\.serverSentEvent)
            return EventStream(events: events, place: place).response(to: request, on: context.channel)
        }
        router.on("v1/shown", .get, query: ["kind", "document", "family", "locale"]) {
            request,
            query,
            context in
            let shown = try await shown(query)
            let place = try gate.openStream()
            return EventStream(events: shown.events(of: bridge), place: place).response(
                to: request,
                on: context.channel
            )
        }
        addDecisions(to: router)
        addWidgets(to: router)
        addEvents(to: router)
        addMonitoring(to: router)
        // After the last route, so that it handles the requests that match none.
        router.add(middleware: AllowedMethods(router.routes.map { ($0.path, $0.method) }))
        return router
    }

    func json(_ text: JSONText) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text.description + "\n"))
        )
    }

    private func documents(_ query: Query) async throws -> Response {
        let request = DocumentPage.Request(
            states: try query.states(),
            limit: try query.number("limit", least: 1).map { Int(clamping: $0) },
            after: query["after"]
        )
        let page = DocumentPage(request, of: try await bridge.status().documents)
        let paging = [("matching", JSONText(page.matching.count)), ("next", JSONText(page.next))]
        let documents = [("documents", JSONText(page.documents.map(\.json)))]
        return json(JSONText(object: documents + (request.isWhole ? [] : paging)))
    }

    private func shown(_ query: Query) async throws -> ShownTarget {
        let (document, profile) = (try query.document(), try await bridge.profile())
        let target: ShownTarget
        do {
            target = try ShownTarget(
                kind: query["kind"],
                family: query["family"],
                document: document,
                locale: query["locale"],
                zone: bridge.zone,
                profile
            )
        } catch let fault as ShownTarget.Fault {
            throw ProblemDetails(fault)
        }
        do {
            _ = try await bridge.document(target.document, side: .group)
        } catch {
            // Anything else may change while it is shown.
            if case .notADocument = error { throw error }
        }
        return target
    }

    private func document(_ request: Request, _ query: Query) async throws -> Response {
        let document = try await bridge.document(
            DocumentAddress.name(in: request, behind: "/v1/documents/"),
            side: query.side()
        )
        var headers: HTTPFields = [.contentType: "application/json", .eTag: "\"\(document.hash)\""]
        if let name = HTTPField.Name(ModifiedHeader.name) {
            headers[name] = document.modified.map { UTCTime.text($0) }
        }
        if DocumentAddress.isKnown(document.hash, to: request) {
            return Response(status: .notModified, headers: headers)
        }
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: document.bytes))
        )
    }

    private func put(_ request: Request, _ query: Query) async throws -> Response {
        let name = try DocumentAddress.name(in: request, behind: "/v1/documents/")
        let side = try query.side()
        let condition = try DocumentAddress.condition(in: request)
        let body = try await request.body.collect(upTo: Self.maxBody)
        let bytes = Array(body.readableBytesView)
        let force = try query.flag("force")
        let stored = try await write(bytes, to: name, side, if: condition, force: force)
        var response = json([
            "name": JSONText(stored.name.description), "side": JSONText(stored.side.rawValue),
            "hash": JSONText(stored.hash.description),
        ])
        if condition == .expects(.nothing) { response.status = .created }
        response.headers[.eTag] = "\"\(stored.hash)\""
        return response
    }

    private func write(
        _ bytes: [UInt8],
        to name: RelativePath,
        _ side: Side,
        if condition: DocumentAddress.Condition,
        force: Bool
    ) async throws -> StoredDocument {
        switch condition {
        case .expects(let expectation):
            return try await bridge.put(bytes, as: name, side: side, expecting: expectation, force: force)
        case .exists: return try await replace(name, side, with: bytes, force: force)
        }
    }

    private static let mostTries = 8

    /// Writes a document that must exist: the content that is read is the one that is replaced.
    private func replace(
        _ name: RelativePath,
        _ side: Side,
        with bytes: [UInt8],
        force: Bool
    ) async throws -> StoredDocument {
        do {
            let found = try await bridge.document(name, side: side).hash
            return try await replace(
                name,
                side,
                with: bytes,
                over: found,
                force: force,
                tries: Self.mostTries
            )
        } catch BridgeError.noDocument {
            throw BridgeError.mismatch(name.description, side, actual: nil)
        }
    }

    private func replace(
        _ name: RelativePath,
        _ side: Side,
        with bytes: [UInt8],
        over found: Digest,
        force: Bool,
        tries: Int
    ) async throws -> StoredDocument {
        do {
            return try await bridge.put(bytes, as: name, side: side, expecting: .content(found), force: force)
        } catch BridgeError.mismatch(_, _, let actual?) where tries > 1 {
            return try await replace(name, side, with: bytes, over: actual, force: force, tries: tries - 1)
        }
    }

    private func delete(_ request: Request, _ query: Query) async throws -> Response {
        guard request.headers[.ifNoneMatch] == nil else {
            throw ProblemDetails.badRequest("DELETE takes If-Match, but not If-None-Match")
        }
        let condition = try DocumentAddress.condition(in: request)
        let name = try DocumentAddress.name(in: request, behind: "/v1/documents/")
        let side = try query.side()
        do {
            try await bridge.delete(name, side: side, expecting: condition.digest)
        } catch BridgeError.noDocument where condition == .exists {
            throw BridgeError.mismatch(name.description, side, actual: nil)
        }
        return Response(status: .noContent)
    }

    /// For the command line of the same release only: the encoding of these values is not stable.
    private func migrate(_ request: Request) async throws -> Response {
        let body = try await request.body.collect(upTo: Self.maxBody)
        guard
            let asked = try? JSONDecoder().decode(MigrationRequest.self, from: Data(body.readableBytesView))
        else { throw ProblemDetails.badRequest("the body is not a migration request of this release") }
        let report = try JSONEncoder().encode(await bridge.migrate(asked))
        return Response(
            status: .ok,
            headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: report))
        )
    }

    /// Ends when the client closes the connection.
    private func sync(_ request: Request, _ query: Query) async throws -> Response {
        let dryRun = try query.flag("dry-run")
        let patience = try query.milliseconds("timeout-ms") ?? defaultPatience
        return try await request.body.consumeWithCancellationOnInboundClose { _ in
            try await json(bridge.sync(dryRun: dryRun, patience: patience).json)
        }
    }

    private func wait(_ request: Request) async throws -> Response {
        try await request.body.consumeWithCancellationOnInboundClose { body in
            let body = try await body.collect(upTo: SyncBarrierRequest.maxBody)
            let asked = try SyncBarrierRequest.asked(by: Array(body.readableBytesView))
            let documents = try (asked.documents ?? []).map { name throws(ProblemDetails) in
                try DocumentAddress.relativePath(name)
            }
            try await bridge.wait(for: documents, timeout: asked.timeout, rehash: asked.rehash ?? false)
            return Response(status: .noContent)
        }
    }

    /// A browser's `EventSource` sends `Last-Event-ID` when it reconnects.
    private func filter(_ request: Request, _ query: Query) throws(ProblemDetails) -> ReloadFilter {
        var filter = ReloadFilter(kind: query["kind"], document: try query.document())
        filter.since = request.headers[.lastEventID] ?? query["since"]
        if let cursor = filter.since, ReloadEvent.position(at: cursor) == nil {
            throw .badRequest("since must be a cursor, INSTANCE:NUMBER, from a notice")
        }
        filter.acknowledges = try query.flag("ack")
        return filter
    }
}

struct RequestContextOnChannel: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// The component of the path that is an ID. The router does not decode it.
    func id() throws -> String {
        let component = try parameters.require("id")
        guard let id = percentDecoded(component[...]) else {
            throw ProblemDetails.badRequest("the ID is not percent-encoded UTF-8")
        }
        return id
    }
}

extension Router<RequestContextOnChannel> {
    /// - Parameter names: the parameters that the query may have.
    func on(
        _ path: RouterPath,
        _ method: HTTPRequest.Method,
        query names: [String] = [],
        _ answer: @escaping @Sendable (Request, Query, RequestContextOnChannel) async throws -> Response
    ) {
        on(path, method: method) { request, context in
            try await answer(request, Query(request, knows: names), context)
        }
    }
}

/// The body of `POST /v1/wait`; an empty one waits five seconds for all documents.
struct SyncBarrierRequest: JSONRequest {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var timeout_ms: Int64?
    var rehash: Bool?
    /// `nil` waits for all documents.
    var documents: [String]?

    static let members = ["timeout_ms", "rehash", "documents"]
    static let form = #"the body must be {"timeout_ms":5000,"rehash":false,"documents":[]}, at most a day"#
    static let maxBody = 1 << 20
    static let longest = Duration.seconds(86_400)

    var timeout: Duration { .milliseconds(timeout_ms ?? 5000) }

    static func asked(by body: [UInt8]) throws(ProblemDetails) -> SyncBarrierRequest {
        if body.isEmpty { return SyncBarrierRequest() }
        let asked = try SyncBarrierRequest(parsing: body)
        guard .zero...longest ~= asked.timeout else { throw .badRequest(form) }
        return asked
    }
}
