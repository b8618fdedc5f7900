public import FoundationEssentials
import Model
import StateStore
import SyncEngine

/// A conflict that was settled by rule and waits for a person.
public struct Conflict: Hashable, Sendable, Identifiable {
    /// One place in the document that both sides have changed. Each value is a JSON text; `nil`: it is not
    /// there.
    public struct Field: Hashable, Sendable {
        /// Where it is, as RFC 6901 has it.
        public let pointer: String
        /// What both sides have come from.
        public let base: String?
        /// What the app's container had.
        public let app: String?
        /// What the group container had.
        public let group: String?
    }

    /// What ``Bridge/resolve(_:taking:)`` takes.
    public let id: String
    /// Its path inside the container; `nil` where that is not known any more.
    public let document: String?
    /// The container whose content lost, and is kept.
    public let kept: Container?
    /// When it was settled.
    public let at: Date
    /// How it came about, in one line.
    public let reason: String
    /// Of the content that is kept.
    public let hash: String
    /// The bytes that are kept.
    public let size: Int64
    /// What both sides have changed, where single fields are known.
    public let fields: [Field]

    init(_ conflict: KeptConflict) {
        id = conflict.id
        document = conflict.document
        kept = conflict.side.map(Container.init)
        at = Date(milliseconds: conflict.at)
        reason = conflict.reason.text
        hash = conflict.hash
        size = conflict.size
        fields = conflict.fields.map {
            Field(pointer: $0.pointer, base: $0.base, app: $0.app, group: $0.group)
        }
    }
}

/// How a conflict is decided.
public enum Choice: Hashable, Sendable {
    /// What this container had.
    case container(Container)
    /// A JSON text in UTF-8.
    case content(Data)

    var taken: Taken {
        switch self {
        case .container(let container): .side(container.side)
        case .content(let data): .content(Array(data))
        }
    }
}

/// A content in the trash.
public struct TrashedDocument: Hashable, Sendable, Identifiable {
    /// What ``Bridge/undo(_:)`` takes.
    public let id: String
    /// Its path inside the container; `nil` where that is not known.
    public let document: String?
    /// The container it lay in.
    public let container: Container?
    /// The document's, when it held this.
    public let generation: Int64?
    /// When it came into the trash.
    public let at: Date
    /// What took its place, in one line.
    public let reason: String
    /// Of its bytes.
    public let hash: String
    /// Its bytes.
    public let size: Int64

    init(_ content: TrashedContent) {
        id = content.id
        document = content.document
        container = content.side.map(Container.init)
        generation = content.generation
        at = Date(milliseconds: content.at)
        reason = content.reason.text
        hash = content.hash
        size = content.size
    }
}

/// What became of a decision, or of something brought back.
public struct Edit: Hashable, Sendable {
    /// The document's path inside the container.
    public let document: String
    /// The container that was written; the other follows.
    public let container: Container
    /// Of what is stored there now; `nil` for nothing.
    public let hash: String?
    /// `false`: it was so already.
    public let isWritten: Bool
    /// What was done, in one line.
    public let reason: String

    init(_ edit: MadeEdit) {
        document = edit.document
        container = Container(edit.side)
        hash = edit.hash
        isWritten = edit.isWritten
        reason = edit.reason.text
    }
}

/// What ``Bridge/allow(_:)`` has let happen.
public struct AllowedDeletion: Hashable, Sendable {
    /// The container that the documents are gone from.
    public let container: Container
    /// They are deleted from the other container, too.
    public let documents: [String]
    /// The directory that stands at the container's path is the container from now on.
    public let takesContainer: Bool

    init(_ allowed: Allowed) {
        container = Container(allowed.side)
        documents = allowed.documents
        takesContainer = allowed.takesContainer
    }
}

extension Date {
    init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1_000) }
}
