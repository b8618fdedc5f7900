package enum FileKind: Sendable, Hashable {
    case regular, directory, symbolicLink
    /// A FIFO, socket or device. It is never opened.
    case special
}

package enum SystemCall: String, Sendable, Hashable {
    case open, stat, list, read, lock, close
    case create, write, attributes, sync, syncDirectory
    case rename, link, remove, makeDirectory, removeDirectory
}

package enum FileError: Error, Hashable, Sendable {
    /// The file to read, rename or remove does not exist. Also where its directory is missing: both mean that
    /// it is absent.
    case missing(Location)
    case exists(Location)
    /// The directory to list or to write into does not exist, or a part of its path is not a directory.
    case noDirectory(Directory)
    /// The name, or a part of its path, is a symbolic link or another entry that is not a regular file.
    case notRegular(Location, FileKind)
    /// The file system cannot do this at all (`EXDEV`, `EINVAL`, `ENOSYS`, `EOPNOTSUPP`; `EPERM` for a link).
    case unsupported(SystemCall, Location)
    case system(errno: Int32, SystemCall, Location)
    case directory(errno: Int32, SystemCall, Directory)
}

extension FileError {
    /// What the failed call was about.
    package enum Subject: Sendable, Hashable {
        case file(Location)
        case directory(Directory)
    }

    package var subject: Subject {
        switch self {
        case .missing(let file), .exists(let file), .notRegular(let file, _), .unsupported(_, let file),
            .system(_, _, let file):
            .file(file)
        case .noDirectory(let directory), .directory(_, _, let directory): .directory(directory)
        }
    }
}
