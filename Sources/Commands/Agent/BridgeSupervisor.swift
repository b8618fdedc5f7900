import AgentServer
import BridgeRuntime
import Glibc
import Logging
import ServiceLifecycle
import UnixSignals

/// Opens the bridges of an agent, and changes them when the configuration is reloaded.
actor BridgeSupervisor {
    private var logger: Logger
    private let makeLogger: @Sendable (_ bridge: String?, Logger.Level?) -> Logger
    private let read: @Sendable () throws -> [ServedSettings]
    /// Whether the settings come from a file, and not only from the command line.
    private let hasFile: Bool
    private(set) var served: [ServedBridge] = []
    private var group: ServiceGroup?

    init(
        makeLogger: @escaping @Sendable (_ bridge: String?, Logger.Level?) -> Logger,
        hasFile: Bool,
        read: @escaping @Sendable () throws -> [ServedSettings]
    ) {
        self.hasFile = hasFile
        logger = makeLogger(nil, nil)
        self.makeLogger = makeLogger
        self.read = read
    }

    /// Serves the bridges until a shutdown of the process is requested.
    func run(_ hangups: UnixSignalsSequence, on terminal: Terminal) async throws {
        let settings = try read()
        try OpenFiles.raiseLimit(bridges: settings.count)
        logger = makeLogger(nil, settings.compactMap(\.logLevel).min())
        do {
            for settings in settings {
                served.append(try await open(settings))
            }
            let services: [any Service] =
                served + [
                    Announcer(supervisor: self, terminal: terminal), Watchdog(supervisor: self),
                    Reloader(supervisor: self, hangups: hangups, terminal: terminal),
                ]
            var configuration = ServiceGroupConfiguration(
                services: services.map { .init(service: $0, successTerminationBehavior: .ignore) },
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: logger.ofLifecycle
            )
            configuration.maximumGracefulShutdownDuration = .seconds(10)
            let group = ServiceGroup(configuration: configuration)
            self.group = group
            try await group.run()
        } catch {
            await close()
            throw error
        }
        await close()
    }

    /// Removes a bridge that failed. Returns `false` if no other is left: then the agent ends with its error.
    func continues(without bridge: ServedBridge, after error: any Error) async -> Bool {
        guard served.contains(where: { $0 !== bridge }) else { return false }
        served.removeAll { $0 === bridge }
        bridge.closeSockets(except: served)
        logger.error(
            "a bridge has ended; the others continue",
            metadata: ["bridge": "\(bridge.settings.name ?? "")", "why": "\(ErrorProse(error).text)"]
        )
        ServiceManager.notify(await statusLine())
        return true
    }

    private func open(
        _ settings: ServedSettings,
        listeningOn sockets: [ListeningSocket] = []
    ) async throws -> ServedBridge {
        do {
            let logger = makeLogger(settings.name, settings.logLevel)
            return try await .open(settings, logger, by: self, listeningOn: sockets)
        } catch {
            throw FailureOfBridge(name: settings.name, error: error)
        }
    }

    /// Without a profile private files cross as well.
    func warnOfEverything() {
        for one in served where one.settings.bridge.profile == nil {
            let bridge = one.settings.name.map { ["bridge": Logger.MetadataValue.string($0)] } ?? [:]
            logger.info("no profile: \(BridgeSettings.allCrosses)", metadata: bridge)
        }
    }

    private func close() async {
        for one in served {
            await one.bridge.close()
            one.closeSockets()
        }
    }

    func shutDown() async { await group?.triggerGracefulShutdown() }

    // MARK: Reloading the configuration

    /// Changes the bridges to match the configuration. If one of them cannot be opened, nothing changes.
    func reload() async {
        ServiceManager.notifyReloading()
        do {
            let change = BridgeChange(from: served.map(\.settings), to: try read())
            try await make(change)
            logger = makeLogger(nil, served.compactMap(\.settings.logLevel).min())
            if hasFile {
                logger.notice("the configuration was reloaded", metadata: change.metadata)
            } else if change.isNothing {
                logger.warning("SIGHUP: there is no configuration file to reload; nothing has changed")
            } else {
                logger.notice("the profile was reloaded", metadata: change.metadata)
            }
        } catch {
            let why = ErrorProse(error).text
            logger.error(
                "the configuration was not reloaded: nothing has changed",
                metadata: ["why": "\(why)"]
            )
        }
        ServiceManager.notify("READY=1")
        ServiceManager.notify(await statusLine())
    }

    /// Opens the added bridges before it ends others, unless they need something that one of those holds. A
    /// bridge that is reopened keeps its sockets, where its clients wait until it answers.
    private func make(_ change: BridgeChange) async throws {
        let ending = served.filter { one in change.removed.contains { $0.isSame(as: one.settings) } }
        let sockets = ending.flatMap(\.sockets)
        var new: [ServedBridge] = []
        defer { closeSockets(of: ending + new) }
        do {
            for settings in change.added { new.append(try await add(settings)) }
            for one in ending { await end(one) }
            for settings in change.replaced { new.append(try await add(settings, listeningOn: sockets)) }
        } catch {
            for one in new { await end(one) }
            for one in ending where !serves(one) { try await add(one.settings, listeningOn: sockets) }
            throw error
        }
    }

    private func serves(_ bridge: ServedBridge) -> Bool { served.contains { $0 === bridge } }

    private func closeSockets(of bridges: [ServedBridge]) {
        for one in bridges where !serves(one) { one.closeSockets(except: served) }
    }

    @discardableResult
    private func add(
        _ settings: ServedSettings,
        listeningOn sockets: [ListeningSocket] = []
    ) async throws -> ServedBridge {
        try OpenFiles.raiseLimit(bridges: served.count + 1)
        let one = try await open(settings, listeningOn: sockets)
        await group?.addServiceUnlessShutdown(.init(service: one, successTerminationBehavior: .ignore))
        await one.start()
        served.append(one)
        return one
    }

    private func end(_ one: ServedBridge) async {
        await one.end()
        served.removeAll { $0 === one }
    }

    // MARK: Status for systemd

    /// Waits until every bridge has answered.
    func statusLine() async -> String {
        var documents = 0
        var problems: [String] = []
        for one in served {
            guard let summary = await one.bridge.summary() else { continue }
            documents += summary.documents
            let name = one.settings.name.map { "\($0) " } ?? ""
            if summary.isHalted { problems.append("\(name)halted") }
            if summary.isPaused { problems.append("\(name)paused") }
            if summary.held > 0 { problems.append("\(name)holds \(summary.held)") }
        }
        let bridges = served.count == 1 ? "1 bridge" : "\(served.count) bridges"
        return "STATUS=" + (["\(bridges), \(documents) documents"] + problems).joined(separator: "; ")
    }
}

/// The difference between the open bridges and a new configuration.
struct BridgeChange {
    var removed: [ServedSettings]
    /// New bridges that need nothing that a removed bridge holds.
    var added: [ServedSettings]
    /// New bridges that need something of a removed one, and start after it has ended.
    var replaced: [ServedSettings]
    var unchanged: Int

    init(from old: [ServedSettings], to new: [ServedSettings]) {
        removed = old.filter { one in !new.contains { $0.isSame(as: one) } }
        let fresh = new.filter { one in !old.contains { $0.isSame(as: one) } }
        let claimed = removed.reduce(into: Set<String>()) { $0.formUnion($1.claims) }
        added = fresh.filter { $0.claims.isDisjoint(with: claimed) }
        replaced = fresh.filter { !$0.claims.isDisjoint(with: claimed) }
        unchanged = new.count - fresh.count
    }

    var isNothing: Bool { removed.isEmpty && added.isEmpty && replaced.isEmpty }

    var metadata: Logger.Metadata {
        func names(_ settings: [ServedSettings]) -> Logger.MetadataValue? {
            settings.isEmpty ? nil : "\(settings.map { $0.name ?? "the bridge" }.joined(separator: ", "))"
        }
        let fresh = added + replaced
        let gone = removed.filter { old in !fresh.contains { $0.name == old.name } }
        let changed = fresh.filter { new in removed.contains { $0.name == new.name } }
        let added = fresh.filter { new in !removed.contains { $0.name == new.name } }
        let named = ["added": names(added), "changed": names(changed), "removed": names(gone)]
        return named.compactMapValues(\.self).merging(["unchanged": "\(unchanged)"]) { $1 }
    }
}
