import Documents
package import Model
package import StateStore

/// The base of each document by name, and the names by content.
///
/// It keeps the records, and those of them that must be written to the journal because a signature changed.
/// New bases are written at once.
package struct DocumentTable: Sendable {
    private var records: [RelativePath: DocumentRecord] = [:]
    /// The records of documents that are excluded or that the profile no longer names. Their bases are kept:
    /// if such a document is included again, later edits of both sides are merged.
    package private(set) var excluded: [RelativePath: DocumentRecord] = [:]
    private var contents = ContentIndex()
    /// Documents of which only a signature changed, in that order.
    private var touched: [RelativePath] = []

    package init() {}

    /// The records of a journal. `isOfOtherBoot`: their signatures are not to be trusted.
    package init(
        of journal: any Journal,
        by rules: DocumentRules,
        isOfOtherBoot: Bool
    ) throws(JournalError) {
        for (path, record) in try journal.documents()
        // The record is older than the profile's view of that name: it is no longer a document.
        where rules.profile?.document(ofView: path.description) == nil {
            if rules.isDocument(path) { self[path] = record } else { excluded[path] = record }
        }
        if isOfOtherBoot { forgetSignatures() }
    }

    package var count: Int { records.count }
    package var keys: Dictionary<RelativePath, DocumentRecord>.Keys { records.keys }

    package subscript(path: RelativePath) -> DocumentRecord? {
        get { records[path] }
        set {
            let (before, after) = (Self.digests(records[path]), Self.digests(newValue))
            records[path] = newValue
            if before == after { return }
            for digest in before where !after.contains(digest) { contents.remove(path, digest) }
            for digest in after where !before.contains(digest) { contents.insert(path, digest) }
        }
    }

    package var withExcluded: [RelativePath: DocumentRecord] { records.merging(excluded) { $1 } }

    package mutating func forget(excluded path: RelativePath) { excluded[path] = nil }

    package mutating func removeAll() { self = DocumentTable() }

    /// Documents with this content on that side; those most likely to be another name of `path` first.
    package func documents(
        holding digest: Digest,
        on side: Side,
        likeliestFor path: RelativePath,
        limit: Int
    ) -> [RelativePath] {
        contents.likely(digest, for: path, limit: limit)
            .filter { records[$0]?.sides[side].digest == digest }
    }

    // MARK: Signatures

    /// Everything must be read again, also by a later run if this one is killed before.
    package mutating func forgetSignatures() {
        for side in Side.allCases {
            for path in records.keys { records[path]?.sides[side].signature = nil }
            for path in excluded.keys { excluded[path]?.sides[side].signature = nil }
        }
        touched += records.keys.sorted() + excluded.keys.sorted()
    }

    /// The content is unchanged. The journal gets the new signature with its next transaction.
    package mutating func record(touched path: RelativePath, as record: DocumentRecord) {
        self[path] = record
        touched.append(path)
    }

    /// The entries for the journal, without documents that were deleted since.
    package mutating func takeTouched() -> [JournalEntry] {
        defer { touched = [] }
        return touched.compactMap { path in (records[path] ?? excluded[path]).map { .touched(path, $0) } }
    }

    /// One digest, if both sides have the same content.
    private static func digests(_ record: DocumentRecord?) -> [Digest] {
        guard let sides = record?.sides else { return [] }
        return sides.app.digest == sides.group.digest
            ? [sides.app.digest] : [sides.app.digest, sides.group.digest]
    }
}
