import FileSystem
package import Model
package import Replica

extension DirectoryReplica {
    /// If a subdirectory cannot be listed, only the documents in it are held.
    package mutating func list(_ directory: RelativePath?) throws(FileError) -> ReplicaListing {
        var listing = ReplicaListing()
        var waiting = [Directory(root, directory)]
        while let directory = waiting.popLast() {
            let entries: [DirectoryEntry]
            do throws(FileError) {
                entries = try files.list(directory)
            } catch {
                guard let path = directory.path else { throw error }
                if case .noDirectory = error { continue }
                listing.unlisted[path] = error
                continue
            }
            caseFolding.record(directory, isEmpty: entries.isEmpty, in: files)
            for entry in entries { add(entry, of: directory, &listing, &waiting) }
        }
        return listing
    }

    private func add(
        _ entry: DirectoryEntry,
        of directory: Directory,
        _ listing: inout ReplicaListing,
        _ waiting: inout [Directory]
    ) {
        guard let name = String(validating: entry.bytes, as: UTF8.self) else {
            if let name = unnamable(entry, in: directory.path) { listing.unnamable.append(name) }
            return
        }
        guard let path = RelativePath.child(of: directory.path, name) else { return }
        let place = place(path)
        if let temporary = TemporaryName(name) { listing.temporaries.append((place, temporary)) }
        if name.hasPrefix(".") { return }
        if (entry.kind ?? (try? files.status(of: place).kind)) == .directory {
            waiting.append(Directory(root, path))
        } else {
            listing.files.append(path)
        }
    }

    package func unnamable(in directory: RelativePath?) -> [String] {
        ((try? files.list(Directory(root, directory))) ?? [])
            .filter { String(validating: $0.bytes, as: UTF8.self) == nil }
            .compactMap { unnamable($0, in: directory) }
    }

    /// `nil` if it would not be a document anyway. A directory, which may have documents, ends in `/`.
    private func unnamable(_ entry: DirectoryEntry, in directory: RelativePath?) -> String? {
        if entry.bytes.first == UInt8(ascii: ".") { return nil }
        let isDirectory = entry.kind == .directory
        guard isDirectory || entry.bytes.suffix(5).elementsEqual(".json".utf8) else { return nil }
        let name = escaped(entry.bytes) + (isDirectory ? "/" : "")
        return directory.map { "\($0)/\(name)" } ?? name
    }

    package func document(of temporary: TemporaryName, in directory: RelativePath?) -> RelativePath? {
        for entry in (try? files.list(Directory(root, directory))) ?? [] {
            guard let name = String(validating: entry.bytes, as: UTF8.self),
                let path = RelativePath.child(of: directory, name), temporary.belongs(to: path)
            else { continue }
            return path
        }
        return nil
    }

    package func isSecondName(_ place: Location, of path: RelativePath) -> Bool {
        guard let one = try? files.status(of: place).signature,
            let other = try? files.status(of: self.place(path)).signature
        else { return false }
        return one.device == other.device && one.inode == other.inode
    }
}
