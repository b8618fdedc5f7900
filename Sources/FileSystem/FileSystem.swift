package import Model

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
