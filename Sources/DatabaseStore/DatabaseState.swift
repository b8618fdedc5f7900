internal import FileSystem
internal import Model
internal import Stores

/// What `stat` reports of a database and of the files beside it.
struct DatabaseState: Hashable {
    var database: Signature
    /// The write-ahead log, `-wal`.
    var log: Signature?
    /// The index of the log, `-shm`. Its content is not a part of the state.
    var index: Signature?

    /// The log has content. An empty one comes and goes as programs open and close the database.
    var writtenLog: Signature? { log.flatMap { $0.size > 0 ? $0 : nil } }

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
    /// One that no database has: a program may have written what is not visible yet, and the files do not
    /// change when it becomes visible.
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
        guard let database = try Self.signature(of: file, in: files) else {
            if isKnown, Self.isMountedOver(file, in: files) { throw .mountPoint }
            return nil
        }
        self.database = database
        log = try Self.signature(beside: file, "-wal", in: files)
        index = try Self.signature(beside: file, "-shm", in: files)
    }

    /// A file beside the database; `nil` if it is absent. SQLite must not reach another file through it.
    static func signature(
        beside file: Location,
        _ suffix: String,
        in files: any FileSystem
    ) throws(DatabaseFault) -> Signature? {
        guard let path = file.path.sibling(file.path.name + suffix) else { return nil }
        return try signature(of: Location(file.root, path), in: files)
    }

    private static func signature(
        of file: Location,
        in files: any FileSystem
    ) throws(DatabaseFault) -> Signature? {
        let status: FileStatus
        do throws(FileError) {
            status = try files.status(of: file)
        } catch {
            switch error {
            case .missing: return nil
            case .noDirectory(let directory) where directory.path != nil: return nil
            default: throw .file(error)
            }
        }
        guard status.kind == .regular else { throw .file(.notRegular(file, status.kind)) }
        if status.isMountPoint { throw .mountPoint }
        return status.signature
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
