import AgentClient
import BridgeRuntime
import Logging
import Model
import SyncEngine

/// How long a command waits for another process to release the bridge, or for a starting agent to listen.
private let patience = Duration.seconds(5)

/// An error of one bridge, if there are several.
struct FailureOfBridge: Error {
    var name: String?
    var error: any Error
}

/// The bridge has no document of this name; `known` are the names that it has.
struct UnknownDocument: Error {
    var error: BridgeError
    var name: String
    var known: [String]
}

/// The same for a command that does not say how far it is.
func withBridge<Result>(
    _ settings: BridgeSettings,
    _ logger: Logger,
    on terminal: Terminal,
    doing: String = "working",
    toLook: Bool = false,
    _ body: (any BridgeAccess) async throws -> Result
) async throws -> Result {
    try await withBridge(
        settings,
        logger,
        on: terminal,
        doing: doing,
        toLook: toLook,
        counting: { access, _ in
            try await body(access)
        }
    )
}

/// Uses the bridge's agent if one runs; otherwise opens the bridge in this process while `body` runs.
///
/// - Parameter doing: the progress text while the work is done in this process.
func withBridge<Result>(
    _ settings: BridgeSettings,
    _ logger: Logger,
    on terminal: Terminal,
    doing: String,
    toLook: Bool,
    counting body: (any BridgeAccess, Progress) async throws -> Result
) async throws -> Result {
    try await withProgress(doing, on: terminal) { progress in
        let (access, bridge) = try await reach(settings, logger, toLook ? .look : .command, progress)
        do {
            let result = try await body(access, progress)
            await bridge?.close()
            return result
        } catch {
            let named = await naming(documentsOf: access, error)
            await bridge?.close()
            throw named
        }
    }
}

/// Adds the names of the existing documents to the error that a document does not exist.
private func naming(documentsOf bridge: any BridgeAccess, _ error: any Error) async -> any Error {
    guard case .noDocument(let name, _)? = error as? BridgeError, let error = error as? BridgeError,
        let status = try? await bridge.status()
    else { return error }
    return UnknownDocument(error: error, name: name, known: status.documents.map(\.name))
}

/// An agent keeps the profile that it was started with, so a command that asks for another one is refused.
func agentClient(of settings: BridgeSettings) throws -> AgentClient {
    if settings.engine.changesProfile { throw UsageError.agentKeepsProfile }
    return try AgentClient(of: settings)
}

extension Progress {
    /// Shows the agent's process, because for a while a stopped agent looks like a busy one.
    func showWaiting(for agent: AgentClient) {
        show("waiting for the agent" + (agent.process.map { ", process \($0)" } ?? ""))
    }
}

/// The second value is the bridge if it was opened in this process; the caller closes it.
private func reach(
    _ settings: BridgeSettings,
    _ logger: Logger,
    _ use: BridgeUse,
    _ progress: Progress
) async throws -> (any BridgeAccess, Bridge?) {
    let agent = try AgentClient(of: settings)
    let deadline = ContinuousClock.now + patience
    while true {
        if await agent.isReachable() {
            progress.showWaiting(for: agent)
            return (try agentClient(of: settings), nil)
        }
        if settings.app.isEmpty { throw UsageError.noContainer(.app) }
        if settings.group.isEmpty { throw UsageError.noContainer(.group) }
        do throws(BridgeError) {
            let bridge = try await Bridge.open(settings, logger: logger, for: use)
            return (bridge, bridge)
        } catch {
            // Another command holds the bridge briefly, or an agent holds it and does not listen yet.
            guard case .alreadyRunning = error, ContinuousClock.now < deadline else { throw error }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
