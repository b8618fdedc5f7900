import FileSystem
package import Model
package import Replica

extension DirectoryReplica {
    package func prepare(_ write: DocumentWrite) throws(FileError) -> Staged {
        try files.stage(
            write.bytes,
            digest: write.digest,
            for: place(write.document),
            replacing: write.expected,
            like: write.model,
            hasDefaultMode: write.hasDefaultMode,
            source: write.source,
            number: write.number,
            synced: write.isSynced,
            isReadOnly: write.isReadOnly,
            mark: write.mark
        )
    }

    package func sync(_ staged: Staged) throws(FileError) { try files.sync(staged.temporary) }

    package func remove(_ place: Location) throws(FileError) { try files.remove(place) }

    package mutating func commit(_ staged: Staged, over expected: Digest?, waits: Bool) throws(FileError)
        -> Publication
    {
        guard let expected else {
            let publication = try create(staged)
            if publication == .raced { try files.remove(staged.temporary) }
            return publication
        }
        if settings.exchanges, !withoutExchange.contains(staged.signature.device) {
            do {
                return try files.publish(staged, replacing: true)
            } catch .unsupported(.rename, _) {
                withoutExchange.insert(staged.signature.device)
            }
        }
        return try files.publishOver(staged, expected: expected, limit: settings.maxBytes, waits: waits)
    }

    package mutating func create(_ staged: Staged) throws(FileError) -> Publication {
        do {
            if try !files.move(staged.temporary, to: staged.target) {
                withoutExchange.insert(staged.signature.device)
            }
        } catch .exists {
            return .raced
        }
        caseFolding.record(created: staged.target, in: files)
        guard caseFolding.loses(caseOf: staged.target, in: files) else { return .created }
        // It is held when it is planned again.
        try files.rename(staged.target, to: staged.temporary, .replace)
        return .raced
    }

    package func displace(
        _ path: RelativePath,
        expected: Digest,
        number: UInt64
    ) throws(FileError) -> Location? {
        try files.displace(place(path), expected: expected, number: number)
    }

    package func move(_ old: RelativePath, to new: RelativePath) throws(FileError) {
        try files.rename(place(old), to: place(new), .exclusive)
    }

    // MARK: Displaced files

    package func examine(
        _ place: Location,
        trustUnknown: Bool,
        isExpected: (Digest) -> Bool
    ) throws(FileError) -> Displaced {
        try files.examine(
            place,
            limit: settings.maxBytes,
            trustUnknown: trustUnknown,
            isExpected: isExpected
        )
    }

    package func restore(_ place: Location, as path: RelativePath) throws(FileError) {
        try files.move(place, to: self.place(path))
    }

    package func exchange(_ place: Location, with path: RelativePath) throws(FileError) {
        try files.rename(place, to: self.place(path), .exchange)
    }

    // MARK: Directories

    package mutating func makeDirectories(above path: RelativePath) throws(FileError) {
        try folders.makeDirectories(above: path, in: files)
    }

    package var madeDirectories: [RelativePath] { folders.made.sorted() }
    package mutating func takeDirectoryChanges() -> [DirectoryChange] { folders.takeChanges() }
    package mutating func forgetDirectories() { folders.forget() }
    package mutating func removeEmptyDirectories(from directory: RelativePath?) {
        folders.removeEmpty(from: directory, in: files)
    }
    package mutating func removeEmptyDirectories() { folders.removeEmpty(in: files) }
    package mutating func remember(unsynced path: RelativePath) { folders.remember(changedName: path) }

    package mutating func syncDirectory(of path: RelativePath, isDue: Bool) throws(FileError) {
        try folders.sync(path.directory, isDue: isDue, in: files)
    }
}
