import AgentAPI
import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Refuses a connection beyond the limits, and ends one without an authorized request in time, or after an
/// answer that says so.
final class AdmissionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let gate: ConnectionGate
    private let door: ConnectionGate.Door
    private var hasBegun = false
    private var isRefused = false
    /// Another answer would be taken for that of the next request.
    private var hasHead = false
    /// The server has to answer, which is not up to the client.
    private var isAnswering = false
    /// The answer says that the connection ends with it.
    private var isLast = false
    private var deadline: Scheduled<Void>?

    init(_ gate: ConnectionGate, through door: ConnectionGate.Door) { (self.gate, self.door) = (gate, door) }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { begin(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head = unwrapInboundIn(data) { (hasHead, isAnswering) = (true, true) }
        if !isRefused { context.fireChannelRead(data) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head): isLast = head.headerFields[.connection] == "close"
        case .body: break
        case .end:
            isAnswering = false
            if isLast { return end(context, data, promise) }
        }
        context.write(data, promise: promise)
    }

    private func end(_ context: ChannelHandlerContext, _ data: NIOAny, _ promise: EventLoopPromise<Void>?) {
        let written = promise ?? context.eventLoop.makePromise()
        let channel = context.channel
        written.futureResult.whenComplete { _ in channel.close(promise: nil) }
        context.write(data, promise: written)
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

    private func begin(_ context: ChannelHandlerContext) {
        if hasBegun { return }
        hasBegun = true
        guard gate.admit(context.channel, through: door) else {
            return refuse("too many connections; try again later", context)
        }
        awaitRequest(context)
    }

    private func awaitRequest(_ context: ChannelHandlerContext) {
        let patience = gate.limits.patience
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(patience)) {
            if self.gate.isAuthorized(context.channel) { return }
            if self.isAnswering { return self.awaitRequest(context) }
            if self.hasHead { return context.close(promise: nil) }
            self.refuse(
                "no complete, authorized request within \(patience.components.seconds) seconds",
                context
            )
        }
    }

    private func refuse(_ detail: String, _ context: ChannelHandlerContext) {
        isRefused = true
        let problem = ProblemDetails(status: .serviceUnavailable, detail: detail)
        for part in problem.closingResponse { context.write(wrapOutboundOut(part), promise: nil) }
        context.flush()
        context.close(promise: nil)
    }
}
