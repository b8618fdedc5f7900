import BridgeRuntime
import Model
import SyncEngine

/// How a bridge is.
public struct Status: Hashable, Sendable {
    /// Whether it carries what changes.
    public enum State: String, Hashable, Sendable {
        /// It does.
        case running
        /// It carries nothing until a person has decided: ``Status/reason`` says what.
        case halted
        /// It carries nothing for now.
        case paused
    }

    /// How it learns of changes.
    public enum Watch: String, Hashable, Sendable {
        /// The kernel tells it.
        case inotify
        /// It looks at everything every second: ``Status/reason`` says why.
        case polling
    }

    /// Whether it carries what changes.
    public let state: State
    /// Why it is halted, or what it cannot do or promise as it is, in one line.
    public let reason: String?
    /// How it learns of changes.
    public let watch: Watch
    /// What ``Bridge/allow(_:)`` takes to let the deletion happen for which it is halted.
    public let permit: String?
    /// The process that has it.
    public let process: Int32?
    /// Where its journal, its trash and its conflicts are.
    public let stateDirectory: String
    /// Every document that is known, in order of their names.
    public let documents: [DocumentStatus]

    init(_ status: BridgeStatus) {
        state = State(rawValue: status.state.rawValue) ?? .running
        reason = status.reason?.text
        watch = status.watch == .inotify ? .inotify : .polling
        permit = status.allow
        process = status.process
        stateDirectory = status.stateDirectory
        documents = status.documents.map(DocumentStatus.init)
    }
}

/// How one document is.
public struct DocumentStatus: Hashable, Sendable, Identifiable {
    /// Whether it is in sync.
    public enum State: String, Hashable, Sendable {
        /// Both containers agree.
        case synced
        /// It is about to be carried, or half-written.
        case pending
        /// It cannot be used as it is, and is left alone: ``DocumentStatus/reason`` says why.
        case held
        /// It is in sync; a conflict was settled by rule and waits for a person.
        case conflict
    }

    /// Its path inside the container.
    public let name: String
    /// Whether it is in sync.
    public let state: State
    /// The container that the reason is about.
    public let container: Container?
    /// Why its state is what it is, in one line.
    public let reason: String?
    /// Counts its agreed states; 0 before the first.
    public let generation: Int64
    /// Of the bytes in the group container, else of those in the app's.
    public let hash: String?

    /// Its name.
    public var id: String { name }

    init(_ document: BridgeStatus.Document) {
        name = document.name
        state = State(rawValue: document.state.rawValue) ?? .pending
        container = document.side.map(Container.init)
        reason = document.reason?.text
        generation = document.generation
        hash = document.hash
    }
}
