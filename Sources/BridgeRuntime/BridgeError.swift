package import Documents
import FileSystem
package import Model
package import StateStore
package import SyncEngine

/// What can go wrong with a bridge, as values. `Commands/ErrorProse.swift` has the messages.
package enum BridgeError: Error, Sendable, Hashable {
    // It cannot start with these arguments (usage).
    case nestedContainers(app: String, group: String)
    /// A bridge with this state directory syncs them with their sides exchanged.
    case swappedContainers(app: String, group: String, state: String)
    case stateInsideContainer(state: String, container: String)
    case socketPathTooLong(String, limit: Int)
    /// The state directory belongs to a bridge with another profile; an empty name means no profile.
    case otherProfile(known: String, named: String, state: String)
    // It cannot start in the current state of the system.
    case missingDirectory(String)
    case unreadableDirectory(String, errno: Int32)
    case unwritableState(String, errno: Int32)
    /// Another user owns it.
    case foreignState(String, owner: UInt32)
    /// Other users can replace it, because they can write to a directory above it: everybody, or its owner.
    case exposedState(String, in: String, owner: UInt32?)
    /// Neither the environment nor the user's entry names a home directory.
    case noHome
    case alreadyRunning(process: Int32?, state: String)
    /// A process with another state directory syncs these containers.
    case pairTaken(process: Int32?, state: String?, app: String, group: String)
    case journal(JournalError, path: String)
    /// Another, unknown process has locked the journal.
    case journalLocked(String)
    /// The disk of this file is full.
    case noRoom(String)
    /// The profile has no such kind; `known` are its kinds.
    case unknownKind(String, known: [String])
    /// The kind has no such family; `known` are those of the profile.
    case unknownFamily(String, kind: String, known: [String])
    // Errors about a document.
    case noDocument(String, Side?)
    case notADocument(String, Reported<NameFault>)
    case invalidDocument(String, ContentFault)
    case mismatch(String, Side, actual: Digest?)
    case held(document: String, reason: Reported<DocumentRow.Reason>?, ProblemKind? = nil)
    case halted(reason: Reported<Halt>)
    /// A person paused the bridge: since when, as RFC 3339.
    case paused(since: String)
    // Errors about a person's decision.
    case unknownID(Subject)
    case ambiguousID(Subject, ids: [String])
    case undecidable(Subject, Hindrance)
    case event(EventFault)
    // Errors of reaching the bridge.
    case timedOut(Duration)
    case noAgent(socket: String)
    /// The agent ended a subscription. `isServed`: it runs the bridge again, with other settings.
    case subscriptionEnded(socket: String, isServed: Bool)
    /// The agent on this socket has another bridge than the named one.
    case otherBridge(BridgeIdentity.Part, given: String, actual: String)
    /// It accepts the connection, but does not answer.
    case silentAgent(process: Int32?, socket: String)
    case agent(status: Int, detail: String)
    case file(FileError)

    /// The object that an ID stands for.
    package enum Subject: Sendable, Hashable {
        case conflict(String)
        case trash(String)
        case halt(String)
        case widget(String)
        case event(String)
        case notice(String)
    }

    /// Why a name is not valid for a document.
    package enum NameFault: Fact {
        /// It is not a path inside a container.
        case noPath
        /// The rules for document names exclude it.
        case notJSON
        /// It is the name of a view of this document.
        case view(of: String)
        /// It is not synced.
        case excluded(DocumentFilter.Exclusion)
    }

    /// Why a content is not valid for a document.
    package enum ContentFault: Sendable, Hashable {
        case json(JSONError)
        /// It violates the schema of its version: the bridge would hold it.
        indirect case violation(SchemaViolation)
        /// Its version is newer than the profile knows: the bridge would hold it.
        case newer(Int)
        /// It has none of the profile's versions, as the last.
        indirect case version(VersionFault)
        /// Received from an agent. The text starts with the position, if there is one.
        case reported(String, at: JSONPosition? = nil)
        /// The same for a violation of the schema.
        case reportedViolation(String, at: JSONPosition?)

        /// It is JSON, and could be written.
        package var isViolation: Bool {
            switch self {
            case .violation, .newer, .version, .reportedViolation: true
            case .json, .reported: false
            }
        }
    }

    /// Why a decision is not possible.
    package enum Hindrance: Sendable, Hashable {
        case known(UndecidableReason)
        /// Received from an agent.
        case reported(reason: String, advice: String)
    }
}

extension BridgeError.Subject {
    package var id: String {
        switch self {
        case .conflict(let id), .trash(let id), .halt(let id), .widget(let id), .event(let id),
            .notice(let id):
            id
        }
    }

    package var kind: String {
        switch self {
        case .conflict: "conflict"
        case .trash: "trash"
        case .halt: "halt"
        case .widget: "widget"
        case .event: "event"
        case .notice: "notice"
        }
    }

    package init?(kind: String, id: String) {
        switch kind {
        case "conflict": self = .conflict(id)
        case "trash": self = .trash(id)
        case "halt": self = .halt(id)
        case "widget": self = .widget(id)
        case "event": self = .event(id)
        case "notice": self = .notice(id)
        default: return nil
        }
    }
}
