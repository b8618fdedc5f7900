import Glibc

/// The file of a bridge's queue of events, and the directory that has it alone.
package struct EventQueueFile: Sendable {
    /// The state directory.
    private let state: String

    package init(state: String) { self.state = state }

    /// In the state directory.
    package static let name = "events/queue.sqlite"

    var directory: String { state + "/events" }
    package var path: String { "\(state)/\(Self.name)" }

    /// Whether there is a queue; also if that cannot be found out.
    ///
    /// Throws if something else has its name: SQLite would follow a link, and create the file that this
    /// names.
    package func exists() throws(BridgeError) -> Bool {
        // A link to a directory is one, and a link to nothing is no missing directory.
        let followed = Self.type(of: directory, followsLinks: true)
        let type = followed ?? Self.type(of: directory, followsLinks: false)
        guard type == nil || type == .unknown || type == .directory else {
            throw .event(.misplaced(.directory, path: directory))
        }
        // SQLite opens those beside it by itself, and says of none which one it could not open.
        for file in Self.suffixes.map({ path + $0 }) {
            switch Self.type(of: file, followsLinks: false) {
            case nil, .regular, .unknown: continue
            case .directory, .other: throw .event(.misplaced(.file, path: file))
            }
        }
        return Self.type(of: path, followsLinks: false) != nil
    }

    private static let suffixes = ["", "-wal", "-shm", "-journal"]

    /// Why this user cannot write the queue; `nil` also if there is none.
    package var obstacle: BridgeError? {
        if unsafe access("\(state)/.", X_OK) != 0, errno == EACCES {
            return .unwritableState(state, errno: errno)
        }
        if unsafe access(directory, W_OK | X_OK) != 0, errno != ENOENT, errno != ENOTDIR {
            return .unwritableState(directory, errno: errno)
        }
        if unsafe access(path, R_OK | W_OK) != 0, errno != ENOENT, errno != ENOTDIR {
            return .unwritableState(path, errno: errno)
        }
        return nil
    }

    private enum FileType { case regular, directory, other, unknown }

    /// `nil` if there is no such file.
    private static func type(of path: String, followsLinks: Bool) -> FileType? {
        var status = stat()
        let flags = followsLinks ? 0 : AT_SYMLINK_NOFOLLOW
        guard unsafe fstatat(AT_FDCWD, path, &status, flags) == 0 else {
            return errno == ENOENT || errno == ENOTDIR ? nil : .unknown
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .regular
        case S_IFDIR: return .directory
        default: return .other
        }
    }
}
