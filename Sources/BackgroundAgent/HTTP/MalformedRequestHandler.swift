import Documents
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Answers what is no HTTP, or has too long a head, in the form of every other refusal, and hangs up.
final class MalformedRequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private var isAnswering = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head): isAnswering = head.status.kind != .informational
        case .body: break
        case .end: isAnswering = false
        }
        context.write(data, promise: promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
        if !isAnswering { refuse(error, context) }
        context.close(promise: nil)
        // Else whoever reads the body would take this for its end.
        context.fireErrorCaught(error)
    }

    private func refuse(_ error: HTTPParserError, _ context: ChannelHandlerContext) {
        let problem =
            switch error {
            case .headerOverflow:
                Problem(status: .requestHeaderFieldsTooLarge, detail: "the head of the request is too long")
            case .invalidEOFState:
                Problem(status: .badRequest, detail: "the request ends before it is whole")
            default: Problem(status: .badRequest, detail: "this is no HTTP request")
            }
        let body = ByteBuffer(string: problem.json.description + "\n")
        let fields: HTTPFields = [
            .contentType: Problem.contentType, .contentLength: String(body.readableBytes),
            .connection: "close",
        ]
        context.write(
            wrapOutboundOut(.head(HTTPResponse(status: problem.status, headerFields: fields))),
            promise: nil
        )
        context.write(wrapOutboundOut(.body(body)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
