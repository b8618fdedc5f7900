import AgentServer
import BridgeRuntime
import Logging
import ServiceLifecycle
import Synchronization

/// One bridge of an agent with the servers that answer for it. They start and end together, and without the
/// agent's other bridges.
final class ServedBridge: Service {
    let settings: ServedSettings
    let bridge: Bridge
    private let group: ServiceGroup
    private let servers: Int
    private var link: SocketLink? { SocketLink(to: bridge.socketPath, bridge: settings.name) }
    private let listening: (stream: AsyncThrowingStream<Void, any Error>, signal: Signal)
    private let ended = AsyncStream<Never>.makeStream()
    private let hasStarted = Atomic(false)
    /// The agent goes on without it if it cannot start to listen.
    private let isAddition: Bool

    private typealias Signal = AsyncThrowingStream<Void, any Error>.Continuation

    static func open(
        _ settings: ServedSettings,
        _ logger: Logger,
        isAddition: Bool
    ) async throws(BridgeError) -> ServedBridge {
        let bridge = try await Bridge.open(settings.bridge, logger: logger, watching: true)
        return ServedBridge(settings, bridge, logger, isAddition)
    }

    private init(_ settings: ServedSettings, _ bridge: Bridge, _ logger: Logger, _ isAddition: Bool) {
        self.settings = settings
        self.bridge = bridge
        self.isAddition = isAddition
        let (stream, signal) = AsyncThrowingStream<Void, any Error>.makeStream()
        listening = (stream, signal)
        func server(_ listener: AgentServer.Listener, _ authorization: RequestAuthorization) -> AgentServer {
            AgentServer(
                bridge: bridge,
                listener: listener,
                authorization: authorization,
                logger: logger.ofLifecycle,
                whenListening: { _ in signal.yield() }
            )
        }
        var servers = [server(.socket(bridge.socketPath), .owner)]
        if let port = settings.port {
            servers.append(server(.loopback(port: port.number), .token(port.token)))
        }
        self.servers = servers.count
        // What comes last is ended first, so that no bridge is gone while somebody asks it.
        var configuration = ServiceGroupConfiguration(
            services: [BridgeService(bridge: bridge)] + servers,
            logger: logger.ofLifecycle
        )
        configuration.maximumGracefulShutdownDuration = .seconds(10)
        group = ServiceGroup(configuration: configuration)
    }

    func run() async throws {
        defer {
            link?.remove()
            ended.continuation.finish()
        }
        do {
            try await group.run()
            listening.signal.finish()
        } catch {
            listening.signal.finish(throwing: error)
            await bridge.close()
            if isAddition, !hasStarted.load(ordering: .acquiring) { return }
            throw error
        }
        await bridge.close()
    }

    /// Returns once it can be asked. For one caller.
    func start() async throws {
        var signals = listening.stream.makeAsyncIterator()
        for _ in 0..<servers { _ = try await signals.next() }
        hasStarted.store(true, ordering: .releasing)
        link?.make()
        await bridge.ready()
    }

    /// Returns once it has let go of its directories and its port. For one caller.
    func end() async {
        await group.triggerGracefulShutdown()
        for await _ in ended.stream {}
    }
}

extension Logger {
    /// For the libraries that start and end services: what they print of a server has its token in it.
    var ofLifecycle: Logger {
        var logger = self
        logger.logLevel = max(logLevel, .notice)
        return logger
    }
}

/// Watches and syncs until it is told to end.
private struct BridgeService: Service {
    let bridge: Bridge

    func run() async throws {
        try await cancelWhenGracefulShutdown { [bridge] in try await bridge.run() }
    }
}
