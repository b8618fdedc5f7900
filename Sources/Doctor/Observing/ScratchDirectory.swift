import DatabaseStore
import FileSystem
import FoundationEssentials
import Glibc
import Model
import Replica
import Stores

/// A temporary directory for the copy of a database.
///
/// SQLite takes locks on the database that it reads and creates files beside it, and it undoes a change that
/// a program did not finish. All that happens to the copy.
struct ScratchDirectory {
    private let path: String
    private let files: LinuxFileSystem
    private static let database = "database"
    /// The path of the copy.
    var database: String { "\(path)/\(Self.database)" }
    /// `-shm` is made from `-wal`.
    private static let suffixes = ["", "-wal", "-journal"]

    /// `nil` if there is no place for it.
    init?() throws(FileError) {
        var template = Array(
            (FileManager.default.temporaryDirectory.path + "/widgetbridge.XXXXXX").utf8CString
        )
        guard unsafe mkdtemp(&template) != nil else { return nil }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        files = try LinuxFileSystem(app: path, group: path, state: path)
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }

    /// Attempts to copy all files of the database while none of them changes.
    private static let mostAttempts = 4

    /// `false` if other programs change the database all the time.
    func take(
        _ database: RelativePath,
        of root: Root,
        in source: LinuxFileSystem,
        limit: Int
    ) throws(FileError) -> Bool {
        for _ in 0..<Self.mostAttempts {
            let before = Self.signatures(of: database, root, in: source)
            for (suffix, signature) in zip(Self.suffixes, before) {
                guard let copied = RelativePath(Self.database + suffix) else { continue }
                try? files.remove(Location(Side.app, copied))
                guard signature != nil, let part = database.sibling(database.name + suffix) else { continue }
                let bytes = try source.contents(of: Location(root, part), limit: limit)
                try files.create(Location(Side.app, copied), holding: bytes, synced: false)
            }
            if before == Self.signatures(of: database, root, in: source) { return true }
        }
        return false
    }

    private static func signatures(
        of database: RelativePath,
        _ root: Root,
        in files: LinuxFileSystem
    ) -> [Signature?] {
        suffixes.map { suffix in
            let part = database.sibling(database.name + suffix)
            return part.flatMap { try? files.status(of: Location(root, $0)).signature }
        }
    }

    /// Reads the document from the copy.
    func content(
        of document: DatabaseDocument,
        maxDocument: Int
    ) throws(DatabaseFault) -> StoreObservation.Content {
        guard let name = RelativePath(Self.database) else { return .unknown }
        var document = document
        document.file = Location(Side.app, name)
        let store = DatabaseStore(files, container: path, maxBytes: maxDocument, syncs: false)
        defer { store.close() }
        // The bridge creates a table whose statement is known.
        if document.creation == nil, try !store.hasTable(of: document) { return .noTable }
        let reading = try store.read(document, unless: nil, mayWait: false, isKnown: false)
        guard case .content(let content) = reading else { return .row(nil) }
        return .row(content.bytes)
    }
}

/// The locks of SQLite on a database, seen from outside.
enum DatabaseLocks {
    /// Where SQLite locks a database that a program is about to change: the byte for those who wait, the one
    /// for a writer, and the bytes of the readers.
    private static let range: (start: Int, count: Int) = (0x4000_0000, 512)
    private static let mostLooks = 20

    /// Whether nobody else can read the database, and that for longer than a commit takes.
    static func isLocked(_ path: String) -> Bool {
        let opened = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard opened >= 0 else { return false }
        // This process has no lock on the file that it could lose.
        defer { close(opened) }
        for _ in 0..<mostLooks {
            if !isLocked(opened) { return false }
            usleep(10_000)
        }
        return true
    }

    private static func isLocked(_ opened: Int32) -> Bool {
        var lock = flock()
        lock.l_type = Int16(F_RDLCK)
        lock.l_whence = Int16(SEEK_SET)
        (lock.l_start, lock.l_len) = (range.start + 2, range.count - 2)
        return unsafe fcntl(opened, F_GETLK, &lock) == 0 && lock.l_type == Int16(F_WRLCK)
    }
}
