package import BridgeRuntime
package import Model

/// Why a bridge could not do what it was asked.
public struct BridgeFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it is, for a program that acts on it.
    public enum Reason: Hashable, Sendable {
        /// Containers inside each other, an unknown profile, or another than the bridge has worked by, a hash
        /// that is none, a kind of widget that the profile does not name.
        case unusableSettings
        /// A directory is missing or cannot be read, or the journal cannot be used.
        case unusableDirectory
        /// The containers cannot be watched, and ``Options/watching`` demands it.
        case notWatching
        /// Another process has this bridge.
        case alreadyRunning(process: Int32)
        /// There is no such document in that container.
        case noDocument
        /// Not a document's name, not JSON, too large or too deep.
        case refusedDocument
        /// Something else is there: the hash of it, `nil` for nothing.
        case mismatch(actual: String?)
        /// No conflict, nothing in the trash and no deletion has this id.
        case unknownID
        /// Several ids begin with it: these.
        case ambiguousID([String])
        /// It cannot be decided so; the description says why.
        case undecidable
        /// A document waits for a person.
        case held
        /// The bridge waits for a person.
        case halted
        /// The time to wait was over.
        case timedOut
        /// No agent listens, or it does not answer.
        case noAgent
        /// The disk is full.
        case noRoom
        /// The disk failed.
        case failed
    }

    /// What kind of failure it is.
    public let reason: Reason
    /// What happened, and where, in one line.
    public let description: String

    package init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }

    package init(_ error: BridgeError) {
        description = error.words
        reason =
            switch error {
            case .nestedContainers, .stateInsideContainer, .socketPathTooLong, .otherProfile,
                .otherBridge, .unknownKind:
                .unusableSettings
            case .missingDirectory, .unreadableDirectory, .unwritableState, .foreignState, .exposedState,
                .noHome, .journal, .journalLocked:
                .unusableDirectory
            case .alreadyRunning(let process, _): .alreadyRunning(process: process)
            case .pairTaken(let process, _, _, _): .alreadyRunning(process: process ?? 0)
            case .noDocument: .noDocument
            case .notADocument, .invalidDocument: .refusedDocument
            case .mismatch(_, _, let actual): .mismatch(actual: actual?.description)
            case .held: .held
            case .halted: .halted
            case .timedOut: .timedOut
            case .noAgent, .silentAgent: .noAgent
            case .unknownID: .unknownID
            case .ambiguousID(_, let ids): .ambiguousID(ids)
            case .undecidable: .undecidable
            case .noRoom: .noRoom
            case .agent, .file: .failed
            }
    }
}

extension BridgeFailure {
    /// `nil` where the kernel tells of changes.
    init?(notWatching status: BridgeStatus) {
        guard status.watch != .inotify else { return nil }
        let reason = status.reason?.text ?? "the containers are polled"
        self.init(
            .notWatching,
            "\(reason); `swift build --product widgetbridge-watch` builds the program that watches, and "
                + "`Options.helper` names it"
        )
    }
}

package func rethrowing<Result>(
    _ body: () async throws(BridgeError) -> Result
) async throws(BridgeFailure) -> Result {
    do {
        return try await body()
    } catch {
        throw BridgeFailure(error)
    }
}

package func relativePath(_ name: String) throws(BridgeFailure) -> RelativePath {
    guard let path = RelativePath(name) else {
        throw BridgeFailure(.refusedDocument, "no path inside a container: `\(name)`")
    }
    return path
}
