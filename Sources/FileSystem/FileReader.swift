package import Model

/// What can be learnt of the containers without changing anything.
package protocol FileReader {
    /// The names in a directory, without `.` and `..`, in byte order.
    func list(_ directory: Directory) throws(FileError) -> [DirectoryEntry]
    /// Neither follows a link nor opens anything.
    func status(of file: Location) throws(FileError) -> FileStatus
    /// The status of each of several files of one directory, in order.
    func statuses(of files: [Location]) -> [Result<FileStatus, FileError>]
    /// For a root: the directory that was opened at the start, wherever it is now; `.noDirectory` once it is
    /// deleted.
    func status(of directory: Directory) throws(FileError) -> FileStatus
    /// The directory that is now at the root's path. Its device and inode differ from `status(of:)` once the
    /// directory was replaced, moved away or mounted over.
    func standing(at root: Root) throws(FileError) -> FileStatus
    /// The content of a file, up to `limit` bytes.
    func contents(of file: Location, limit: Int) throws(FileError) -> [UInt8]
}

extension FileReader {
    package func statuses(of files: [Location]) -> [Result<FileStatus, FileError>] {
        files.map { (file) in
            do throws(FileError) { return .success(try status(of: file)) } catch { return .failure(error) }
        }
    }
}
