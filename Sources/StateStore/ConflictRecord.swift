package import Model

/// What is known of a conflict that was settled by rule. The bytes that lost lie in the conflict store.
package struct ConflictRecord: Sendable, Hashable {
    /// One place that both sides changed, with its JSON text; `nil` where it was not there.
    package struct Field: Codable, Sendable, Hashable {
        package var pointer: String
        package var base: String?
        package var app: String?
        package var group: String?

        package init(pointer: String, base: String?, app: String?, group: String?) {
            self.pointer = pointer
            self.base = base
            self.app = app
            self.group = group
        }
    }

    /// By which a person decides it, and by which its file is named.
    package var id: String
    /// Of the bytes that lost.
    package var digest: Digest
    /// `nil` where nobody knows whose it was.
    package var document: RelativePath?
    /// The side the bytes come from.
    package var side: Side?
    /// Milliseconds since 1970.
    package var at: Int64
    package var reason: ChangeReason
    package var fields: [Field]
    /// What each side last agreed on, in the version it speaks.
    package var base: BothSides<[UInt8]?>
    /// What the other side had to set against it.
    package var other: [UInt8]?

    package init(
        digest: Digest,
        document: RelativePath?,
        side: Side?,
        at: Int64,
        reason: ChangeReason,
        fields: [Field] = [],
        base: BothSides<[UInt8]?> = BothSides(app: nil, group: nil),
        other: [UInt8]? = nil
    ) {
        id = Self.id(of: digest, document, side)
        self.digest = digest
        self.document = document
        self.side = side
        self.at = at
        self.reason = reason
        self.fields = fields
        self.base = base
        self.other = other
    }

    /// Several documents may lose the same bytes, and so may both sides of one: each is decided by itself.
    package static func id(of digest: Digest, _ document: RelativePath?, _ side: Side?) -> String {
        let names = "\(document?.description ?? "")\0\(side?.rawValue ?? "")\0"
        return Trash.id(of: Digest(of: Array(names.utf8) + digest.bytes))
    }
}

extension ConflictRecord {
    /// What a list of many conflicts needs of one.
    package struct Entry: Sendable, Hashable {
        package var id: String
        package var document: RelativePath?
        /// The side that the kept bytes come from.
        package var side: Side?
        /// Of the texts that the journal keeps of it.
        package var bytes: Int64

        package init(id: String, document: RelativePath?, side: Side?, bytes: Int64) {
            self.id = id
            self.document = document
            self.side = side
            self.bytes = bytes
        }
    }

    package var entry: Entry {
        let texts = [base.app, base.group, other].compactMap(\.self)
        return Entry(id: id, document: document, side: side, bytes: texts.reduce(0) { $0 + Int64($1.count) })
    }
}

extension Journal {
    package func conflictIndex() throws(JournalError) -> [ConflictRecord.Entry] {
        try conflicts().map(\.entry)
    }
}
