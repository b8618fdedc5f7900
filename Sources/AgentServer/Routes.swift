import AgentAPI
import BridgeRuntime
import Documents
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Model
import NIOCore

/// What stands behind each address.
struct Routes: Sendable {
    /// A request's body is refused beyond this; what a document may have is the bridge's to say, and is less.
    static let maxBody = 64 << 20

    let bridge: any BridgeAccess

    var router: Router<RequestContextOnChannel> {
        let router = Router(context: RequestContextOnChannel.self, options: .autoGenerateHeadEndpoints)
        router.get("v1/status") { _, _ in try await json(bridge.status().json) }
        router.get("v1/documents") { _, _ in try await documents() }
        router.get("v1/documents/**") { request, _ in try await document(request) }
        router.put("v1/documents/**") { request, _ in try await put(request) }
        router.delete("v1/documents/**") { request, _ in try await delete(request) }
        router.get("v1/why/**") { request, _ in
            let name = try DocumentAddress.name(in: request, behind: "/v1/why/")
            return try await json(bridge.story(of: name).json)
        }
        router.post("v1/sync") { request, _ in try await sync(request) }
        router.post("v1/migrate") { request, _ in try await migrate(request) }
        router.post("v1/wait") { request, _ in try await wait(request) }
        router.get("v1/reloads") { request, context in
            ReloadStream(events: try bridge.reloads(filter(request))).response(
                to: request,
                on: context.channel
            )
        }
        addDecisions(to: router)
        addMonitoring(to: router)
        // Behind the last route: it hears of what none of them answers.
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

    private func documents() async throws -> Response {
        let documents = try await bridge.status().documents
        return json(["documents": JSONText(documents.map(\.json))])
    }

    private func document(_ request: Request) async throws -> Response {
        let document = try await bridge.document(
            DocumentAddress.name(in: request, behind: "/v1/documents/"),
            side: DocumentAddress.side(in: request)
        )
        let headers: HTTPFields = [.contentType: "application/json", .eTag: "\"\(document.hash)\""]
        if DocumentAddress.isKnown(document.hash, to: request) {
            return Response(status: .notModified, headers: headers)
        }
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: document.bytes))
        )
    }

    private func put(_ request: Request) async throws -> Response {
        let name = try DocumentAddress.name(in: request, behind: "/v1/documents/")
        let side = try DocumentAddress.side(in: request)
        let expectation = try DocumentAddress.expectation(in: request)
        let body = try await request.body.collect(upTo: Self.maxBody)
        let stored = try await bridge.put(
            Array(body.readableBytesView),
            as: name,
            side: side,
            expecting: expectation
        )
        var response = json([
            "name": JSONText(stored.name.description), "side": JSONText(stored.side.rawValue),
            "hash": JSONText(stored.hash.description),
        ])
        if expectation == .nothing { response.status = .created }
        response.headers[.eTag] = "\"\(stored.hash)\""
        return response
    }

    private func delete(_ request: Request) async throws -> Response {
        guard request.headers[.ifNoneMatch] == nil else {
            throw ProblemDetails.badRequest("a DELETE has If-Match, or no condition")
        }
        let expectation = try DocumentAddress.expectation(in: request)
        var expected: Digest?
        if case .content(let digest) = expectation { expected = digest }
        try await bridge.delete(
            DocumentAddress.name(in: request, behind: "/v1/documents/"),
            side: DocumentAddress.side(in: request),
            expecting: expected
        )
        return Response(status: .noContent)
    }

    /// For the command line, which is of the same release: the values as they are.
    private func migrate(_ request: Request) async throws -> Response {
        let body = try await request.body.collect(upTo: Self.maxBody)
        guard
            let asked = try? JSONDecoder().decode(MigrationRequest.self, from: Data(body.readableBytesView))
        else { throw ProblemDetails.badRequest("the body is no migration that this release knows") }
        let report = try JSONEncoder().encode(await bridge.migrate(asked))
        return Response(
            status: .ok,
            headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: report))
        )
    }

    /// Who hangs up is not waited for.
    private func sync(_ request: Request) async throws -> Response {
        let dryRun = try DocumentAddress.flag("dry-run", in: request)
        return try await request.body.consumeWithCancellationOnInboundClose { _ in
            try await json(bridge.sync(dryRun: dryRun).json)
        }
    }

    private func wait(_ request: Request) async throws -> Response {
        try await request.body.consumeWithCancellationOnInboundClose { body in
            let body = try await body.collect(upTo: SyncBarrierRequest.maxBody)
            let asked = try SyncBarrierRequest(parsing: Array(body.readableBytesView))
            let documents = try (asked.documents ?? []).map { name throws(ProblemDetails) in
                try DocumentAddress.relativePath(name)
            }
            try await bridge.wait(for: documents, timeout: asked.timeout, rehash: asked.rehash ?? false)
            return Response(status: .noContent)
        }
    }

    /// `Last-Event-ID` is what a browser's `EventSource` sends when it comes back.
    private func filter(_ request: Request) throws(ProblemDetails) -> ReloadFilter {
        var filter = ReloadFilter(kind: try DocumentAddress.value(of: "kind", in: request))
        if let document = try DocumentAddress.value(of: "document", in: request) {
            filter.document = try DocumentAddress.relativePath(document)
        }
        let since = try DocumentAddress.value(of: "since", in: request)
        filter.since = request.headers[.lastEventID] ?? since
        if let cursor = filter.since, ReloadEvent.position(at: cursor) == nil {
            throw .badRequest("since is a cursor, INSTANCE:NUMBER, as a notice has it")
        }
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
}

/// The body of `POST /v1/wait`; an empty one asks for five seconds.
struct SyncBarrierRequest: Decodable {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var timeout_ms: Int64?
    var rehash: Bool?
    /// Without any, it waits for all of them.
    var documents: [String]?

    static let maxBody = 1 << 20
    static let longest = Duration.seconds(86_400)

    var timeout: Duration { .milliseconds(timeout_ms ?? 5000) }

    init(parsing body: [UInt8]) throws(ProblemDetails) {
        if body.isEmpty { return }
        let decoded = try? JSONDecoder().decode(SyncBarrierRequest.self, from: Data(body))
        guard let decoded, .zero...Self.longest ~= decoded.timeout else {
            throw .badRequest(
                #"the body is {"timeout_ms":5000,"rehash":false,"documents":[]}, at most a day"#
            )
        }
        self = decoded
    }
}
