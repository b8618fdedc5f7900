import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import TestBridge
import Testing

@testable import AgentServer

/// How many connections and streams clients may take, and for how long without a request.
@Suite(.timeLimit(.minutes(1))) struct ConnectionGateTests {
    private let usual = ConnectionGate(.init(descriptors: 1_024))

    /// Its places do not end while this process waits for a processor.
    private func gate(unauthorized: Int = 64, streams: Int = 1_000) -> ConnectionGate {
        var limits = ConnectionGate.Limits(descriptors: 1_024)
        limits.patience = .seconds(3_600)
        (limits.unauthorized, limits.streams) = (unauthorized, streams)
        return ConnectionGate(limits)
    }

    private func connection(
        _ gate: ConnectionGate,
        _ door: ConnectionGate.Door = .socket
    ) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(AdmissionHandler(gate, through: door))
        try channel.connect(to: .init(unixDomainSocketPath: "/s")).wait()
        return channel
    }

    private func status(_ socketPath: String, _ target: String = "/v1/status") async throws -> String {
        let connection = try RawConnection(socketPath: socketPath)
        try? await connection.send("GET \(target) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        return String(await connection.receiveAll().prefix(12))
    }

    @Test func `The engine and the watcher keep a part of the descriptors`() {
        let most = [64, 256, 1_024, 4_096].map { ConnectionGate.Limits(descriptors: $0).connections }
        #expect(most == [16, 128, 768, 3_072])
        let streams = [64, 256, 1_024, 4_096].map { ConnectionGate.Limits(descriptors: $0).streams }
        #expect(streams == [8, 64, 384, 1_000])
    }

    @Test func `Requests on the port take no place of those on the socket`() throws {
        let gate = gate(unauthorized: 1)
        let port = try (connection(gate, .port), connection(gate, .port))
        let socket = try (connection(gate), connection(gate))
        #expect(port.0.isActive && !port.1.isActive)
        #expect(socket.0.isActive && !socket.1.isActive)
        for channel in [port.0, port.1, socket.0, socket.1] {
            _ = try channel.finish(acceptAlreadyClosed: true)
        }
    }

    @Test func `Requests that wait for an event count as streams`() async throws {
        try await withServer(of: FakeBridge(), gate: gate(streams: 1)) { socketPath in
            let stream = try RawConnection(socketPath: socketPath)
            try await stream.send("GET /v1/reloads HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(await stream.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
            #expect(try await status(socketPath, "/v1/events?wait=true") == "HTTP/1.1 503")
            stream.hangUp()
        }
    }

    @Test func `Incomplete requests beyond the limit are refused, until one of them ends`() throws {
        let gate = gate(unauthorized: 2)
        let halves = try (connection(gate), connection(gate))
        let refused = try connection(gate)
        #expect(halves.0.isActive && halves.1.isActive && !refused.isActive)
        guard case .head(let head)? = try refused.readOutbound(as: HTTPResponsePart.self) else {
            Issue.record("no response")
            return
        }
        #expect(head.status == .serviceUnavailable)
        _ = try halves.0.finish()
        let next = try connection(gate)
        #expect(next.isActive)
        for channel in [halves.1, refused, next] { _ = try channel.finish(acceptAlreadyClosed: true) }
    }

    @Test func `Connections with an authorized request do not count as incomplete`() async throws {
        try await withServer(of: FakeBridge(), gate: gate(unauthorized: 1)) { socketPath in
            var open: [RawConnection] = []
            for _ in 0..<3 {
                let connection = try RawConnection(socketPath: socketPath)
                try await connection.send("GET /v1/status HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(await connection.receive(until: "}\n").hasPrefix("HTTP/1.1 200"))
                open.append(connection)
            }
            for connection in open { connection.hangUp() }
        }
    }

    @Test func `Streams beyond the limit are refused, and requests are answered`() async throws {
        try await withServer(of: FakeBridge(), gate: gate(streams: 1)) { socketPath in
            let stream = try RawConnection(socketPath: socketPath)
            try await stream.send("GET /v1/reloads HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(await stream.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
            #expect(try await status(socketPath, "/v1/reloads") == "HTTP/1.1 503")
            #expect(try await status(socketPath) == "HTTP/1.1 200")
            stream.hangUp()
        }
    }

    @Test func `A refused stream gives its connection back, although the client keeps it`() async throws {
        try await withServer(of: FakeBridge(), gate: gate(streams: 0)) { socketPath in
            let refused = try RawConnection(socketPath: socketPath)
            try await refused.send("GET /v1/reloads HTTP/1.1\r\nHost: x\r\n\r\n")
            let response = await refused.receive(until: "}\n")
            #expect(response.hasPrefix("HTTP/1.1 503") && response.lowercased().contains("connection: close"))
            #expect(await refused.receive() == "")
        }
    }

    @Test func `A connection without an authorized request ends after 5 seconds`() throws {
        let channel = try connection(usual)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(4_999))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(!channel.isActive)
        guard case .head(let head)? = try channel.readOutbound(as: HTTPResponsePart.self) else {
            Issue.record("no response")
            return
        }
        #expect(head.status == .serviceUnavailable)
    }

    /// On a busy machine it may take longer until the request is authorized.
    @Test func `A connection stays while the server has a request to answer`() throws {
        let channel = try connection(usual)
        let request = HTTPRequest(method: .get, scheme: nil, authority: "x", path: "/v1/status")
        try channel.writeInbound(HTTPRequestPart.head(request))
        channel.embeddedEventLoop.advanceTime(by: .seconds(60))
        #expect(channel.isActive)
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .unauthorized)))
        try channel.writeOutbound(HTTPResponsePart.end(nil))
        channel.embeddedEventLoop.advanceTime(by: .seconds(5))
        #expect(!channel.isActive)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    @Test func `An authorized connection stays`() throws {
        let gate = gate()
        let channel = try connection(gate)
        gate.recordAuthorization(channel)
        channel.embeddedEventLoop.advanceTime(by: .seconds(60))
        #expect(channel.isActive)
        _ = try channel.finish()
    }
}
