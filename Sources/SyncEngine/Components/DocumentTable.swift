import Model
import StateStore

/// What both sides last agreed on, by the names of the documents, and their names by what they hold.
struct DocumentTable: Sendable {
    private var records: [RelativePath: DocumentRecord] = [:]
    private var contents = ContentIndex()

    var count: Int { records.count }
    var keys: Dictionary<RelativePath, DocumentRecord>.Keys { records.keys }

    subscript(path: RelativePath) -> DocumentRecord? {
        get { records[path] }
        set {
            let (before, after) = (Self.digests(records[path]), Self.digests(newValue))
            records[path] = newValue
            if before == after { return }
            for digest in before where !after.contains(digest) { contents.remove(path, digest) }
            for digest in after where !before.contains(digest) { contents.insert(path, digest) }
        }
    }

    mutating func removeAll() { self = DocumentTable() }

    /// Documents that hold this on that side, those first that are likeliest to be another name of `path`.
    func documents(
        holding digest: Digest,
        on side: Side,
        likeliestFor path: RelativePath,
        limit: Int
    ) -> [RelativePath] {
        contents.likely(digest, for: path, limit: limit)
            .filter { records[$0]?.sides[side].digest == digest }
    }

    /// One, where both sides hold the same.
    private static func digests(_ record: DocumentRecord?) -> [Digest] {
        guard let sides = record?.sides else { return [] }
        return sides.app.digest == sides.group.digest
            ? [sides.app.digest] : [sides.app.digest, sides.group.digest]
    }
}
