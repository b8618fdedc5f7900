import FileSystem
package import Model

/// The contents of documents before their migration: `originals/HASH` in the state directory, until a person
/// finishes the migration. They are not in the trash, because the trash deletes files for lack of room.
enum OriginalStore {
    static let directory = "originals"

    static func place(of digest: Digest) -> Location? { place(digest.hex) }

    static func place(_ name: String) -> Location? {
        RelativePath("\(directory)/\(name)").map { Location(.state, $0) }
    }
}

/// The disk space of the originals.
package struct KeptOriginals: Sendable, Hashable, Codable {
    package var files = 0
    package var bytes: Int64 = 0
    /// The number of files that a `rollback` can need. It needs none of a migration that it took back.
    package var needed = 0

    package init() {}
}

extension StateDirectory {
    /// Called before the documents are replaced. Each file is written atomically.
    package func keepOriginals(_ contents: [Digest: [UInt8]], synced: Bool) throws(FileError) {
        guard let path = RelativePath(OriginalStore.directory) else { return }
        do { try files.makeDirectory(Location(.state, path)) } catch .exists {}
        var new: [(written: Location, place: Location)] = []
        for (digest, bytes) in contents.sorted(by: { $0.key.hex < $1.key.hex }) {
            guard let place = OriginalStore.place(of: digest),
                let written = OriginalStore.place(digest.hex + ".new")
            else { continue }
            do {
                _ = try files.status(of: place)
            } catch .missing {
                try write(bytes, anew: written)
                new.append((written, place))
            }
        }
        // Synced one by one after all are written: the first sync writes most of the others, too.
        if synced { for file in new { try files.sync(file.written) } }
        for file in new { try files.rename(file.written, to: file.place, .replace) }
        guard synced else { return }
        try files.sync(Directory(.state, path))
        try files.sync(Directory(.state))
    }

    private func write(_ bytes: [UInt8], anew place: Location) throws(FileError) {
        do { try files.remove(place) } catch .missing {}
        do {
            try files.create(place, holding: bytes, synced: false)
        } catch {
            try? files.remove(place)
            throw error
        }
    }

    /// `nil` if it is deleted or damaged. Older releases left it in the trash.
    package func original(_ digest: Digest, limit: Int) throws(FileError) -> [UInt8]? {
        for place in [OriginalStore.place(of: digest), Trash.place(of: digest)].compactMap(\.self) {
            let bytes: [UInt8]
            do { bytes = try files.contents(of: place, limit: limit) } catch {
                switch error {
                case .missing, .noDirectory: continue
                default: throw error
                }
            }
            if Digest(of: bytes) == digest { return bytes }
        }
        return nil
    }

    package func originalDigests() throws(FileError) -> [Digest] {
        do {
            return try keptNames(in: OriginalStore.directory).compactMap { Digest("sha256:" + $0) }
        } catch .noDirectory { return [] }
    }

    /// The size of these contents; with `dropping`, also deletes them. `nil` for an incomplete file.
    package func originals(
        dropping: Bool = false,
        where isMeant: (Digest?) -> Bool
    ) throws(FileError) -> KeptOriginals {
        var kept = KeptOriginals()
        let names: [String]
        do { names = try keptNames(in: OriginalStore.directory) } catch .noDirectory { return kept }
        for name in names where isMeant(Digest("sha256:" + name)) {
            guard let file = try keptFile(name, in: OriginalStore.directory) else { continue }
            kept.files += 1
            kept.bytes += file.weight
            if dropping { do { try files.remove(file.place) } catch .missing {} }
        }
        return kept
    }
}
