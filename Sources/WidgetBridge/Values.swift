package import BridgeRuntime
public import FoundationEssentials
package import Model
import SyncEngine

/// One of the two directories.
public enum Container: String, CaseIterable, Sendable {
    /// The app's own.
    case app
    /// The App Group's, which app and widgets share.
    case group

    package var side: Side { self == .app ? .app : .group }

    init(_ side: Side) { self = side == .app ? .app : .group }
}

/// A document as it is stored in one container.
public struct Document: Hashable, Sendable {
    /// Its path inside the container.
    public let name: String
    /// Where it is stored.
    public let container: Container
    /// A JSON text, byte by byte as it is stored.
    public let bytes: [UInt8]
    /// Of the bytes: `sha256:` and 64 hex digits in lower case.
    public let hash: String

    /// The same bytes, for a decoder.
    public var data: Data { Data(bytes) }

    init(_ stored: StoredDocument) {
        name = stored.name.description
        container = Container(stored.side)
        bytes = stored.bytes
        hash = stored.hash.description
    }
}

/// What a write may replace.
public enum Replaceable: Hashable, Sendable {
    /// Whatever is there.
    case anything
    /// Nothing: the document must not be there.
    case nothing
    /// Only bytes of this hash, as ``Document/hash`` gives it.
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

/// "Widgets of this kind should reload."
public struct Notice: Hashable, Sendable {
    /// What made the widgets' data change.
    public enum Cause: String, Hashable, Sendable {
        /// The side whose change it was.
        case app, group
        /// Both sides had changed, and were merged.
        case merge
        /// The document was migrated to another version.
        case migration
        /// Something was brought back from the trash.
        case undo
        /// No change: the state that a new reader is told first.
        case current
    }

    /// What ``Bridge/notices(kind:document:since:)`` takes to go on after this one.
    public let cursor: String
    /// The widget kind, from the profile; without one the document's name.
    public let kind: String
    /// The document's path inside the container.
    public let document: String
    /// Counts the document's agreed states; it never goes down while its journal lives.
    public let generation: Int64
    /// Of the bytes in the group container; `nil` where the document was deleted.
    public let hash: String?
    /// What made the data change.
    public let cause: Cause
    /// When it became true.
    public let at: Date

    /// `nil` for a gap: the notices of the current state come after it, and say what there is to say.
    package init?(_ event: ReloadEvent) {
        guard case .notice(let notice, _) = event else { return nil }
        cursor = event.cursor
        kind = notice.kind
        document = notice.document.description
        generation = notice.generation
        hash = notice.hash?.description
        cause = Cause(notice.cause)
        at = Date(milliseconds: notice.at)
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
            case .current: .current
            }
    }
}
