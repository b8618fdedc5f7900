import AgentAPI
import BridgeRuntime
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import NIOHTTPTypes
import ServiceLifecycle

/// Server-sent events.
///
/// An event is taken only when the peer's socket has room for it, so nothing is buffered here. A slow
/// subscriber of notices reads from those that the bridge keeps, delays no other, and gets a gap once the
/// next notice is no longer kept.
struct EventStream<Events: AsyncSequence & Sendable>: Sendable where Events.Element == String {
    /// How often a comment is written, to notice a TCP peer that has vanished without closing. The kernel
    /// reports the end of a Unix socket's peer.
    private static var heartbeat: TimeAmount { .seconds(15) }

    let events: Events
    let place: ConnectionGate.StreamPlace

    func response(to request: Request, on channel: any Channel) -> Response {
        let body = ResponseBody { writer in
            let heart = startHeart(on: channel)
            defer { heart.cancel() }
            try await request.body.consumeWithCancellationOnInboundClose { _ in
                for try await event in events.cancelOnGracefulShutdown() {
                    try await writer.write(ByteBuffer(string: event))
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

    /// Not written while the socket is full: the bytes that wait there show whether the peer still reads.
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
