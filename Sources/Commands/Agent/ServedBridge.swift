import AgentServer
import BridgeRuntime
import FoundationEssentials
import Hooks
import Logging
import ServiceLifecycle

/// One bridge of an agent, with its servers. It starts and ends independently of the agent's other bridges.
final class ServedBridge: Service {
    let settings: ServedSettings
    let bridge: Bridge
    /// The sockets stay open when this bridge ends, for its successor.
    let sockets: [ListeningSocket]
    private let group: ServiceGroup
    private var link: SocketLink? { SocketLink(to: bridge.socketPath, bridge: settings.name) }
    private let ended = AsyncStream<Never>.makeStream()
    private let supervisor: BridgeSupervisor

    /// - Parameter sockets: listening sockets of ended bridges, in which clients may already wait.
    static func open(
        _ settings: ServedSettings,
        _ logger: Logger,
        by supervisor: BridgeSupervisor,
        listeningOn sockets: [ListeningSocket] = []
    ) async throws -> ServedBridge {
        let bridge = try await Bridge.open(settings.bridge, logger: logger, watching: true)
        do {
            let servers = try settings.listeners(socketPath: bridge.socketPath).map { address, clients in
                AgentServer(
                    bridge: bridge,
                    socket: try sockets.first { $0.address == address } ?? ListeningSocket(address),
                    authorization: clients,
                    logger: logger.ofLifecycle
                )
            }
            return ServedBridge(settings, bridge, servers, supervisor, logger)
        } catch {
            await bridge.close()
            throw error
        }
    }

    private init(
        _ settings: ServedSettings,
        _ bridge: Bridge,
        _ servers: [AgentServer],
        _ supervisor: BridgeSupervisor,
        _ logger: Logger
    ) {
        self.settings = settings
        self.supervisor = supervisor
        self.bridge = bridge
        sockets = servers.map(\.socket)
        let environment = ProcessInfo.processInfo.environment
        let hooks = HookRunner(bridge, settings.hooks, environment: environment, logger: logger)
        // The group ends its last service first, so the bridge outlives the servers that use it.
        var configuration = ServiceGroupConfiguration(
            services: [BridgeService(bridge: bridge), HookService(runner: hooks)] + servers,
            logger: logger.ofLifecycle
        )
        configuration.maximumGracefulShutdownDuration = .seconds(10)
        group = ServiceGroup(configuration: configuration)
    }

    func run() async throws {
        defer { ended.continuation.finish() }
        do {
            try await group.run()
        } catch {
            await bridge.close()
            if await supervisor.continues(without: self, after: error) { return }
            throw error
        }
        await bridge.close()
    }

    /// Returns once the bridge is reconciled. Call it once.
    func start() async {
        link?.make()
        await bridge.ready()
    }

    /// Returns once the bridge has released its directories; its sockets stay open. Call it once.
    func end() async {
        await group.triggerGracefulShutdown()
        for await _ in ended.stream {}
    }

    /// Closes the sockets, except those on which one of the other bridges listens.
    func closeSockets(except others: [ServedBridge] = []) {
        for socket in sockets where !others.contains(where: { $0.sockets.contains { $0 === socket } }) {
            socket.close()
        }
        if let link, !others.contains(where: { $0.link?.path == link.path }) { link.remove() }
    }
}

extension ServedSettings {
    fileprivate func listeners(
        socketPath: String
    ) -> [(ListeningSocket.Address, clients: RequestAuthorization)] {
        let owner = [(ListeningSocket.Address.socket(socketPath), clients: RequestAuthorization.owner)]
        guard let port else { return owner }
        return owner + [(.loopback(port: port.number), .token(port.token))]
    }
}

extension Logger {
    /// For libraries that start and end services: below `notice` they log the server, and with it the token.
    var ofLifecycle: Logger {
        var logger = self
        logger.logLevel = max(logLevel, .notice)
        return logger
    }
}

/// Watches and syncs until a shutdown is requested.
private struct BridgeService: Service {
    let bridge: Bridge

    func run() async throws {
        try await cancelWhenGracefulShutdown { [bridge] in try await bridge.run() }
    }
}

private struct HookService: Service {
    let runner: HookRunner

    func run() async throws {
        await cancelWhenGracefulShutdown { [runner] in
            await runner.run()
            // A service that ends would end the others.
            try? await gracefulShutdown()
        }
    }
}
