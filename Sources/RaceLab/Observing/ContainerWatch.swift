import FileSystem
import Glibc
import Model

/// Reports what may have changed in two containers, from the kernel's events.
///
/// Unlike the bridge's watching program it opens no directory, so no other program hears of it.
final class ContainerWatch {
    enum Hint: Hashable {
        case look(Location)
        /// Directories have changed, or events were lost.
        case everything

        fileprivate var path: RelativePath? { if case .look(let file) = self { file.path } else { nil } }
    }

    /// The descriptor to poll.
    let descriptor: Int32
    private let roots: BothSides<String>
    private var directories: [Int32: Directory] = [:]
    /// The files that came by a rename, and that no event since shows as written to.
    private var renamed: Set<Location> = []
    /// The files that were deleted, and not given another name.
    private var deleted: Set<Location> = []
    /// The files that were given another name, and whose own is not taken since.
    private var moved: Set<Location> = []
    /// The files that were saved or came by a rename since somebody looked, and those of which another
    /// content took the place of such a one.
    private var saved: Set<Location> = []
    private var overtaken: Set<Location> = []
    /// The files of documents by their own watches, which stay with a file that loses its name.
    private var followed: [Int32: Followed] = [:]
    private var current: [Location: Int32] = [:]
    private var replacedWrites: Set<Location> = []

    private struct Followed {
        var file: Location
        var inode: UInt64
    }

    private static let events =
        IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_ATTRIB

    /// - Throws: the error number of `inotify_init1`.
    init(_ roots: BothSides<String>) throws(Errno) {
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { throw Errno(code: errno) }
        self.roots = roots
    }

    deinit { close(descriptor) }

    var watched: [Directory] { Array(directories.values) }

    /// Watches the names in a directory; for one that is watched already, notes where it is now.
    func add(_ directory: Directory) throws(Errno) {
        let path = path(of: directory.root, directory.path)
        let flags = UInt32(IN_ONLYDIR) | UInt32(IN_DONT_FOLLOW) | UInt32(IN_EXCL_UNLINK)
        let watch = unsafe inotify_add_watch(descriptor, path, UInt32(Self.events) | flags)
        guard watch >= 0 else {
            // The directory is gone, or is none any more: an event reports that.
            if errno == ENOENT || errno == ENOTDIR { return }
            throw Errno(code: errno)
        }
        directories[watch] = directory
    }

    private func path(of root: Root, _ path: RelativePath?) -> String {
        let container = root == .app ? roots.app : roots.group
        return path.map { "\(container)/\($0)" } ?? container
    }

    /// Hears of writes into the file that has this name now, also once another one has the name.
    func follow(_ file: Location) {
        let path = path(of: file.root, file.path)
        guard let inode = inode(at: path) else { return }
        let watch = unsafe inotify_add_watch(descriptor, path, UInt32(IN_MODIFY) | UInt32(IN_DONT_FOLLOW))
        // Where it was replaced meanwhile, an event makes somebody look again.
        guard watch >= 0, self.inode(at: path) == inode else { return }
        followed[watch] = Followed(file: file, inode: inode)
        current[file] = watch
    }

    private func inode(at path: String) -> UInt64? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? UInt64(status.st_ino) : nil
    }

    /// The documents of which a file was written to that has the name no more, as far as events have been
    /// drained, once.
    func takeReplacedWrites() -> Set<Location> {
        defer { replacedWrites = [] }
        return replacedWrites
    }

    private func isReplaced(_ watch: Int32, _ one: Followed) -> Bool {
        current[one.file] != watch && inode(at: path(of: one.file.root, one.file.path)) != one.inode
    }

    /// Whether it came by a rename and was not written to since, as far as events have been drained.
    func isRenamed(_ file: Location) -> Bool { renamed.contains(file) }

    /// Whether it is not there because it was deleted, as far as events have been drained.
    func isDeleted(_ file: Location) -> Bool { deleted.contains(file) }

    /// Whether it is not there because it has another name, as far as events have been drained.
    func isMoved(_ file: Location) -> Bool { moved.contains(file) }

    /// Somebody looks at that file. Whether a content came and went since the last look, as far as events
    /// have been drained.
    func looks(at file: Location) -> Bool {
        saved.remove(file)
        return overtaken.remove(file) != nil
    }

    /// The new hints in order, without those that follow the same one of a document; does not wait.
    func drain() -> [Hint] {
        var hints: [Hint] = []
        var latest: [RelativePath?: Hint] = [:]
        // Bounded, so that a flood of events does not block the caller.
        for _ in 0..<16 {
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, filled in
                filled = max(0, unsafe read(descriptor, buffer.baseAddress, buffer.count))
            }
            if bytes.isEmpty { break }
            for hint in self.hints(in: bytes) where latest.updateValue(hint, forKey: hint.path) != hint {
                hints.append(hint)
            }
        }
        return hints
    }

    private func hints(in bytes: [UInt8]) -> [Hint] {
        var hints: [Hint] = []
        var rest = bytes[...]
        let size = MemoryLayout<inotify_event>.size
        while rest.count >= size {
            let event = unsafe rest.withUnsafeBytes { unsafe $0.loadUnaligned(as: inotify_event.self) }
            let name = rest.dropFirst(size).prefix(Int(event.len)).prefix { $0 != 0 }
            rest = rest.dropFirst(size + Int(event.len))
            if let hint = hint(event, String(decoding: name, as: UTF8.self)) { hints.append(hint) }
        }
        return hints
    }

    private func hint(_ event: inotify_event, _ name: String) -> Hint? {
        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
            (renamed, deleted, moved, saved) = ([], [], [], [])
            return .everything
        }
        if event.mask & UInt32(IN_IGNORED) != 0 {
            directories[event.wd] = nil
            followed[event.wd] = nil
            return nil
        }
        if let one = followed[event.wd] {
            if isReplaced(event.wd, one) { replacedWrites.insert(one.file) }
            return nil
        }
        guard let directory = directories[event.wd] else { return nil }
        if event.mask & UInt32(IN_ISDIR) != 0 { return .everything }
        guard let path = RelativePath.child(of: directory.path, name) else { return nil }
        let file = Location(directory.root, path)
        if event.mask & UInt32(IN_MOVED_TO) != 0 { renamed.insert(file) }
        if event.mask & UInt32(IN_CREATE | IN_MODIFY | IN_MOVED_FROM | IN_DELETE) != 0 {
            renamed.remove(file)
        }
        // An exchange of two files raises `IN_MOVED_FROM` for the one that has come.
        let replaces = UInt32(IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE)
        if event.mask & replaces != 0, saved.remove(file) != nil { overtaken.insert(file) }
        if event.mask & UInt32(IN_CLOSE_WRITE | IN_MOVED_TO) != 0 { saved.insert(file) }
        if event.mask & UInt32(IN_CREATE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE) != 0 {
            current[file] = nil
        }
        if event.mask & UInt32(IN_CREATE | IN_MOVED_TO | IN_DELETE) != 0 { moved.remove(file) }
        if event.mask & UInt32(IN_MOVED_FROM) != 0 { moved.insert(file) }
        if event.mask & UInt32(IN_DELETE) != 0 { deleted.insert(file) }
        if event.mask & UInt32(IN_CREATE | IN_MOVED_FROM | IN_MOVED_TO) != 0 { deleted.remove(file) }
        return .look(file)
    }
}
