import Model
import Replica

extension KeyedReplica {
    func list(_ directory: RelativePath?) throws(FileError) -> ReplicaListing {
        let contents = try contents()
        var listing = ReplicaListing()
        func isBeneath(_ path: RelativePath) -> Bool { directory.map(path.isInside) ?? true }
        listing.files = contents.documents.keys.filter { isBeneath($0) && !Self.isHidden($0) }.sorted()
        for path in contents.aside.keys.sorted() where isBeneath(path) {
            if let name = TemporaryName(path.name) { listing.temporaries.append((place(path), name)) }
        }
        return listing
    }

    private static func isHidden(_ path: RelativePath) -> Bool {
        path.description.split(separator: "/").contains { $0.hasPrefix(".") }
    }

    /// Every key is a path.
    func unnamable(in directory: RelativePath?) -> [String] { [] }

    func status(of place: Location) throws(FileError) -> DocumentStatus {
        let entry = try entry(at: place)
        return DocumentStatus(
            kind: .regular,
            signature: store.signature(of: entry),
            isReadOnly: entry.isReadOnly
        )
    }

    func signature(of path: RelativePath, isKnown: Bool) throws(ReadObstacle) -> Signature? {
        guard let entry = try document(path) else { return nil }
        return store.signature(of: entry)
    }

    func read(
        _ path: RelativePath,
        unless known: Digest?,
        seen: Signature?,
        mayWait: Bool,
        isKnown: Bool,
        pair: UInt64?
    ) throws(ReadObstacle) -> FileReading {
        guard let entry = try document(path) else { return .absent }
        let (digest, signature) = (entry.digest, store.signature(of: entry))
        if digest == known { return .same(signature) }
        let mark = mark(of: entry, at: path, pair: pair)
        return .content(FileContent(bytes: entry.bytes, digest: digest, signature: signature, mark: mark))
    }

    /// `nil` if it is absent, which is only reported for a store that exists.
    private func document(_ path: RelativePath) throws(ReadObstacle) -> KeyedStore.Entry? {
        let contents: KeyedStore.Contents
        do { contents = try self.contents() } catch { throw .unreadable(error) }
        guard let entry = contents.documents[path] else { return nil }
        if entry.bytes.count > settings.maxBytes { throw .tooLarge(Int64(entry.bytes.count)) }
        return entry
    }

    private func mark(of entry: KeyedStore.Entry, at path: RelativePath, pair: UInt64?) -> PublicationMark? {
        guard let pair, let bytes = entry.mark,
            let mark = PublicationMark(bytes, at: place(path), entry.digest), mark.pair == pair
        else { return nil }
        return mark
    }

    func contents(of place: Location, limit: Int) throws(FileError) -> [UInt8] {
        Array(try entry(at: place).bytes.prefix(limit))
    }

    /// Values are written as a whole, so none is being written.
    func signature(ofBeingWritten path: RelativePath) -> Signature? { nil }

    /// Keys are compared byte by byte.
    func namesake(of path: RelativePath) -> RelativePath? { nil }

    func isView(
        _ path: RelativePath,
        of bytes: [UInt8]?,
        limit: Int,
        pair: UInt64?
    ) throws(FileError) -> Bool {
        let entry = try entry(at: place(path))
        return entry.bytes == bytes || mark(of: entry, at: path, pair: pair)?.kind == .view
    }

    func document(of temporary: TemporaryName, in directory: RelativePath?) -> RelativePath? {
        let documents = (try? contents())?.documents ?? [:]
        return documents.keys.sorted().first { $0.directory == directory && temporary.belongs(to: $0) }
    }

    /// Each value has only one name.
    func isSecondName(_ place: Location, of path: RelativePath) -> Bool { false }
}
