package import Model

/// What a user did on a widget, on its way to the app.
package struct QueuedEvent: Sendable, Hashable {
    package var id: String
    /// Its number in the queue: a later event has a higher one.
    package var seq: Int64
    /// The widget's kind.
    package var kind: String
    /// What was done, such as `toggle`.
    package var name: String
    /// A JSON value on one line; `nil` if there is none.
    package var data: String?
    /// Milliseconds since 1970.
    package var at: Int64

    package init(id: String, seq: Int64, kind: String, name: String, data: String?, at: Int64) {
        self.id = id
        self.seq = seq
        self.kind = kind
        self.name = name
        self.data = data
        self.at = at
    }
}

/// An event that is not in the queue yet.
package struct NewEvent: Sendable, Hashable {
    package var id: String
    package var kind: String
    package var name: String
    package var data: String?
    /// The digest of all but the ID. Equal values have equal digests, however their JSON is written.
    package var content: Digest

    package init(id: String, kind: String, name: String, data: String?, content: Digest) {
        self.id = id
        self.kind = kind
        self.name = name
        self.data = data
        self.content = content
    }

    /// In bytes.
    package var size: Int { [id, kind, name, data ?? ""].reduce(0) { $0 + $1.utf8.count } }
}
