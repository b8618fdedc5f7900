import AgentClient
import AgentServer
import ArgumentParser
import BridgeRuntime
import Logging
import ServiceLifecycle
import UnixSignals

struct AgentCommand: BridgeCommand {
    static let page = HelpPage(
        name: "agent",
        abstract: "Keep both containers in sync until SIGTERM or SIGINT.",
        example: "widgetbridge agent --app ~/app --group ~/group --profile budget",
        exits: [
            (.done, "ended by SIGTERM or SIGINT"), (.failed, "error, or an agent already runs"),
            (.usage, "wrong usage"),
        ]
    )

    @OptionGroup(title: "Bridge") var options: BridgeOptions

    @Option(help: "Serve the API on a port of this machine, too, as 127.0.0.1:PORT.")
    var listen: String?

    @Option(
        help: "Require the bearer token on this file's first line for TCP connections.",
        completion: .file()
    )
    var tokenFile: String?

    func perform(on terminal: Terminal) async throws -> CommandStatus {
        let named = try options.bridges()
        let port = try port(bridges: named)
        try OpenFiles.raiseLimit(bridges: named.count)
        var bridges: [Bridge] = []
        do {
            for bridge in named {
                bridges.append(try await Bridge.open(bridge.settings, logger: options.logger, watching: true))
            }
            try await run(bridges, port, on: terminal)
        } catch {
            for bridge in bridges { await bridge.close() }
            throw error
        }
        for bridge in bridges { await bridge.close() }
        return .done
    }

    private struct Port {
        var number: Int
        var token: String
    }

    private func run(_ bridges: [Bridge], _ port: Port?, on terminal: Terminal) async throws {
        let (listening, signal) = AsyncStream<Void>.makeStream()
        var servers: [AgentServer] = []
        for bridge in bridges {
            servers.append(server(of: bridge, .socket(bridge.socketPath), .owner, signal))
            if let port {
                servers.append(server(of: bridge, .loopback(port: port.number), .token(port.token), signal))
            }
        }
        let announcer = Announcer(
            bridges: bridges,
            servers: servers.count,
            listening: listening,
            terminal: terminal
        )
        // What comes last is ended first, so that no bridge is gone while somebody asks it.
        var configuration = ServiceGroupConfiguration(
            services: bridges.map { BridgeService(bridge: $0) } + servers + [announcer],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: options.logger
        )
        configuration.maximumGracefulShutdownDuration = .seconds(10)
        try await ServiceGroup(configuration: configuration).run()
    }

    private func server(
        of bridge: Bridge,
        _ listener: AgentServer.Listener,
        _ authorization: RequestAuthorization,
        _ signal: AsyncStream<Void>.Continuation
    ) -> AgentServer {
        AgentServer(
            bridge: bridge,
            listener: listener,
            authorization: authorization,
            logger: options.logger,
            whenListening: { _ in signal.yield() }
        )
    }

    private func port(bridges: [NamedBridge]) throws -> Port? {
        guard let listen else { return nil }
        let parts = listen.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, ["127.0.0.1", "localhost"].contains(parts[0]), let number = UInt16(parts[1])
        else {
            throw UsageError.notLoopback(listen)
        }
        guard bridges.count == 1 else {
            throw UsageError.severalBridges("--listen", known: bridges.compactMap(\.name))
        }
        return Port(number: Int(number), token: try token())
    }

    /// Standard input is what this process alone was given.
    private func token() throws -> String {
        guard let tokenFile else { throw UsageError.tokenMissing(file: nil) }
        let file = try NamedFile(tokenFile)
        if file.path != "-", file.mode & 0o077 != 0 { throw UsageError.readableToken(file.path) }
        guard let token = try file.text().split(whereSeparator: \.isNewline).first else {
            throw UsageError.tokenMissing(file: tokenFile)
        }
        return String(token)
    }
}
