internal import FileSystem
internal import Model
internal import Replica
internal import Stores

/// What `stat` reports of a database and of the files beside it.
struct DatabaseState: Hashable {
    var database: Signature
    /// The write-ahead log, `-wal`.
    var log: Signature?
    /// The index of the log, `-shm`. Its content is not a part of the state.
    var index: Signature?
    /// No user has write permission.
    var isReadOnly: Bool

    /// The log has content. An empty one comes and goes as programs open and close the database.
    var writtenLog: Signature? { log.flatMap { $0.size > 0 ? $0 : nil } }

    var status: DocumentStatus {
        DocumentStatus(kind: .regular, signature: signature, isReadOnly: isReadOnly)
    }

    /// Whether the database's name still has the same file.
    func isOfSameFile(as other: DatabaseState) -> Bool { database.isOf(other.database) }

    /// Changes whenever a row may have changed.
    ///
    /// The inode is a hash of all fields, because sums and maxima could be equal by chance; the times are the
    /// newest, by which the engine knows whether a further change would get the same.
    var signature: Signature {
        let files = [database] + (writtenLog.map { [$0] } ?? [])
        let numbers = files.flatMap {
            [$0.device, $0.inode] + [$0.size, $0.modified, $0.changed].map { UInt64(bitPattern: $0) }
        }
        return Signature(
            device: database.device,
            inode: Digest(of: numbers.flatMap(\.bigEndianBytes)).start,
            size: files.reduce(0) { $0 + $1.size },
            modified: files.reduce(.min) { max($0, $1.modified) },
            changed: files.reduce(.min) { max($0, $1.changed) }
        )
    }
}

extension Signature {
    /// A signature that no database has: a program may have written what is not visible yet, and the files do
    /// not change when that becomes visible.
    var unsettled: Signature {
        var signature = self
        signature.inode = ~inode
        return signature
    }
}

extension DatabaseState {
    /// `nil` if the database is absent.
    ///
    /// - Parameter isKnown: It existed before, so something that hides it, such as a mount, does not make it
    ///   absent.
    init?(of file: Location, isKnown: Bool, in files: any FileSystem) throws(DatabaseFault) {
        let names = [file] + ["-wal", "-shm"].compactMap { Self.place(beside: file, $0) }
        let found = files.statuses(of: names)
        guard let status = try Self.checked(found[0], names[0]) else {
            if isKnown, Self.isMountedOver(file, in: files) { throw .mountPoint }
            return nil
        }
        (database, isReadOnly) = (status.signature, status.mode & 0o222 == 0)
        // A name that is too long for SQLite's files has none.
        guard names.count == 3 else { return }
        log = try Self.checked(found[1], names[1])?.signature
        index = try Self.checked(found[2], names[2])?.signature
    }

    private static func place(beside file: Location, _ suffix: String) -> Location? {
        file.path.sibling(file.path.name + suffix).map { Location(file.root, $0) }
    }

    /// A file beside the database; `nil` if it is absent. SQLite must not reach another file through it.
    static func signature(
        beside file: Location,
        _ suffix: String,
        in files: any FileSystem
    ) throws(DatabaseFault) -> Signature? {
        guard let place = place(beside: file, suffix) else { return nil }
        return try checked(files.statuses(of: [place])[0], place)?.signature
    }

    /// `nil` if there is no such file.
    private static func checked(
        _ found: Result<FileStatus, FileError>,
        _ file: Location
    ) throws(DatabaseFault) -> FileStatus? {
        let status: FileStatus
        do throws(FileError) {
            status = try found.get()
        } catch {
            switch error {
            case .missing: return nil
            case .noDirectory(let directory) where directory.path != nil: return nil
            default: throw .file(error)
            }
        }
        guard status.kind == .regular else { throw .file(.notRegular(file, status.kind)) }
        if status.isMountPoint { throw .mountPoint }
        return status
    }

    private static func isMountedOver(_ file: Location, in files: any FileSystem) -> Bool {
        var next = file.path.directory
        while let path = next {
            if (try? files.status(of: Directory(file.root, path)))?.isMountPoint == true { return true }
            next = path.directory
        }
        return false
    }
}
