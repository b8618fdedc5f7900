import AgentAPI
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Answers what is not HTTP, a head that is too long, and a request that is incomplete when the agent ends,
/// with problem details as all errors, and closes the connection.
final class MalformedRequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private var isAnswering = false
    /// A request has begun, and has not ended.
    private var isReceiving = false
    /// The number of requests that have begun and are not answered.
    private var unanswered = 0
    private var isEnding = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: (isReceiving, unanswered) = (true, unanswered + 1)
        case .body: break
        case .end: isReceiving = false
        }
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.fireUserInboundEventTriggered(event)
        guard event is ChannelShouldQuiesceEvent else { return }
        isEnding = true
        hangUpOnHalf(context)
    }

    /// The rest of an incomplete request may never come. Earlier requests are answered first.
    private func hangUpOnHalf(_ context: ChannelHandlerContext) {
        guard isEnding, isReceiving, unanswered == 1 else { return }
        isReceiving = false
        if !isAnswering {
            refuse(ProblemDetails(status: .serviceUnavailable, detail: "the agent is shutting down"), context)
        }
        context.close(promise: nil)
        context.fireErrorCaught(HTTPParserError.invalidEOFState)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head): isAnswering = head.status.kind != .informational
        case .body: break
        case .end: (isAnswering, unanswered) = (false, unanswered - 1)
        }
        context.write(data, promise: promise)
        hangUpOnHalf(context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
        if !isAnswering { refuse(Self.problem(of: error), context) }
        context.close(promise: nil)
        // Otherwise the reader of the body would take this for its end.
        context.fireErrorCaught(error)
    }

    private static func problem(of error: HTTPParserError) -> ProblemDetails {
        switch error {
        case .headerOverflow:
            ProblemDetails(
                status: .requestHeaderFieldsTooLarge,
                detail: "the head of the request is too long"
            )
        case .invalidEOFState:
            ProblemDetails(status: .badRequest, detail: "the request is incomplete")
        default: ProblemDetails(status: .badRequest, detail: "this is not an HTTP request")
        }
    }

    private func refuse(_ problem: ProblemDetails, _ context: ChannelHandlerContext) {
        for part in problem.closingResponse { context.write(wrapOutboundOut(part), promise: nil) }
        context.flush()
    }
}
