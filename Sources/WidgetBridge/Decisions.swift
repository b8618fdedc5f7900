public import FoundationEssentials
import Model
import StateStore
import SyncEngine

/// A conflict that a rule resolved and that waits for a person's decision.
public struct Conflict: Hashable, Sendable, Identifiable {
    /// A value in the document that both sides changed. Each version of it is a JSON text, or `nil` if the
    /// value was missing.
    public struct Field: Hashable, Sendable {
        /// Its path in the document, as a JSON Pointer (RFC 6901).
        public let pointer: String
        /// The value before both changes.
        public let base: String?
        /// The value in the app's container.
        public let app: String?
        /// The value in the group container.
        public let group: String?
    }

    /// The ID for ``Bridge/resolve(_:taking:)``.
    public let id: String
    /// Its path inside the container; `nil` if that is not known any more.
    public let document: String?
    /// The container whose content lost and is kept.
    public let kept: Container?
    /// When the rule resolved it.
    public let at: Date
    /// How it happened, in one line.
    public let reason: String
    /// The hash of the kept content: `sha256:` and 64 hex digits.
    public let hash: String
    /// The size of the kept content, in bytes.
    public let size: Int64
    /// The values that both sides changed, if they are known.
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

/// How to resolve a conflict.
public enum Choice: Hashable, Sendable {
    /// With the content that this container had.
    case container(Container)
    /// With this content, a JSON text in UTF-8.
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
    /// The ID for ``Bridge/undo(_:)``.
    public let id: String
    /// Its path inside the container; `nil` if that is not known.
    public let document: String?
    /// The container that it was in.
    public let container: Container?
    /// The document's generation when it had this content.
    public let generation: Int64?
    /// When it was moved to the trash.
    public let at: Date
    /// What replaced it, in one line.
    public let reason: String
    /// The hash of its bytes: `sha256:` and 64 hex digits.
    public let hash: String
    /// Its size in bytes.
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

/// The result of a decision or of a restored content.
public struct Edit: Hashable, Sendable {
    /// The document's path inside the container.
    public let document: String
    /// The container that was written; the other one follows.
    public let container: Container
    /// The hash of the current content; `nil` if the document was deleted.
    public let hash: String?
    /// `false` if the document already had this content.
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

/// The deletion that ``Bridge/allow(_:)`` allowed.
public struct AllowedDeletion: Hashable, Sendable {
    /// The container that the documents are missing from.
    public let container: Container
    /// The documents, which are deleted from the other container as well.
    public let documents: [String]
    /// Whether the directory at the container's path replaces the missing container.
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
