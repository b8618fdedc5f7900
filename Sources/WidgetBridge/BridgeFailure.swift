package import BridgeRuntime
package import Model

/// Why a bridge could not do what was requested.
public struct BridgeFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure, for programs that handle it.
    public enum Reason: Hashable, Sendable {
        /// The settings cannot be used: containers inside each other, an unknown profile, a profile other
        /// than the bridge's previous one, an invalid hash, or a kind of widget that the profile does not
        /// have.
        case unusableSettings
        /// A directory is missing or unreadable, or the journal cannot be used.
        case unusableDirectory
        /// The containers cannot be watched, and ``Options/watching`` requires it.
        case notWatching
        /// Another process has this bridge open; `process` is `nil` if it cannot be told which.
        case alreadyRunning(process: Int32?)
        /// The container has no such document.
        case noDocument
        /// The name is not a document's, or the content is not JSON, too large or too deep.
        case refusedDocument
        /// The current content is not the expected one; `actual` is its hash, `nil` if there is no
        /// document.
        case mismatch(actual: String?)
        /// No conflict, content in the trash or deletion has this ID.
        case unknownID
        /// The ID is a prefix of several, which are given.
        case ambiguousID([String])
        /// The decision is not possible; the description says why.
        case undecidable
        /// A document is held and waits for a person.
        case held
        /// The bridge is halted and waits for a person.
        case halted
        /// The bridge is paused until ``Bridge/resume()``.
        case paused
        /// The timeout passed.
        case timedOut
        /// No agent listens, or it does not answer.
        case noAgent
        /// The disk is full.
        case noRoom
        /// The event is too large, its data is not JSON, or the profile has no such deep link.
        case refusedEvent
        /// Another event has this ID.
        case otherEvent
        /// Too many events wait for the app.
        case fullQueue
        /// An input or output error.
        case failed
    }

    /// The kind of failure.
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
            case .nestedContainers, .swappedContainers, .stateInsideContainer, .socketPathTooLong,
                .otherProfile, .otherBridge, .unknownKind, .unknownFamily:
                .unusableSettings
            case .missingDirectory, .unreadableDirectory, .unwritableState, .foreignState, .exposedState,
                .noHome, .journal, .journalLocked:
                .unusableDirectory
            case .alreadyRunning(let process, _): .alreadyRunning(process: process)
            case .pairTaken(let process, _, _, _): .alreadyRunning(process: process)
            case .noDocument: .noDocument
            case .notADocument, .invalidDocument: .refusedDocument
            case .mismatch(_, _, let actual): .mismatch(actual: actual?.description)
            case .held: .held
            case .halted: .halted
            case .paused: .paused
            case .timedOut: .timedOut
            case .noAgent, .silentAgent, .subscriptionEnded: .noAgent
            case .unknownID: .unknownID
            case .ambiguousID(_, let ids): .ambiguousID(ids)
            case .undecidable: .undecidable
            case .noRoom: .noRoom
            case .event(let fault): Reason(fault)
            case .agent, .file: .failed
            }
    }
}

extension BridgeFailure.Reason {
    fileprivate init(_ fault: EventFault) {
        self =
            switch fault {
            case .unusable, .tooLarge, .invalidData, .unknownLink, .linkNotText: .refusedEvent
            case .otherContent: .otherEvent
            case .full: .fullQueue
            case .queue, .misplaced: .unusableDirectory
            }
    }
}

extension BridgeFailure {
    /// `nil` if the kernel reports changes.
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
