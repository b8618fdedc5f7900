import BridgeRuntime
import Documents
public import FoundationEssentials
import Model
import SyncEngine

/// The state of a bridge.
public struct Status: Hashable, Sendable {
    /// Whether it syncs changes.
    public enum State: String, Hashable, Sendable {
        /// It syncs changes.
        case running
        /// It syncs nothing until a person decides: ``Status/reason`` says what.
        case halted
        /// It writes to neither container until ``Bridge/resume()``.
        case paused
    }

    /// How it detects changes.
    public enum Watch: String, Hashable, Sendable {
        /// The kernel reports them.
        case inotify
        /// It checks all documents every second: ``Status/reason`` says why.
        case polling
    }

    /// Whether it syncs changes.
    public let state: State
    /// Why it is halted or paused, or what it cannot do or guarantee at present, in one line.
    public let reason: String?
    /// How it detects changes.
    public let watch: Watch
    /// The ID for ``Bridge/allow(_:)``, if the bridge is halted for a deletion.
    public let permit: String?
    /// Since when it is paused.
    public let pausedSince: Date?
    /// The ID of the process that has it open.
    public let process: Int32?
    /// The directory of its journal, trash and conflict copies.
    public let stateDirectory: String
    /// Every known document, by name.
    public let documents: [DocumentStatus]

    init(_ status: BridgeStatus) {
        state = State(rawValue: status.state.rawValue) ?? .running
        reason = status.reason?.text
        watch = status.watch == .inotify ? .inotify : .polling
        permit = status.allow
        pausedSince = status.pausedSince.flatMap { UTCTime.milliseconds($0) }.map(Date.init(milliseconds:))
        process = status.process
        stateDirectory = status.stateDirectory
        documents = status.documents.map(DocumentStatus.init)
    }
}

/// The state of one document.
public struct DocumentStatus: Hashable, Sendable, Identifiable {
    /// Whether it is in sync.
    public enum State: String, Hashable, Sendable {
        /// Both containers agree.
        case synced
        /// It waits to be synced, or is being written.
        case pending
        /// It cannot be used, and is left unchanged: ``DocumentStatus/reason`` says why.
        case held
        /// It is in sync; a rule resolved a conflict that waits for a person's decision.
        case conflict
    }

    /// Its path inside the container.
    public let name: String
    /// Whether it is in sync.
    public let state: State
    /// The container that the reason applies to.
    public let container: Container?
    /// Why it is in this state, in one line.
    public let reason: String?
    /// Counts its agreed states; 0 before the first.
    public let generation: Int64
    /// The hash of its bytes in the group container, or in the app's if the group has none.
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
