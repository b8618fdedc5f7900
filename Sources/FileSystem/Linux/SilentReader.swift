internal import CLinux
internal import Glibc
package import Model

/// Reads two containers such that no other program can notice: no event is raised, no access time changes.
///
/// The bridge takes a program that reads a document for one that has seen it, and other programs may act on
/// an access, too; so whoever only watches must read like this.
package final class SilentReader: FileReader, Sendable {
    private let app: Mount
    private let group: Mount
    private let opener: SilentOpener

    /// - Parameters:
    ///   - app, group: real paths of directories.
    /// - Throws: the error number of what is not permitted, or not offered by the kernel: `EPERM` without
    ///   CAP_SYS_ADMIN, `EXDEV` where something else is mounted inside a container.
    package init(app: String, group: String) throws(Errno) {
        self.app = try Mount(app)
        self.group = try Mount(group)
        opener = try SilentOpener([self.app.descriptor, self.group.descriptor])
        // Fails here where the kernel has no `openat2`, rather than at the first document.
        _ = Glibc.close(try open(nil, beneath: self.app, linux_o_path | O_DIRECTORY))
    }

    /// A container, mounted where no other program opens anything.
    private final class Mount: Sendable {
        let path: String
        let descriptor: Int32

        init(_ path: String) throws(Errno) {
            // The private mount shows what such a mount hides.
            if KernelFacts.hasMounts(beneath: path) { throw Errno(code: EXDEV) }
            self.path = path
            descriptor = try retried { unsafe linux_private_mount(path) }
        }

        deinit { _ = Glibc.close(descriptor) }
    }

    private func mount(_ root: Root) -> Mount { root == .app ? app : group }

    private func open(_ path: RelativePath?, beneath mount: Mount, _ flags: Int32) throws(Errno) -> Int32 {
        let path = path?.description ?? "."
        let flags = UInt64(flags | O_CLOEXEC)
        return try retried { unsafe linux_openat2(mount.descriptor, path, flags, 0) }
    }

    // MARK: Looking

    /// Raises no event: an O_PATH descriptor opens nothing.
    private func status(_ path: RelativePath?, _ root: Root, _ flags: Int32) throws(Errno) -> Status {
        let opened = try open(path, beneath: mount(root), linux_o_path | flags)
        defer { _ = Glibc.close(opened) }
        return try Status(of: opened)
    }

    package func status(of file: Location) throws(FileError) -> FileStatus {
        do { return try status(file.path, file.root, O_NOFOLLOW).full(isMountPoint: false) } catch {
            throw FileError(error, .stat, file)
        }
    }

    package func status(of directory: Directory) throws(FileError) -> FileStatus {
        do throws(Errno) {
            let status = try status(directory.path, directory.root, O_DIRECTORY)
            guard status.links > 0 else { throw Errno(code: ENOENT) }
            return status.full(isMountPoint: false)
        } catch {
            throw FileError(directory: error, .stat, directory)
        }
    }

    package func standing(at root: Root) throws(FileError) -> FileStatus {
        do { return try Status(ofPath: mount(root).path).full(isMountPoint: false) } catch {
            throw FileError(directory: error, .stat, Directory(root))
        }
    }

    // MARK: Reading

    package func list(_ directory: Directory) throws(FileError) -> [DirectoryEntry] {
        do {
            let opened = try opener.open { () throws(Errno) in
                try open(directory.path, beneath: mount(directory.root), O_RDONLY | O_DIRECTORY)
            }
            return try Descriptor.entries(of: opened)
        } catch {
            throw FileError(directory: error, .list, directory)
        }
    }

    /// Only regular files are opened: opening a FIFO wakes a waiting writer.
    package func contents(of file: Location, limit: Int) throws(FileError) -> [UInt8] {
        let kind = try status(of: file).kind
        guard kind == .regular else { throw .notRegular(file, kind) }
        do {
            let opened = try opener.open { () throws(Errno) in
                try open(file.path, beneath: mount(file.root), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
            }
            defer { _ = Glibc.close(opened) }
            return try Descriptor.bytes(of: opened, limit: limit)
        } catch {
            throw FileError(error, .read, file)
        }
    }
}
