import NIOCore
import NIOHTTPTypes

/// Lets a client that has just connected ask before the server ends: its request may have been sent and not
/// yet been read. Without this, the connection would be closed as an idle one.
final class FirstRequestHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    /// A client on the same machine sends at once; a server should not stay for one that sends nothing.
    private static let patience = TimeAmount.milliseconds(100)

    private var hasArrived = false
    private var end: Scheduled<Void>?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.fireChannelRead(data)
        guard case .end = unwrapInboundIn(data) else { return }
        hasArrived = true
        fireEnd(context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is ChannelShouldQuiesceEvent, !hasArrived else {
            return context.fireUserInboundEventTriggered(event)
        }
        end = context.eventLoop.assumeIsolated().scheduleTask(in: Self.patience) { self.fireEnd(context) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        cancelEnd()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { cancelEnd() }

    private func fireEnd(_ context: ChannelHandlerContext) {
        guard end != nil else { return }
        cancelEnd()
        context.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    }

    private func cancelEnd() {
        end?.cancel()
        end = nil
    }
}
