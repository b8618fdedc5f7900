package import Documents
import FileSystem
package import Model
package import StateStore
package import SyncEngine

/// What can go wrong with a bridge, as facts. The words for them are in `Commands/ErrorProse.swift`.
package enum BridgeError: Error, Sendable, Hashable {
    // It cannot start as it was asked to (usage).
    case nestedContainers(app: String, group: String)
    case stateInsideContainer(state: String, container: String)
    case socketPathTooLong(String, limit: Int)
    /// Its state is of a bridge by a profile of another name; an empty name is none.
    case otherProfile(known: String, named: String, state: String)
    // It cannot start as things are.
    case missingDirectory(String)
    case unreadableDirectory(String, errno: Int32)
    case unwritableState(String, errno: Int32)
    /// It belongs to another user.
    case foreignState(String, owner: UInt32)
    /// Others may put another directory in its place, for they may write one above it: everybody, or its
    /// owner.
    case exposedState(String, in: String, owner: UInt32?)
    /// Neither a variable nor the user's entry says where the state belongs.
    case noHome
    case alreadyRunning(process: Int32, state: String)
    /// Another state directory's process carries between these containers.
    case pairTaken(process: Int32?, state: String?, app: String, group: String)
    case journal(JournalError, path: String)
    /// Another process has it open and does not let anybody else; which one cannot be told.
    case journalLocked(String)
    /// The disk is full that this file lies on.
    case noRoom(String)
    /// No profile of the bridge names this kind of widget; those that one names.
    case unknownKind(String, known: [String])
    // A document.
    case noDocument(String, Side)
    case notADocument(String, Reported<NameFault>)
    case invalidDocument(String, ContentFault)
    case mismatch(String, Side, actual: Digest?)
    case held(document: String, reason: Reported<DocumentRow.Reason>?, ProblemKind? = nil)
    case halted(reason: Reported<Halt>)
    // What a person decides.
    case unknownID(Subject)
    case ambiguousID(Subject, ids: [String])
    case undecidable(Subject, Hindrance)
    // The way to it.
    case timedOut(Duration)
    case noAgent(socket: String)
    /// The agent there serves another bridge than the one that was named.
    case otherBridge(BridgeIdentity.Part, given: String, actual: String)
    /// It listens, and says nothing.
    case silentAgent(process: Int32?, socket: String)
    case agent(status: Int, detail: String)
    case file(FileError)

    /// What an id is of.
    package enum Subject: Sendable, Hashable {
        case conflict(String)
        case trash(String)
        case halt(String)
    }

    /// Why no document can have this name.
    package enum NameFault: Fact {
        /// It is no path inside a container.
        case noPath
        /// The rules for names leave it out.
        case notJSON
    }

    /// Why no document can have this content.
    package enum ContentFault: Sendable, Hashable {
        case json(JSONError)
        /// Told by an agent. The words begin with the place, where there is one.
        case told(String, at: JSONPosition? = nil)
    }

    /// Why something cannot be decided so.
    package enum Hindrance: Sendable, Hashable {
        case known(UndecidableReason)
        /// Told by an agent.
        case told(reason: String, advice: String)
    }
}

extension BridgeError.Subject {
    package var id: String {
        switch self {
        case .conflict(let id), .trash(let id), .halt(let id): id
        }
    }

    package var kind: String {
        switch self {
        case .conflict: "conflict"
        case .trash: "trash"
        case .halt: "halt"
        }
    }

    package init?(kind: String, id: String) {
        switch kind {
        case "conflict": self = .conflict(id)
        case "trash": self = .trash(id)
        case "halt": self = .halt(id)
        default: return nil
        }
    }
}
