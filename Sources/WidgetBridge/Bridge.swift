package import BridgeRuntime

/// Keeps an app's container and its App Group container in sync.
///
/// ```swift
/// try await withBridge(app: app, group: group, options: Options(profile: .builtIn("budget"))) { bridge in
///     try await bridge.write(budget, to: "budget.json", in: .app)
///     try await bridge.wait()
///     for try await notice in bridge.notices() {
///         print(notice.kind, "should reload", notice.document, "generation", notice.generation)
///         if notice.cause == .current { break }
///     }
/// }
/// ```
///
/// It is in this process, or an agent has it (`WidgetBridgeClient`), or it is in memory
/// (`WidgetBridgeTesting`): the methods are the same.
///
/// One bridge, or one `widgetbridge agent`, can have a pair of containers at a time: a second one is refused.
/// Nothing it does destroys what was written: what it replaces or deletes is kept in its state directory.
public final class Bridge: Sendable {
    let backend: any BridgeBackend

    /// Opens the bridge in this process, and returns once both containers are watched and reconciled.
    ///
    /// - Parameters:
    ///   - app: The app's container: an existing directory.
    ///   - group: The App Group container: an existing directory that lies apart from it.
    ///   - options: How it works. The standard is right for most.
    /// - Throws: ``BridgeFailure``; its reason is `notWatching` where ``Options/watching`` demands inotify
    ///   and the containers cannot be watched.
    public init(app: String, group: String, options: Options = Options()) async throws(BridgeFailure) {
        let settings = try options.settings(app: app, group: group)
        let bridge = try await rethrowing { () throws(BridgeError) in
            try await BridgeRuntime.Bridge.open(settings, logger: options.logger, watching: true)
        }
        await bridge.ready()
        if options.watching == .inotify {
            let status = try await rethrowing { () throws(BridgeError) in try await bridge.status() }
            if let failure = BridgeFailure(notWatching: status) {
                await bridge.close()
                throw failure
            }
        }
        backend = bridge
    }

    /// A bridge with another implementation.
    package init(of backend: any BridgeBackend) { self.backend = backend }

    /// Stops watching and syncing, and releases the containers. Every stream of notices ends.
    ///
    /// For a bridge of an agent it does nothing: to end a stream of notices, cancel the task that reads it.
    public func close() async { await backend.close() }
}

/// Opens a bridge in this process, passes it to `body`, and closes it afterwards, even if `body` throws.
///
/// - Parameters:
///   - app: The app's container: an existing directory.
///   - group: The App Group container: an existing directory outside the app's container.
///   - options: The settings. The defaults suit most uses.
///   - body: The work to do with the bridge.
/// - Returns: The result of `body`.
public func withBridge<Result>(
    app: String,
    group: String,
    options: Options = Options(),
    _ body: (Bridge) async throws -> Result
) async throws -> Result {
    let bridge = try await Bridge(app: app, group: group, options: options)
    do {
        let result = try await body(bridge)
        await bridge.close()
        return result
    } catch {
        await bridge.close()
        throw error
    }
}
