package import FileSystem
package import Model

/// Everything that the bridge overwrites or deletes: one file per content, named by its digest.
///
/// It is not synced: each content was a base, or is about to be merged.
package enum Trash {
    package static let directory = "trash"
    package static let conflicts = "conflicts"
    /// The location of a content in the trash.
    package static func place(of digest: Digest) -> Location? {
        RelativePath("\(directory)/\(digest.hex)").map { Location(.state, $0) }
    }

    /// Short enough to type.
    package static func id(of digest: Digest) -> String { String(digest.hex.prefix(12)) }
}

/// How much the trash may hold, and for how long.
package struct TrashLimits: Sendable, Hashable {
    /// Of the disk.
    package var maxBytes: Int64
    package var maxAge: Duration

    package init(maxBytes: Int64 = 256 << 20, maxAge: Duration = .seconds(30 * 24 * 3600)) {
        self.maxBytes = maxBytes
        self.maxAge = maxAge
    }

    /// By a clock that has run steadily for `maxAge`: a time in the future is from before that, when the
    /// clock was ahead.
    func isOld(_ kept: Int64, at now: Int64) -> Bool {
        let day = Duration.seconds(24 * 3600).nanoseconds
        return kept < now - maxAge.nanoseconds || kept > now + day
    }
}

/// A file in the trash or in the conflict store.
package struct KeptFile: Sendable, Hashable {
    package var name: String
    package var place: Location
    package var size: Int64
    /// Its disk space: its blocks, or its size where a file system does not report blocks.
    package var weight: Int64
    /// When it was stored: nanoseconds since 1970.
    package var kept: Int64

    /// The digest that names a file of the trash.
    package var digest: Digest? { Digest("sha256:" + name) }
}

/// How full the trash is, in disk space.
package struct TrashUse: Codable, Sendable, Hashable {
    package var files = 0
    package var bytes: Int64 = 0
    /// Files that were deleted before their age limit, for lack of room.
    package var droppedEarly = 0
    /// Bytes that it may take.
    package var limit: Int64

    package init(limit: Int64 = TrashLimits().maxBytes) { self.limit = limit }

    init(_ kept: [KeptFile], limit: Int64) {
        self.init(limit: limit)
        files = kept.count
        bytes = kept.reduce(0) { $0 + $1.weight }
    }

    package var isNearlyFull: Bool { bytes > limit / 10 * 8 }
}

extension StateDirectory {
    /// Makes the directories for kept files.
    package func makeKeepingPlaces() throws(FileError) {
        for name in [Trash.directory, Trash.conflicts] {
            guard let path = RelativePath(name) else { continue }
            do { try files.makeDirectory(Location(.state, path)) } catch .exists {}
        }
        // Synced even if they exist: a run that ended here may have made them.
        try files.sync(Directory(.state))
    }

    /// Moves a displaced file to the trash. Returns its disk space there; `nil` if the trash had the content
    /// already.
    @discardableResult
    package func discard(
        _ aside: Location,
        digest: Digest,
        limit: Int,
        status known: FileStatus? = nil
    ) throws(FileError) -> Int64? {
        // A file with a second name can still be written to under it, so its bytes are copied.
        let status: FileStatus
        if let known { status = known } else { status = try files.status(of: aside) }
        // An empty file: a run was killed before it wrote to it.
        guard status.signature.size > 0 else {
            try files.remove(aside)
            return nil
        }
        guard let place = Trash.place(of: digest) else { return nil }
        var isNew = true
        if status.links == 1 {
            do {
                var before: KeptRights?
                do {
                    try files.rename(aside, to: place, .exclusive)
                } catch .exists {
                    // Its age starts again.
                    isNew = false
                    before = files.keptRights(with: place)
                    try files.rename(aside, to: place, .replace)
                }
                keepRights(of: place, in: place, before)
                return isNew ? status.weight : nil
            } catch .unsupported(.rename, _) {
                // Another file system, or one without such a rename: copies the bytes instead.
            }
        }
        isNew = try copyToTrash(aside, limit: limit)
        return isNew ? status.weight : nil
    }

    /// `before`: the rights of another document with the same content. If the rights cannot be stored, a
    /// document restored from it is accessible to its owner only.
    private func keepRights(of model: Location, in place: Location, _ before: KeptRights? = nil) {
        do throws(FileError) {
            try files.keepRights(of: model, with: place)
            guard let before, let new = files.keptRights(with: place), new.narrowed(to: before) != new
            else { return }
            try files.setAttribute(OwnAttribute.rights, at: place, to: new.narrowed(to: before).bytes)
        } catch {
            // See above: the restored document is then its owner's only.
        }
    }

    /// `false` if the trash has it already.
    private func copyToTrash(_ aside: Location, limit: Int) throws(FileError) -> Bool {
        try copyToTrash(aside, limit: limit, through: files)
    }

    private func copyToTrash(
        _ aside: Location,
        limit: Int,
        through files: some FileSystem
    ) throws(FileError) -> Bool {
        let handle = try files.open(aside)
        defer { files.close(handle) }
        let bytes = try files.read(handle, limit: limit)
        let isNew = try Trash.place(of: Digest(of: bytes)).map { place throws(FileError) in
            let isNew = try keep(bytes, at: place)
            keepRights(of: aside, in: place, isNew ? nil : files.keptRights(with: place))
            return isNew
        }
        try files.remove(aside)
        return isNew ?? false
    }

    /// Stores a conflict copy, outside both containers, under a readable name. It may be the only copy of an
    /// acknowledged save, so with `synced` it is synced before the document is replaced.
    ///
    /// Returns the name, or `nil` if the same copy is stored already.
    package func keepConflictCopy(
        _ bytes: [UInt8],
        _ id: String,
        of document: RelativePath,
        synced: Bool
    ) throws(FileError) -> String? {
        guard let place = place(ofConflictCopy: id, document) else { return nil }
        let isNew = try keep(bytes, at: place, synced: synced)
        if synced { try files.sync(place.directory) }
        return isNew ? place.path.name : nil
    }

    /// The same for a displaced file, by renaming it: a program that has it open goes on writing to the copy.
    package func keepConflictCopy(
        _ aside: Location,
        holding bytes: [UInt8],
        _ id: String,
        of document: RelativePath,
        synced: Bool
    ) throws(FileError) -> String? {
        guard let place = place(ofConflictCopy: id, document) else { return nil }
        // With a second name it could still be written to, so its bytes are copied.
        if try files.status(of: aside).links == 1 {
            if synced { try files.sync(aside) }
            do throws(FileError) {
                try files.rename(aside, to: place, .exclusive)
                keepRights(of: place, in: place)
                if synced { try files.sync(place.directory) }
                return place.path.name
            } catch .exists {
                // The copy is stored already.
            } catch .unsupported(.rename, _) {
                // Another file system, or one without such a rename.
            }
        }
        let kept = try keepConflictCopy(bytes, id, of: document, synced: synced)
        try files.remove(aside)
        return kept
    }

    private func place(ofConflictCopy id: String, _ document: RelativePath) -> Location? {
        let path = RelativePath("\(Trash.conflicts)/\(id)-\(shortened(document.name))")
        return path.map { Location(.state, $0) }
    }

    private func shortened(_ name: String) -> String {
        var text = name
        while text.utf8.count > 200 { text.removeFirst() }
        return text
    }

    /// Written atomically; `false` if it exists already.
    @discardableResult
    package func keep(_ bytes: [UInt8], at place: Location, synced: Bool = false) throws(FileError) -> Bool {
        guard let path = RelativePath("\(place.path).new") else { return false }
        let new = Location(.state, path)
        do { try files.remove(new) } catch .missing {}
        try files.create(new, holding: bytes, synced: synced)
        do {
            try files.move(new, to: place)
        } catch .exists {
            try files.remove(new)
            return false
        }
        return true
    }

    /// The contents of the trash.
    package func trashed() throws(FileError) -> [Digest] {
        try keptNames(in: Trash.directory).compactMap { Digest("sha256:" + $0) }
    }

    /// The names in the trash or in the conflict store, without a `stat` of each file.
    package func keptNames(in directory: String) throws(FileError) -> [String] {
        guard let directory = RelativePath(directory) else { return [] }
        return try files.list(Directory(.state, directory)).map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// One file of the trash or of the conflict store; `nil` if it is absent.
    package func keptFile(_ name: String, in directory: String) throws(FileError) -> KeptFile? {
        guard let path = RelativePath("\(directory)/\(name)") else { return nil }
        let place = Location(.state, path)
        let status: FileStatus
        do { status = try files.status(of: place) } catch .missing { return nil }
        return KeptFile(
            name: name,
            place: place,
            size: status.signature.size,
            weight: status.weight,
            kept: status.signature.changed
        )
    }

    /// The files in the trash or in the conflict store, oldest first.
    package func keptFiles(in directory: String) throws(FileError) -> [KeptFile] {
        var files: [KeptFile] = []
        for name in try keptNames(in: directory) {
            if let file = try keptFile(name, in: directory) { files.append(file) }
        }
        return files.sorted { ($0.kept, $0.name) < ($1.kept, $1.name) }
    }

    package func trashUse() throws(FileError) -> TrashUse {
        TrashUse(try keptFiles(in: Trash.directory), limit: TrashLimits().maxBytes)
    }
}

extension FileStatus {
    /// A sparse file may grow to its size; some file systems do not report blocks.
    package var weight: Int64 { max(allocated, signature.size) }
}

extension Duration {
    package var nanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
