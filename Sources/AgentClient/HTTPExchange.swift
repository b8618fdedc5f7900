import BridgeRuntime
import FileSystem
import Model
import NIOCore
import NIOHTTP1
import NIOPosix

/// One request and its answer, on its own connection to a Unix socket.
struct HTTPExchange: Sendable {
    typealias Connection = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    let socketPath: String
    /// How long an agent may take to answer before the client checks that it responds at all.
    var patience: Duration
    var method: HTTPMethod
    var target: String
    var headers: HTTPHeaders = [:]
    var body: [UInt8] = []

    struct Answer: Sendable {
        var status: Int
        var headers: HTTPHeaders
        var body: [UInt8]
    }

    /// Sends the request and collects the answer.
    @concurrent func answer() async throws(BridgeError) -> Answer {
        try await run { status, headers, parts in
            var body: [UInt8] = []
            while let bytes = try await parts.next() { body += bytes }
            return Answer(status: status, headers: headers, body: body)
        }
    }

    /// A request may take any time. But an agent that a signal has stopped, or that does not even answer an
    /// unknown route, is not waited for.
    func patientAnswer() async throws(BridgeError) -> Answer {
        let answer: Result<Answer, BridgeError>? = await first {
            await result()
        } or: {
            repeat { if await isFoundStopped { return nil } } while await isAnswered
            return nil
        }
        guard let answer else { throw .silentAgent(process: process, socket: socketPath) }
        return try answer.get()
    }

    private func result() async -> Result<Answer, BridgeError> {
        do throws(BridgeError) { return .success(try await answer()) } catch { return .failure(error) }
    }

    /// Returns `false` after the patience, or `true` once the agent's process is stopped at two looks:
    /// somebody may continue it at once.
    private var isFoundStopped: Bool {
        get async {
            let deadline = ContinuousClock.now + patience
            var stops = 0
            while ContinuousClock.now < deadline {
                try? await Task.sleep(for: min(patience, .seconds(1)))
                if Task.isCancelled { return false }
                stops = process.map(ProcessState.isStopped) ?? false ? stops + 1 : 0
                if stops == 2 { return true }
            }
            return false
        }
    }

    /// Whether the agent responds at all, within three times the patience: the machine may be busy, and a
    /// thousand other clients be answered first.
    private var isAnswered: Bool {
        get async {
            let question = HTTPExchange(
                socketPath: socketPath,
                patience: patience,
                method: .GET,
                target: "/v1/alive"
            )
            return await first {
                (try? await question.answer()) != nil
            } or: {
                try? await Task.sleep(for: patience * 3)
                return false
            }
        }
    }

    /// The agent's process ID, from its lock file.
    var process: Int32? {
        socketPath.lastIndex(of: "/").flatMap { slash in
            ProcessLock.holder(at: socketPath[...slash] + ProcessLock.fileName)
        }
    }

    /// Sends the request and passes on the answer while it arrives.
    @concurrent func run<Result: Sendable>(
        _ read: @concurrent (_ status: Int, HTTPHeaders, inout Parts) async throws -> Result
    ) async throws(BridgeError) -> Result {
        let connection = try await connect()
        do {
            return try await connection.executeThenClose { inbound, outbound in
                try await outbound.write(contentsOf: requestParts)
                var parts = Parts(iterator: inbound.makeAsyncIterator())
                let head = try await parts.head()
                return try await read(Int(head.status.code), head.headers, &parts)
            }
        } catch let error as BridgeError {
            throw error
        } catch {
            throw .agent(status: 0, detail: "the agent closed the connection before its answer was complete")
        }
    }

    /// Connects and closes the connection.
    func canConnect() async -> Bool {
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        let channel = try? await bootstrap.connect(unixDomainSocketPath: socketPath).get()
        try? await channel?.close()
        return channel != nil
    }

    /// The answer's parts, in order.
    struct Parts {
        fileprivate var iterator: NIOAsyncChannelInboundStream<HTTPClientResponsePart>.AsyncIterator

        @concurrent fileprivate mutating func head() async throws -> HTTPResponseHead {
            while let part = try await iterator.next() {
                if case .head(let head) = part, head.status.code >= 200 { return head }
            }
            throw ChannelError.eof
        }

        /// The next bytes of the body; `nil` at its end.
        @concurrent mutating func next() async throws -> [UInt8]? {
            switch try await iterator.next() {
            case .body(let buffer): Array(buffer.readableBytesView)
            case .end: nil
            case .head, nil: throw ChannelError.eof
            }
        }
    }

    private var requestParts: [HTTPClientRequestPart] {
        var head = HTTPRequestHead(version: .http1_1, method: method, uri: target, headers: headers)
        head.headers.add(name: "host", value: "widgetbridge")
        head.headers.add(name: "connection", value: "close")
        head.headers.add(name: "content-length", value: String(body.count))
        let content: [HTTPClientRequestPart] =
            body.isEmpty ? [] : [.body(.byteBuffer(ByteBuffer(bytes: body)))]
        return [.head(head)] + content + [.end(nil)]
    }

    private func connect() async throws(BridgeError) -> Connection {
        do {
            return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(unixDomainSocketPath: socketPath) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHTTPClientHandlers()
                        return try Connection(wrappingChannelSynchronously: channel)
                    }
                }
        } catch {
            throw .noAgent(socket: socketPath)
        }
    }
}
