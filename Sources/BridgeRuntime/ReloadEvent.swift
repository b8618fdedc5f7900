package import Model
package import SyncEngine

/// An event for a subscriber. `ReloadEvent+JSON.swift` defines its JSON.
package enum ReloadEvent: Sendable, Hashable {
    case notice(Notice, instance: String)
    /// Notices were dropped; the current state follows. `sequence` is where the stream continues.
    case gap(instance: String, sequence: Int64)

    /// The value of `since` that continues after this event.
    package var cursor: String {
        switch self {
        case .notice(let notice, let instance): "\(instance):\(notice.sequence)"
        case .gap(let instance, let sequence): "\(instance):\(sequence)"
        }
    }

    /// Parses a cursor; `nil` for any other text.
    package static func position(at cursor: String) -> (instance: String, sequence: Int64)? {
        guard let colon = cursor.utf8.lastIndex(of: UInt8(ascii: ":")),
            let sequence = Int64(cursor[cursor.utf8.index(after: colon)...]), sequence >= 0,
            colon > cursor.startIndex
        else { return nil }
        return (String(cursor[..<colon]), sequence)
    }
}

/// The filter of a subscription.
package struct ReloadFilter: Sendable, Hashable {
    package var kind: String?
    package var document: RelativePath?
    /// The cursor of a notice: `INSTANCE:SEQ`.
    package var since: String?
    /// The subscriber acknowledges each notice.
    package var acknowledges: Bool

    package init(
        kind: String? = nil,
        document: RelativePath? = nil,
        since: String? = nil,
        acknowledges: Bool = false
    ) {
        self.kind = kind
        self.document = document
        self.since = since
        self.acknowledges = acknowledges
    }

    package func admits(_ notice: Notice) -> Bool {
        (kind == nil || kind == notice.kind) && (document == nil || document == notice.document)
    }
}
