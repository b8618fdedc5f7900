import AgentAPI
import BridgeRuntime
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import NIOHTTPTypes
import ServiceLifecycle

/// Notices as server-sent events.
///
/// The next one is taken only once the peer's socket has room for it. So there is no buffer here: a slow
/// subscriber falls behind in the notices the bridge keeps, delays nobody, and gets a gap where they no
/// longer reach back.
struct ReloadStream: Sendable {
    /// A peer that is gone without a word (TCP only; the kernel tells of a Unix socket's) is found by writing
    /// to it.
    private static let heartbeat = TimeAmount.seconds(15)

    let events: AsyncThrowingStream<ReloadEvent, any Error>

    func response(to request: Request, on channel: any Channel) -> Response {
        let body = ResponseBody { writer in
            let heart = startHeart(on: channel)
            defer { heart.cancel() }
            try await request.body.consumeWithCancellationOnInboundClose { _ in
                for try await event in events.cancelOnGracefulShutdown() {
                    try await writer.write(ByteBuffer(string: event.serverSentEvent))
                }
            }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: body
        )
    }

    /// A comment is no event; and where the socket is full the peer has enough to find it gone by.
    private func startHeart(on channel: any Channel) -> RepeatedTask {
        channel.eventLoop.scheduleRepeatedTask(
            initialDelay: Self.heartbeat,
            delay: Self.heartbeat
        ) { _ in
            guard channel.isWritable else { return }
            channel.writeAndFlush(HTTPResponsePart.body(ByteBuffer(string: ":\n\n")), promise: nil)
        }
    }
}

extension ReloadEvent {
    var serverSentEvent: String {
        switch self {
        case .notice: "id: \(cursor)\ndata: \(json)\n\n"
        case .gap: "event: gap\nid: \(cursor)\ndata: \(json)\n\n"
        }
    }
}

extension HTTPField.Name {
    static var lastEventID: HTTPField.Name {
        guard let name = HTTPField.Name("Last-Event-ID") else {
            preconditionFailure("a constant header name is valid")
        }
        return name
    }
}
