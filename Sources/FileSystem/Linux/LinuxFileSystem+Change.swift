internal import CLinux
internal import Glibc
package import Model

extension LinuxFileSystem {
    package func create(_ file: Location) throws(FileError) -> Handle {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = try within(file, .put, .create) { directory, name throws(Errno) in
            try retried { unsafe openat(directory, name, flags, 0o600) }
        }
        return Handle(descriptor: descriptor, file: file)
    }

    /// Uses `writev`, which nothing else on the agent's thread calls: a test that makes this call fail from
    /// outside then hits the write of a document, not one that wakes another thread.
    package func write(_ bytes: [UInt8], to handle: Handle) throws(FileError) {
        var written = 0
        do {
            while written < bytes.count {
                let rest = unsafe bytes.span.bytes.extracting(written...)
                written += try unsafe rest.withUnsafeBytes { rest throws(Errno) in
                    let base = unsafe UnsafeMutableRawPointer(mutating: rest.baseAddress)
                    var piece = unsafe iovec(iov_base: base, iov_len: rest.count)
                    return try retried { unsafe writev(handle.descriptor, &piece, 1) }
                }
            }
        } catch {
            throw FileError(error, .write, handle.file)
        }
    }

    package func sync(_ handle: Handle) throws(FileError) {
        do {
            _ = try retried { fsync(handle.descriptor) }
        } catch {
            throw .system(errno: error.code, .sync, handle.file)
        }
    }

    package func sync(_ directory: Directory) throws(FileError) {
        let root = root(directory.root).descriptor
        do {
            guard let path = directory.path else {
                _ = try retried { fsync(root) }
                return
            }
            let opened = try open(path.description, beneath: root, O_RDONLY | O_DIRECTORY)
            defer { _ = Glibc.close(opened) }
            _ = try retried { fsync(opened) }
        } catch {
            throw FileError(directory: error, .syncDirectory, directory)
        }
    }

    package func rename(_ from: Location, to: Location, _ mode: RenameMode) throws(FileError) {
        try between(from, to, .rename) { source, name, target, newName throws(Errno) in
            _ = try retried {
                switch mode {
                case .exclusive:
                    unsafe linux_renameat2(source, name, target, newName, linux_rename_noreplace)
                case .exchange:
                    unsafe linux_renameat2(source, name, target, newName, linux_rename_exchange)
                case .replace:
                    unsafe renameat(source, name, target, newName)
                }
            }
        }
    }

    package func link(_ from: Location, to: Location) throws(FileError) {
        try between(from, to, .link) { source, name, target, newName throws(Errno) in
            _ = try retried { unsafe linkat(source, name, target, newName, 0) }
        }
    }

    package func remove(_ file: Location) throws(FileError) {
        try within(file, .find, .remove) { directory, name throws(Errno) in
            _ = try retried { unsafe unlinkat(directory, name, 0) }
        }
    }

    package func makeDirectory(_ directory: Location) throws(FileError) {
        try within(directory, .put, .makeDirectory) { parent, name throws(Errno) in
            _ = try retried { unsafe mkdirat(parent, name, 0o700) }
        }
    }

    package func removeDirectory(_ directory: Location) throws(FileError) {
        do {
            try within(directory, .find, .removeDirectory) { parent, name throws(Errno) in
                _ = try retried { unsafe unlinkat(parent, name, AT_REMOVEDIR) }
            }
        } catch .noDirectory {
            throw .noDirectory(Directory(directory.root, directory.path))
        } catch .exists {
            // POSIX allows both error codes.
            throw .system(errno: ENOTEMPTY, .removeDirectory, directory)
        }
    }
}
