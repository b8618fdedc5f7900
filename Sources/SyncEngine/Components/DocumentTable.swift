package import Model
package import StateStore

/// What both sides last agreed on, by the names of the documents, and their names by what they hold.
///
/// It owns the records, and which of them the journal is to be told of because files look otherwise: all that
/// is agreed on the journal is told of at once.
package struct DocumentTable: Sendable {
    private var records: [RelativePath: DocumentRecord] = [:]
    private var contents = ContentIndex()
    /// Only the look of a file is news, in the order that was noted.
    private var touched: [RelativePath] = []

    package init() {}

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

    package mutating func removeAll() { self = DocumentTable() }

    /// Documents that hold this on that side, those first that are likeliest to be another name of `path`.
    package func documents(
        holding digest: Digest,
        on side: Side,
        likeliestFor path: RelativePath,
        limit: Int
    ) -> [RelativePath] {
        contents.likely(digest, for: path, limit: limit)
            .filter { records[$0]?.sides[side].digest == digest }
    }

    // MARK: How files look

    /// Everything is to be read anew.
    package mutating func forgetSignatures() {
        for path in records.keys {
            for side in Side.allCases { records[path]?.sides[side].signature = nil }
        }
    }

    /// The document holds what it held. The journal is told with what it is told next.
    package mutating func note(touched path: RelativePath, as record: DocumentRecord) {
        self[path] = record
        touched.append(path)
    }

    /// What the journal is to know of that; not of what is gone since.
    package mutating func takeTouched() -> [JournalEntry] {
        defer { touched = [] }
        return touched.compactMap { path in records[path].map { .touched(path, $0) } }
    }

    /// One, where both sides hold the same.
    private static func digests(_ record: DocumentRecord?) -> [Digest] {
        guard let sides = record?.sides else { return [] }
        return sides.app.digest == sides.group.digest
            ? [sides.app.digest] : [sides.app.digest, sides.group.digest]
    }
}
