package import Reconciliation
package import Storage

/// What can go wrong with a bridge, as facts. The words for them are in `Commands/ErrorProse.swift`.
package enum BridgeError: Error, Sendable, Hashable {
    // It cannot start as it was asked to (usage).
    case nestedContainers(app: String, group: String)
    case stateInsideContainer(state: String, container: String)
    case socketPathTooLong(String, limit: Int)
    // It cannot start as things are.
    case missingDirectory(String)
    case unreadableDirectory(String, errno: Int32)
    case alreadyRunning(process: Int32, state: String)
    case journal(String, path: String)
    // A document.
    case noDocument(String, Side)
    case notADocument(String, reason: String)
    case invalidDocument(String, reason: String)
    case mismatch(String, Side, actual: Digest?)
    case held(document: String, reason: String)
    case halted(reason: String)
    // The way to it.
    case timedOut(Duration)
    case noAgent(socket: String)
    case agent(status: Int, detail: String)
    case file(FileError)
}
