package import Model
package import SyncEngine

/// What a subscriber gets. Its JSON is the contract's: see `ReloadEvent+JSON.swift`.
package enum ReloadEvent: Sendable, Hashable {
    case notice(Notice, instance: String)
    /// What came between is no longer kept; the current state follows. The sequence is where it goes on.
    case gap(instance: String, sequence: Int64)

    /// What a subscriber hands back as `since` to go on after this.
    package var cursor: String {
        switch self {
        case .notice(let notice, let instance): "\(instance):\(notice.sequence)"
        case .gap(let instance, let sequence): "\(instance):\(sequence)"
        }
    }

    /// Reads a cursor back; `nil` for anything else.
    package static func position(at cursor: String) -> (instance: String, sequence: Int64)? {
        guard let colon = cursor.utf8.lastIndex(of: UInt8(ascii: ":")),
            let sequence = Int64(cursor[cursor.utf8.index(after: colon)...]), sequence >= 0,
            colon > cursor.startIndex
        else { return nil }
        return (String(cursor[..<colon]), sequence)
    }
}

/// What a subscriber asks for.
package struct ReloadFilter: Sendable, Hashable {
    package var kind: String?
    package var document: RelativePath?
    /// As a notice's cursor is printed: `INSTANCE:SEQ`.
    package var since: String?

    package init(kind: String? = nil, document: RelativePath? = nil, since: String? = nil) {
        self.kind = kind
        self.document = document
        self.since = since
    }

    package func admits(_ notice: Notice) -> Bool {
        (kind == nil || kind == notice.kind) && (document == nil || document == notice.document)
    }
}
