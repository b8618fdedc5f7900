import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import AgentServer

/// A connection that is open when its server ends.
@Suite struct FirstRequestTests {
    /// Records when it is told of the end.
    private final class EndRecorder: ChannelInboundHandler {
        typealias InboundIn = HTTPRequestPart
        var isTold = false

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            isTold = isTold || event is ChannelShouldQuiesceEvent
        }
    }

    private let recorder = EndRecorder()
    private let channel: EmbeddedChannel

    init() throws {
        channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandlers([FirstRequestHandler(), recorder])
    }

    private func endServer() {
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    }

    private func receive(_ parts: HTTPRequestPart...) throws {
        for part in parts { try channel.writeInbound(part) }
    }

    private let head = HTTPRequestPart.head(
        HTTPRequest(method: .put, scheme: nil, authority: nil, path: "/v1/status")
    )

    @Test func `A request on its way is read before the connection ends`() throws {
        endServer()
        #expect(!recorder.isTold)
        try receive(head, .body(ByteBuffer(string: "{")))
        #expect(!recorder.isTold)
        try receive(.end(nil))
        #expect(recorder.isTold)
    }

    @Test func `A connection that sends nothing ends after 100 ms`() {
        endServer()
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(99))
        #expect(!recorder.isTold)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(recorder.isTold)
    }

    @Test func `An idle connection that has been answered ends at once`() throws {
        try receive(head, .end(nil))
        #expect(!recorder.isTold)
        endServer()
        #expect(recorder.isTold)
    }
}
