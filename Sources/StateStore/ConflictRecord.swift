package import Model

/// A conflict that the bridge resolved by rule. The losing bytes are in the conflict store.
package struct ConflictRecord: Sendable, Hashable {
    /// A field that both sides changed, with its JSON text; `nil` if the field is absent.
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

    /// Identifies it for `resolve`, and names its file.
    package var id: String
    /// The digest of the losing bytes.
    package var digest: Digest
    /// `nil` if the document is unknown.
    package var document: RelativePath?
    /// The side that the losing bytes come from.
    package var side: Side?
    /// Milliseconds since 1970.
    package var at: Int64
    package var reason: ChangeReason
    package var fields: [Field]
    /// The base of each side, in the side's version.
    package var base: BothSides<[UInt8]?>
    /// The other side's content.
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

    /// Several documents, or both sides of one, can lose with the same bytes: each is a conflict of its own.
    package static func id(of digest: Digest, _ document: RelativePath?, _ side: Side?) -> String {
        let names = "\(document?.description ?? "")\0\(side?.rawValue ?? "")\0"
        return Trash.id(of: Digest(of: Array(names.utf8) + digest.bytes))
    }
}

extension ConflictRecord {
    /// The part of a conflict that lists need.
    package struct Entry: Sendable, Hashable {
        package var id: String
        package var document: RelativePath?
        /// The side that the losing bytes come from.
        package var side: Side?
        /// The size of the texts that the journal stores for it.
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
