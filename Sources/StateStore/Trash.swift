package import FileSystem
package import Model

/// Where everything goes that the bridge overwrites or deletes: one file per content, named by its digest.
///
/// It is not synced: what lies here was agreed on, or is on its way to be merged.
package enum Trash {
    package static let directory = "trash"
    package static let conflicts = "conflicts"
    /// Where a content lies that went there.
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

    /// A time in the future comes from before `now`, when the clock was ahead: the caller has seen it go on
    /// steadily for `maxAge`.
    func isOld(_ kept: Int64, at now: Int64) -> Bool {
        let day = Duration.seconds(24 * 3600).nanoseconds
        return kept < now - maxAge.nanoseconds || kept > now + day
    }
}

/// A file of the trash or of the conflict store.
package struct KeptFile: Sendable, Hashable {
    package var name: String
    package var place: Location
    package var size: Int64
    /// What it takes of the disk: its blocks, or its size where a file system tells no blocks.
    package var weight: Int64
    /// When it came there: nanoseconds since 1970.
    package var kept: Int64

    /// A file of the trash is named by it.
    package var digest: Digest? { Digest("sha256:" + name) }
}

/// How full the trash is, by what its files take of the disk.
package struct TrashUse: Codable, Sendable, Hashable {
    package var files = 0
    package var bytes: Int64 = 0
    /// Those that went before their time, for want of room.
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
    /// The directories of the state that files are kept in.
    package func makeKeepingPlaces() throws(FileError) {
        for name in [Trash.directory, Trash.conflicts] {
            guard let path = RelativePath(name) else { continue }
            do { try files.makeDirectory(Location(.state, path)) } catch .exists {}
        }
        // Also where they are there: a run that ended here may have made them.
        try files.sync(Directory(.state))
    }

    /// Moves a file that was put aside into the trash. Returns what it takes of the disk there; `nil` where
    /// nothing came to be there that had not been.
    @discardableResult
    package func discard(
        _ aside: Location,
        digest: Digest,
        limit: Int,
        status known: FileStatus? = nil
    ) throws(FileError) -> Int64? {
        // A file with another name can still be written to by that name: its bytes are copied.
        let status: FileStatus
        if let known { status = known } else { status = try files.status(of: aside) }
        // Nothing is in it that could be taken back: a run was killed before it wrote to it.
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
                    // Young again.
                    isNew = false
                    before = files.keptRights(with: place)
                    try files.rename(aside, to: place, .replace)
                }
                keepRights(of: place, in: place, before)
                return isNew ? status.weight : nil
            } catch .unsupported(.rename, _) {
                // Another file system, or one without such a rename: the bytes move, not the file.
            }
        }
        isNew = try copyToTrash(aside, limit: limit)
        return isNew ? status.weight : nil
    }

    /// `before`: of another document that had the same content. Where they cannot be kept the document that
    /// is made of it one day is its owner's alone, and until then the directory is.
    private func keepRights(of model: Location, in place: Location, _ before: KeptRights? = nil) {
        do throws(FileError) {
            try files.keepRights(of: model, with: place)
            guard let before, let new = files.keptRights(with: place), new.narrowed(to: before) != new
            else { return }
            try files.setAttribute(OwnAttribute.rights, at: place, to: new.narrowed(to: before).bytes)
        } catch {
            // As said.
        }
    }

    /// `false` if it is there already.
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

    /// Keeps what lost a conflict, outside both containers, under a name a person can read. It may be the
    /// only copy of what somebody was told is saved: `synced` before anything takes its place.
    ///
    /// Returns the name, or `nil` if the very same copy is kept already.
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

    /// The same of a file that was put aside, as it is: whoever has it open writes on to what is kept.
    package func keepConflictCopy(
        _ aside: Location,
        holding bytes: [UInt8],
        _ id: String,
        of document: RelativePath,
        synced: Bool
    ) throws(FileError) -> String? {
        guard let place = place(ofConflictCopy: id, document) else { return nil }
        // By another name it can still be written to: its bytes are copied.
        if try files.status(of: aside).links == 1 {
            if synced { try files.sync(aside) }
            do throws(FileError) {
                try files.rename(aside, to: place, .exclusive)
                keepRights(of: place, in: place)
                if synced { try files.sync(place.directory) }
                return place.path.name
            } catch .exists {
                // Kept already.
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

    /// Whole or not at all; `false` if it is there already.
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

    /// The names in the trash or in the conflict store: no file is looked at.
    package func keptNames(in directory: String) throws(FileError) -> [String] {
        guard let directory = RelativePath(directory) else { return [] }
        return try files.list(Directory(.state, directory)).map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// One file of the trash or of the conflict store; `nil` where it is gone.
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

    /// What lies in the trash or in the conflict store, oldest first.
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
    /// A sparse file may come to take as much as its size; some file systems tell no blocks.
    package var weight: Int64 { max(allocated, signature.size) }
}

extension Duration {
    package var nanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
