import AgentAPI
package import BridgeRuntime
import FileSystem
import HTTPTypes
import Hummingbird
import HummingbirdCore
package import Logging
import Model
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOPosix
import ServiceLifecycle

/// Serves one bridge over HTTP until it is shut down.
///
/// Uses Hummingbird's router and HTTP channel. Its `Application` wakes once a second to update the date, and
/// an idle agent must not wake; its `Server` binds a socket itself, and a reload passes an open one on.
package struct AgentServer: Service {
    private let bridge: any BridgeAccess
    package let socket: ListeningSocket
    private let authorization: RequestAuthorization
    private let gate: ConnectionGate
    private let logger: Logger

    package init(
        bridge: any BridgeAccess,
        socket: ListeningSocket,
        authorization: RequestAuthorization,
        gate: ConnectionGate = .shared,
        logger: Logger
    ) {
        self.bridge = bridge
        self.socket = socket
        self.authorization = authorization
        self.gate = gate
        self.logger = logger
    }

    /// Answers the requests on the socket. The socket stays open when this returns.
    package func run() async throws {
        let loops = MultiThreadedEventLoopGroup.singleton
        let quiescing = ServerQuiescingHelper(group: loops)
        let (http, logger) = (http, quietLogger)
        let listener = try await ServerBootstrap(group: loops)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = quiescing.makeServerChannelHandler(channel: channel)
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .bind(try socket.duplicate()) { channel in
                http.setup(channel: channel, logger: logger).map { AcceptedConnection($0) }
            }
        try socket.listenAgain()
        try await withGracefulShutdownHandler {
            try await withThrowingDiscardingTaskGroup { tasks in
                try await listener.executeThenClose { connections in
                    for try await connection in connections {
                        tasks.addTask { await connection.handle(by: http, logger: logger) }
                    }
                }
            }
        } onGracefulShutdown: {
            quiescing.initiateShutdown(promise: nil)
        }
    }

    private var http: HTTP1Channel {
        let (gate, door) = (gate, socket.port == nil ? ConnectionGate.Door.socket : .port)
        let responder = Routes(bridge: bridge, gate: gate).router.buildResponder()
        return HTTP1Channel(
            responder: { request, writer, channel in
                try await answer(request, with: responder, to: writer, on: channel)
            },
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: [
                    AdmissionHandler(gate, through: door), FirstRequestHandler(), MalformedRequestHandler(),
                ],
                idleTimeout: .seconds(60)
            )
        )
    }

    /// An error on one connection concerns only its client; the library must not log it.
    private var quietLogger: Logger {
        var logger = logger
        logger.logLevel = .critical
        return logger
    }

    @concurrent private func answer(
        _ request: Request,
        with responder: RouterResponder<RequestContextOnChannel>,
        to writer: consuming ResponseWriter,
        on channel: any Channel
    ) async throws {
        let response: Response
        do throws(ProblemDetails) {
            try await authorization.check(request, on: channel)
            gate.recordAuthorization(channel)
            try checkLength(of: request)
            try checkIdentity(of: request)
            if request.headers[.expect]?.lowercased() == "100-continue" {
                try? await writer.writeInformationalHead(HTTPResponse(status: .continue))
            }
            response = try await reply(to: request, with: responder, on: channel)
        } catch {
            response = error.response()
        }
        let sent = request.method == .head ? response.createHeadResponse() : response
        try await writer.write(response: sent.head, body: sent.body)
    }

    private func checkLength(of request: Request) throws(ProblemDetails) {
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > Routes.maxBody {
            throw ProblemDetails(status: .contentTooLarge, detail: detail(of: .contentTooLarge, to: request))
        }
    }

    private func checkIdentity(of request: Request) throws(ProblemDetails) {
        guard let identity = bridge.identity else { return }
        do throws(BridgeError) {
            let asked = BridgeIdentity { name in HTTPField.Name(name).flatMap { request.headers[$0] } }
            try asked.check(against: identity)
        } catch {
            throw ProblemDetails(error)
        }
    }

    /// For a response that Hummingbird itself made.
    private func detail(of status: HTTPResponse.Status, to request: Request) -> String {
        status == .contentTooLarge
            ? "a body has at most \(Routes.maxBody) bytes"
            : "no route for \(request.method) \(request.uri.path)"
    }

    private func reply(
        to request: Request,
        with responder: RouterResponder<RequestContextOnChannel>,
        on channel: any Channel
    ) async throws(ProblemDetails) -> Response {
        let context = RequestContextOnChannel(
            source: ApplicationRequestContextSource(channel: channel, logger: logger)
        )
        do {
            let response = try await responder.respond(to: request, context: context)
            guard response.status.code >= 400, response.headers[.contentType] == nil else { return response }
            throw ProblemDetails(status: response.status, detail: detail(of: response.status, to: request))
        } catch let error as ProblemDetails {
            throw error
        } catch let error as BridgeError {
            throw ProblemDetails(error)
        } catch is HTTPParserError {
            throw ProblemDetails(status: .badRequest, detail: "the body is incomplete")
        } catch is CancellationError {
            // The client has closed the connection, or the agent ends: nobody waits for the answer.
            throw ProblemDetails(status: .serviceUnavailable, detail: "the request has ended")
        } catch {
            logger.error("\(request.method) \(request.uri.path): \(error)")
            throw ProblemDetails(
                status: .internalServerError,
                detail: "internal error of the agent"
            )
        }
    }
}
