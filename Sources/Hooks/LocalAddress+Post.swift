import NIOCore
import NIOHTTP1
import NIOPosix

extension LocalAddress {
    private typealias Connection = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    /// Lines of JSON; any answer of success will do.
    func post(_ body: [UInt8], within time: Duration) async throws(HookFailure) {
        let answer: Result<Int, HookFailure> = await withTaskGroup { group in
            group.addTask { await result(body) }
            group.addTask {
                try? await Task.sleep(for: time)
                return .failure(.timedOut(time))
            }
            defer { group.cancelAll() }
            // The group has two tasks, so there is a result.
            while true { if let value = await group.next() { return value } }
        }
        switch try answer.get() {
        case 200..<300: return
        case let status where (300..<400).contains(status): throw .redirect(status)
        case let status: throw .status(status)
        }
    }

    private func result(_ body: [UInt8]) async -> Result<Int, HookFailure> {
        do {
            return .success(try await status(body))
        } catch is HTTPParserError {
            return .failure(.badAnswer)
        } catch {
            return .failure(.noAnswer)
        }
    }

    /// Of the answer, whose body is not read.
    @concurrent private func status(_ body: [UInt8]) async throws -> Int {
        let connection = try await connect()
        return try await connection.executeThenClose { inbound, outbound in
            try await outbound.write(contentsOf: parts(body))
            for try await part in inbound {
                if case .head(let head) = part, head.status.code >= 200 { return Int(head.status.code) }
            }
            throw ChannelError.eof
        }
    }

    private func parts(_ body: [UInt8]) -> [HTTPClientRequestPart] {
        var head = HTTPRequestHead(version: .http1_1, method: .POST, uri: path)
        head.headers = [
            "host": name, "connection": "close", "content-type": "application/x-ndjson",
            "content-length": "\(body.count)",
        ]
        return [.head(head), .body(.byteBuffer(ByteBuffer(bytes: body))), .end(nil)]
    }

    private var name: String {
        switch host {
        case .loopback(let address, let port):
            address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
        case .socket: "localhost"
        }
    }

    private func connect() async throws -> Connection {
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        let initialize: @Sendable (any Channel) -> EventLoopFuture<Connection> = { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHTTPClientHandlers()
                return try Connection(wrappingChannelSynchronously: channel)
            }
        }
        switch host {
        case .loopback(let address, let port):
            return try await bootstrap.connect(
                to: SocketAddress(ipAddress: address, port: port),
                channelInitializer: initialize
            )
        case .socket(let path):
            return try await bootstrap.connect(unixDomainSocketPath: path, channelInitializer: initialize)
        }
    }
}
