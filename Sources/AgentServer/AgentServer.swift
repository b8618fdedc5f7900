import AgentAPI
package import BridgeRuntime
import FileSystem
import Glibc
import HTTPTypes
import Hummingbird
import HummingbirdCore
package import Logging
import Model
import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceLifecycle

/// Serves one bridge over HTTP until it is shut down.
///
/// Hummingbird's `Application` is left out: it wakes once a second to tell the date, and an idle agent
/// sleeps.
package struct AgentServer: Service {
    package enum Listener: Sendable {
        /// A Unix socket of mode 0600. A file left by a dead agent is replaced: who serves a bridge holds its
        /// lock.
        case socket(String)
        /// A TCP port on this machine only. Port 0 is any free one.
        case loopback(port: Int)
    }

    private let bridge: any BridgeAccess
    private let listener: Listener
    private let authorization: RequestAuthorization
    private let logger: Logger
    private let whenListening: @Sendable (_ port: Int?) -> Void

    package init(
        bridge: any BridgeAccess,
        listener: Listener,
        authorization: RequestAuthorization,
        logger: Logger,
        whenListening: @escaping @Sendable (_ port: Int?) -> Void = { _ in }
    ) {
        self.bridge = bridge
        self.listener = listener
        self.authorization = authorization
        self.logger = logger
        self.whenListening = whenListening
    }

    package func run() async throws {
        let responder = Routes(bridge: bridge).router.buildResponder()
        let http = HTTP1Channel(
            responder: { request, writer, channel in
                try await answer(request, with: responder, to: writer, on: channel)
            },
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: [MalformedRequestHandler()],
                idleTimeout: .seconds(60)
            )
        )
        let server = Server(
            childChannelSetup: http,
            configuration: ServerConfiguration(address: address, backlog: 4096),
            onServerRunning: { channel in listening(channel) },
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            logger: quietLogger
        )
        defer { removeSocket() }
        do {
            try await server.run()
        } catch let error as IOError {
            throw ListenError(place: place, errno: error.errnoCode)
        }
    }

    /// What ends the server is thrown, and said once.
    private var quietLogger: Logger {
        var logger = logger
        logger.logLevel = .critical
        return logger
    }

    private var place: String {
        switch listener {
        case .socket(let path): path
        case .loopback(let port): "127.0.0.1:\(port)"
        }
    }

    private var address: BindAddress {
        switch listener {
        case .socket(let path): .unixDomainSocket(path: path)
        case .loopback(let port): .hostname("127.0.0.1", port: port)
        }
    }

    private func listening(_ channel: any Channel) {
        if case .socket(let path) = listener, unsafe chmod(path, 0o600) != 0 {
            // Nobody else gets in all the same: every request is checked for whose it is.
            logger.warning("cannot make \(path) private: \(systemMessage(errno))")
        }
        whenListening(channel.localAddress?.port)
    }

    private func removeSocket() {
        if case .socket(let path) = listener { unsafe unlink(path) }
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
            try checkLength(of: request)
            try checkIdentity(of: request)
            if request.headers[.expect]?.lowercased() == "100-continue" {
                try? await writer.writeInformationalHead(HTTPResponse(status: .continue))
            }
            response = try await reply(to: request, with: responder, on: channel)
        } catch {
            response = error.response()
        }
        try await writer.write(response: response.head, body: response.body)
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

    /// Of what Hummingbird refuses by itself.
    private func detail(of status: HTTPResponse.Status, to request: Request) -> String {
        status == .contentTooLarge
            ? "a body has at most \(Routes.maxBody) bytes"
            : "nothing answers \(request.method) \(request.uri.path)"
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
            throw ProblemDetails(status: .badRequest, detail: "the body is not whole")
        } catch {
            logger.error("\(request.method) \(request.uri.path): \(error)")
            throw ProblemDetails(status: .internalServerError, detail: "the agent failed; its log tells more")
        }
    }
}

/// A server that could not begin to listen.
package struct ListenError: Error, Hashable {
    package var place: String
    package var errno: Int32

    package init(place: String, errno: Int32) {
        self.place = place
        self.errno = errno
    }
}
