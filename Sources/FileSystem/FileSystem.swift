package import Model

/// The file system, as every module uses it.
///
/// Each method does as much as one system call (it handles EINTR and short transfers itself). Operations of
/// several steps are written once, on top of this protocol, so that a simulation can interleave other steps
/// between any two of them. No path below a root goes through a symbolic link, and only regular files are
/// opened.
package protocol FileSystem: FileReader {
    /// An open file. It stays the same file when its name changes.
    associatedtype Handle

    /// Whether names in the directory are case-insensitive.
    func foldsCase(_ directory: Directory) throws(FileError) -> Bool

    /// Opens for reading.
    func open(_ file: Location) throws(FileError) -> Handle
    func status(of handle: Handle) throws(FileError) -> FileStatus
    /// The bytes from the start, at most `limit` of them.
    func read(_ handle: Handle, limit: Int) throws(FileError) -> [UInt8]
    /// Whether another process has the file open for writing; `nil` where that is unknown (`F_SETLEASE`).
    func isOpenForWriting(_ handle: Handle) -> Bool?
    /// Invalidates `handle`.
    func close(_ handle: Handle)

    /// Creates a file with mode 0600 and opens it for writing. The name must be free.
    func create(_ file: Location) throws(FileError) -> Handle
    /// Appends all bytes.
    func write(_ bytes: [UInt8], to handle: Handle) throws(FileError)
    /// Copies the owner (where permitted), then the mode, then the user's extended attributes of `source`,
    /// except the publication mark, which belongs to one file. What the file system or the process's rights
    /// do not allow is skipped; without the owner, set-id bits are skipped too. For a file in the state
    /// directory, the rights stored with it are copied.
    func copyAttributes(of source: Location, to handle: Handle) throws(FileError)
    /// The same for a directory, without extended attributes: a private directory stays private on the other
    /// side.
    func copyAttributes(of source: Directory, to directory: Directory) throws(FileError)
    /// Sets the extended attribute `user.NAME`.
    func setAttribute(_ name: String, of handle: Handle, to value: [UInt8]) throws(FileError)
    /// `nil` if it is not set, or if the file system has no extended attributes.
    func attribute(_ name: String, of handle: Handle) throws(FileError) -> [UInt8]?
    /// Makes `file`, in the state directory, readable and writable only by its owner, and stores with it the
    /// rights of `model`, which may be the same file.
    func keepRights(of model: Location, with file: Location) throws(FileError)
    /// The rights stored with `file`, or its own; `nil` where neither is known.
    func keptRights(with file: Location) -> KeptRights?
    /// Gives a new file the mode that any program would: 0666, without the process's mask.
    func setDefaultMode(of handle: Handle) throws(FileError)
    /// Removes all write permissions from the file's mode.
    func makeReadOnly(_ handle: Handle) throws(FileError)
    func sync(_ handle: Handle) throws(FileError)
    func sync(_ directory: Directory) throws(FileError)

    func rename(_ from: Location, to: Location, _ mode: RenameMode) throws(FileError)
    /// Makes a hard link at a name that must be free.
    func link(_ from: Location, to: Location) throws(FileError)
    func remove(_ file: Location) throws(FileError)
    /// Makes a directory with mode 0700. Its parent must exist.
    func makeDirectory(_ directory: Location) throws(FileError)
    /// Removes an empty directory.
    func removeDirectory(_ directory: Location) throws(FileError)

    /// The extended attribute `user.NAME` of the directory at the root's path, which identifies a container;
    /// `nil` if it is not set, or if the file system has no extended attributes.
    func attribute(_ name: String, at root: Root) throws(FileError) -> [UInt8]?
    /// Sets it on the opened directory, and syncs it. It must not be set already (`EEXIST`).
    func addAttribute(_ name: String, to root: Root, _ value: [UInt8]) throws(FileError)
    /// Opens the directory that is now at the root's path.
    func reopen(_ root: Root) throws(FileError)

    /// How far apart two changes must be for the timestamp `changed` to differ: zero on kernels with
    /// multigrain timestamps (6.13 and later), otherwise the length of a tick.
    var timestampGrain: Duration { get }

    /// How many bytes the disk with the state directory has left; `nil` if that is unknown.
    var room: Int64? { get }
}

extension FileSystem {
    package var room: Int64? { nil }
}
