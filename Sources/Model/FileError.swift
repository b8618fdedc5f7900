package enum FileKind: Sendable, Hashable {
    case regular, directory, symbolicLink
    /// A FIFO, socket or device: never opened.
    case special
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
