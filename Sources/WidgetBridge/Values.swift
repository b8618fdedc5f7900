package import BridgeRuntime
public import FoundationEssentials
package import Model
import SyncEngine

/// One of the two directories of a bridge.
public enum Container: String, CaseIterable, Sendable {
    /// The app's own container.
    case app
    /// The App Group container, which the app and its widgets share.
    case group

    package var side: Side { self == .app ? .app : .group }

    init(_ side: Side) { self = side == .app ? .app : .group }
}

/// A document as it is stored in one container.
public struct Document: Hashable, Sendable {
    /// Its path inside the container.
    public let name: String
    /// The container it is stored in.
    public let container: Container
    /// Its JSON text, byte for byte as it is stored.
    public let bytes: [UInt8]
    /// The hash of its bytes: `sha256:` and 64 hex digits in lower case.
    public let hash: String

    /// Its bytes as `Data`, for a decoder.
    public var data: Data { Data(bytes) }

    init(_ stored: StoredDocument) {
        name = stored.name.description
        container = Container(stored.side)
        bytes = stored.bytes
        hash = stored.hash.description
    }
}

/// The current content that a write may replace.
public enum Replaceable: Hashable, Sendable {
    /// Any content, or none.
    case anything
    /// None: the document must not exist.
    case nothing
    /// Only the content with this hash, as in ``Document/hash``.
    case content(hash: String)

    func expectation() throws(BridgeFailure) -> Expectation {
        switch self {
        case .anything: return .anything
        case .nothing: return .nothing
        case .content(let hash): return .content(try digest(hash))
        }
    }
}

func digest(_ hash: String) throws(BridgeFailure) -> Digest {
    guard let digest = Digest(hash) else {
        throw BridgeFailure(.unusableSettings, "not a hash: `\(hash)`")
    }
    return digest
}

/// A message that widgets of a kind should reload.
public struct Notice: Hashable, Sendable {
    /// Why the widgets' data changed.
    public enum Cause: String, Hashable, Sendable {
        /// This side changed the document.
        case app, group
        /// Both sides had changed it, and the changes were merged.
        case merge
        /// The document was migrated to another version.
        case migration
        /// A content was restored from the trash.
        case undo
        /// No change: what is shown became stale, or a widget's schedule asks for a reload.
        case time
        /// No change: the current state, which a new reader gets first.
        case current
    }

    /// The value for ``Bridge/notices(kind:document:since:)`` to continue after this notice.
    public let cursor: String
    /// The kind of widget from the profile; without a profile, the document's name.
    public let kind: String
    /// The document's path inside the container.
    public let document: String
    /// Counts the document's agreed states; it never decreases while its journal exists.
    public let generation: Int64
    /// The hash of the bytes in the group container; `nil` if the document was deleted.
    public let hash: String?
    /// Why the data changed.
    public let cause: Cause
    /// When the change was complete, or the reload was granted.
    public let at: Date
    /// Whether it had to wait for a slot of the kind's budget.
    public let isDelayed: Bool

    /// `nil` for a gap, because notices of the current state follow it.
    package init?(_ event: ReloadEvent) {
        guard case .notice(let notice, _) = event else { return nil }
        cursor = event.cursor
        kind = notice.kind
        document = notice.document.description
        generation = notice.generation
        hash = notice.hash?.description
        cause = Cause(notice.cause)
        at = Date(milliseconds: notice.at)
        isDelayed = notice.isDelayed
    }
}

extension Notice.Cause {
    init(_ cause: Model.Cause) {
        self =
            switch cause {
            case .app: .app
            case .group: .group
            case .merge: .merge
            case .migration: .migration
            case .undo: .undo
            case .time: .time
            case .current: .current
            }
    }
}
