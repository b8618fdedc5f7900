package import FileSystem
internal import Glibc
package import Model
package import Stores

/// A copy of a database for who only looks: SQLite creates files beside a database that it reads, undoes a
/// change that a program did not finish, and moves the log's content. All that happens to the copy.
package final class DatabaseCopy {
    private let directory: String
    /// Of the database when it was copied.
    let state: DatabaseState
    package var path: String { "\(directory)/\(Self.name)" }

    private static let name = "database"
    /// The database, its log and its journal. `-shm` is made from the log.
    private static let suffixes = ["", "-wal", "-journal"]
    private static let mostAttempts = 4
    /// Far above the size of a database of documents.
    static let maxBytes = 256 << 20

    /// - Parameter path: of the database, for its locks.
    package init(of file: Location, at path: String, in files: any FileSystem) throws(DatabaseFault) {
        var template = Array("\(Self.temporaryDirectory)/widgetbridge.XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw .file(.system(errno: errno, .create, file)) }
        let directory = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        self.directory = directory
        do throws(DatabaseFault) { state = try Self.take(file, at: path, in: files, to: directory) } catch {
            Self.remove(directory)
            throw error
        }
    }

    deinit { Self.remove(directory) }

    private static var temporaryDirectory: String {
        unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    }

    private static func remove(_ directory: String) {
        for suffix in suffixes + ["-shm"] { unsafe _ = unlink("\(directory)/\(name)\(suffix)") }
        unsafe _ = rmdir(directory)
    }

    /// Copies all files while none of them changes.
    private static func take(
        _ file: Location,
        at path: String,
        in files: any FileSystem,
        to directory: String
    ) throws(DatabaseFault) -> DatabaseState {
        do throws(FileError) {
            let target = try LinuxFileSystem(app: directory, group: directory, state: directory)
            for _ in 0..<mostAttempts {
                if DatabaseLocks.isLocked(path) { throw FileError.system(errno: EBUSY, .lock, file) }
                let before = signatures(of: file, in: files)
                try copy(file, before, in: files, to: target)
                guard before == signatures(of: file, in: files), !DatabaseLocks.isLocked(path) else {
                    continue
                }
                do throws(DatabaseFault) {
                    if let state = try DatabaseState(of: file, isKnown: true, in: files),
                        state.database == before[0], state.log == before[1]
                    {
                        return state
                    }
                } catch {
                    throw FileError.system(errno: EBUSY, .lock, file)
                }
            }
        } catch .system(EBUSY, .lock, _) {
            throw .busy
        } catch {
            throw .file(error)
        }
        throw .busy
    }

    private static func copy(
        _ file: Location,
        _ parts: [Signature?],
        in source: any FileSystem,
        to target: LinuxFileSystem
    ) throws(FileError) {
        for (suffix, signature) in zip(suffixes, parts) {
            guard let copied = RelativePath(name + suffix) else { continue }
            try? target.remove(Location(Side.app, copied))
            guard let signature, let part = file.path.sibling(file.path.name + suffix) else { continue }
            if signature.size > maxBytes { throw .system(errno: EFBIG, .read, file) }
            let bytes = try source.contents(of: Location(file.root, part), limit: maxBytes)
            try target.create(Location(Side.app, copied), holding: bytes, synced: false)
        }
    }

    private static func signatures(of file: Location, in files: any FileSystem) -> [Signature?] {
        suffixes.map { suffix in
            let part = file.path.sibling(file.path.name + suffix)
            return part.flatMap { try? files.status(of: Location(file.root, $0)).signature }
        }
    }
}

/// The locks of SQLite on a database, seen from outside.
package enum DatabaseLocks {
    /// Where SQLite locks a database that a program is about to change: the byte for those who wait, the one
    /// for a writer, and the bytes of the readers.
    private static let range: (start: Int, count: Int) = (0x4000_0000, 512)

    /// Whether nobody else can read the database. This process must not have it open as a database: closing
    /// a descriptor drops its locks.
    package static func isLocked(_ path: String) -> Bool {
        holder(of: path, range.start + 2, range.count - 2) != nil
    }

    /// The process that keeps all others from writing the database, whose log is a write-ahead one. This
    /// process must not have it open as a database.
    package static func writer(of path: String) -> Int32? {
        holder(of: path, range.start + 2, range.count - 2) ?? holder(of: path + "-shm", logWriter, 1)
    }

    /// The byte of `-shm` that SQLite locks for the one who appends to the log.
    private static let logWriter = 120

    /// The process that has locked these bytes for itself.
    private static func holder(of path: String, _ start: Int, _ count: Int) -> Int32? {
        let opened = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard opened >= 0 else { return nil }
        defer { close(opened) }
        var lock = flock()
        lock.l_type = Int16(F_RDLCK)
        lock.l_whence = Int16(SEEK_SET)
        (lock.l_start, lock.l_len) = (start, count)
        let isLocked = unsafe fcntl(opened, F_GETLK, &lock) == 0 && lock.l_type == Int16(F_WRLCK)
        return isLocked ? lock.l_pid : nil
    }
}
