package import Model

/// The three directories the package may touch.
package enum Root: String, CaseIterable, Sendable {
    case app, group
    /// The bridge's own: journal, trash, conflicts. Never inside a container.
    case state

    package init(_ side: Side) { self = side == .app ? .app : .group }
}

/// A file or directory beneath a root, which it cannot leave.
package struct Location: Hashable, Sendable, CustomStringConvertible {
    package let root: Root
    package let path: RelativePath

    package init(_ root: Root, _ path: RelativePath) {
        self.root = root
        self.path = path
    }

    package init(_ side: Side, _ path: RelativePath) { self.init(Root(side), path) }

    package var directory: Directory { Directory(root, path.directory) }
    package var description: String { "\(root.rawValue):\(path)" }
}

/// A directory: a root itself, or one beneath it.
package struct Directory: Hashable, Sendable, CustomStringConvertible {
    package let root: Root
    /// `nil` is the root.
    package let path: RelativePath?

    package init(_ root: Root, _ path: RelativePath? = nil) {
        self.root = root
        self.path = path
    }

    package var description: String { "\(root.rawValue):\(path?.description ?? ".")" }
}

package enum FileKind: Sendable, Hashable {
    case regular, directory, symbolicLink
    /// A FIFO, socket or device: never opened.
    case special
}

/// What the kernel says about a file without opening it: equal signatures mean *maybe unchanged*.
package struct Signature: Hashable, Sendable {
    package var device: UInt64
    package var inode: UInt64
    package var size: Int64
    /// Nanoseconds since 1970.
    package var modified: Int64
    /// Nanoseconds since 1970. A rename changes it.
    package var changed: Int64

    package init(device: UInt64, inode: UInt64, size: Int64, modified: Int64, changed: Int64) {
        self.device = device
        self.inode = inode
        self.size = size
        self.modified = modified
        self.changed = changed
    }

    /// The same file with the same bytes, which at most was given another name.
    package func isRenamed(_ before: Signature) -> Bool {
        isOf(before) && size == before.size && modified == before.modified
    }

    /// Of the same file or directory, whatever became of it.
    package func isOf(_ before: Signature) -> Bool { device == before.device && inode == before.inode }
}

/// The whole answer of one `stat`.
package struct FileStatus: Hashable, Sendable {
    package var kind: FileKind
    package var signature: Signature
    /// The lower 12 bits.
    package var mode: UInt32
    package var owner: UInt32
    package var ownerGroup: UInt32
    package var links: UInt64
    /// Bytes that the file takes of the disk, in whole blocks; a sparse one takes less than its size.
    package var allocated: Int64
    /// It lies on another mount than the root it was reached from.
    package var isMountPoint: Bool

    package init(
        kind: FileKind,
        signature: Signature,
        mode: UInt32,
        owner: UInt32,
        ownerGroup: UInt32,
        links: UInt64,
        allocated: Int64,
        isMountPoint: Bool = false
    ) {
        self.kind = kind
        self.signature = signature
        self.mode = mode
        self.owner = owner
        self.ownerGroup = ownerGroup
        self.links = links
        self.allocated = allocated
        self.isMountPoint = isMountPoint
    }
}

/// One name in a directory.
package struct DirectoryEntry: Hashable, Sendable {
    /// The name as it is on the disk; not always UTF-8.
    package var bytes: [UInt8]
    /// `nil` where the directory does not tell.
    package var kind: FileKind?

    package init(bytes: [UInt8], kind: FileKind?) {
        self.bytes = bytes
        self.kind = kind
    }
}

package enum RenameMode: Sendable, Hashable {
    /// Fails with `.exists` when the target is there (`RENAME_NOREPLACE`).
    case exclusive
    /// Swaps the two; fails with `.missing` when the target is not there (`RENAME_EXCHANGE`).
    case exchange
    /// Takes the place of what is there, unseen (`rename`).
    case replace
}

package enum SystemCall: String, Sendable, Hashable {
    case open, stat, list, read, lock, close
    case create, write, attributes, sync, syncDirectory
    case rename, link, remove, makeDirectory, removeDirectory
}

package enum FileError: Error, Hashable, Sendable {
    /// It is not there. Said of what was to be looked at, renamed or removed, even where its directory is
    /// missing: the two are the same absence.
    case missing(Location)
    case exists(Location)
    /// The directory that was asked for, or that something was to be put into, is missing; or one on the way
    /// is no directory.
    case noDirectory(Directory)
    /// A symbolic link, here or on the way, or anything but a regular file, stands there.
    case notRegular(Location, FileKind)
    /// The file system cannot do this at all (`EXDEV`, `EINVAL`, `ENOSYS`, `EOPNOTSUPP`; `EPERM` for a link).
    case unsupported(SystemCall, Location)
    case system(errno: Int32, SystemCall, Location)
    case directory(errno: Int32, SystemCall, Directory)
}

/// The one door to the disk.
///
/// Each verb is one system call's worth of effect (EINTR and short transfers are dealt with inside), so that
/// everything made of several steps is written once, above the door, and a simulation can stand between any
/// two of them. Nothing beneath a root is reached through a symbolic link, and only regular files are opened.
package protocol FileSystem {
    /// An open file. It stays the same file whatever becomes of its name.
    associatedtype Handle

    /// The names in a directory, without `.` and `..`, in byte order.
    func list(_ directory: Directory) throws(FileError) -> [DirectoryEntry]
    /// Does not follow a link and does not open anything.
    func status(of file: Location) throws(FileError) -> FileStatus
    /// For a root: the directory that was opened at the start, wherever it is now; `.noDirectory` once it is
    /// deleted.
    func status(of directory: Directory) throws(FileError) -> FileStatus
    /// Names in it that differ only in case are one name.
    func foldsCase(_ directory: Directory) throws(FileError) -> Bool
    /// What stands at the root's path now: another device and inode than `status(of:)` tells once the
    /// directory was replaced, moved away or mounted over.
    func standing(at root: Root) throws(FileError) -> FileStatus

    /// Opens for reading.
    func open(_ file: Location) throws(FileError) -> Handle
    func status(of handle: Handle) throws(FileError) -> FileStatus
    /// The bytes from the start, at most `limit` of them.
    func read(_ handle: Handle, limit: Int) throws(FileError) -> [UInt8]
    /// Somebody has the file open for writing, or could have: `nil` where that cannot be told (`F_SETLEASE`).
    func isOpenForWriting(_ handle: Handle) -> Bool?
    /// After this `handle` must not be used again.
    func close(_ handle: Handle)

    /// Creates a file of mode 0600 that must not be there, open for writing.
    func create(_ file: Location) throws(FileError) -> Handle
    /// Writes all of it, behind what was written before.
    func write(_ bytes: [UInt8], to handle: Handle) throws(FileError)
    /// Owner (where permitted), then mode, then the user's extended attributes, as `source` has them; but not
    /// the mark of a publication, which is another file's. What the file system or our rights do not allow is
    /// left out; without the owner, so are set-id bits. Of a file in the state, the rights that were kept
    /// with it.
    func copyAttributes(of source: Location, to handle: Handle) throws(FileError)
    /// The same for a directory, without extended attributes: a private one stays private on the other side.
    func copyAttributes(of source: Directory, to directory: Directory) throws(FileError)
    /// Gives a file the extended attribute `user.NAME`.
    func setAttribute(_ name: String, of handle: Handle, to value: [UInt8]) throws(FileError)
    /// `nil` where there is none, and on file systems without such attributes.
    func attribute(_ name: String, of handle: Handle) throws(FileError) -> [UInt8]?
    /// Makes `file`, in the state, one that only its owner may read and write, and keeps with it the rights
    /// that `model` has: they may be the same file.
    func keepRights(of model: Location, with file: Location) throws(FileError)
    /// The rights that are kept with `file`, or those that it has; `nil` where nothing is kept or known.
    func keptRights(with file: Location) -> KeptRights?
    /// Takes every right to write out of the file's mode.
    func makeReadOnly(_ handle: Handle) throws(FileError)
    func sync(_ handle: Handle) throws(FileError)
    func sync(_ directory: Directory) throws(FileError)

    func rename(_ from: Location, to: Location, _ mode: RenameMode) throws(FileError)
    /// Gives the file a second name, which must be free.
    func link(_ from: Location, to: Location) throws(FileError)
    func remove(_ file: Location) throws(FileError)
    /// One of mode 0700. Its parent must be there.
    func makeDirectory(_ directory: Location) throws(FileError)
    /// Only an empty one.
    func removeDirectory(_ directory: Location) throws(FileError)

    /// The extended attribute `user.NAME` of what stands at the root's path, by which a container is known
    /// again; `nil` where there is none, and on file systems without such attributes.
    func attribute(_ name: String, at root: Root) throws(FileError) -> [UInt8]?
    /// Gives it to the directory that was opened, where it must not be there (`EEXIST`), and to the platter.
    func addAttribute(_ name: String, to root: Root, _ value: [UInt8]) throws(FileError)
    /// From now on the root is what stands at its path.
    func reopen(_ root: Root) throws(FileError)

    /// How far apart two changes must be so that a queried file's `changed` tells them apart: zero on kernels
    /// with multigrain timestamps (6.13 and later), else the length of a tick.
    var timestampGrain: Duration { get }
}
