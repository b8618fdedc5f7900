internal import CLinux
internal import Glibc
package import Model

/// The result of one `statx` call.
struct Status {
    private var raw = linux_status()

    /// Of an open descriptor.
    init(of descriptor: Int32) throws(Errno) {
        try self.init(of: "", in: descriptor)
    }

    init(of name: String, in directory: Int32) throws(Errno) {
        var raw = linux_status()
        _ = try retried { unsafe linux_status(directory, name, &raw) }
        self.raw = raw
    }

    /// Follows links, as opening a root does.
    init(ofPath path: String) throws(Errno) {
        let descriptor = try retried { unsafe Glibc.open(path, linux_o_path | O_DIRECTORY | O_CLOEXEC) }
        defer { _ = Glibc.close(descriptor) }
        try self.init(of: descriptor)
    }

    var mount: UInt64? { raw.has_mount != 0 ? raw.mount : nil }
    var links: UInt64 { raw.links }
    var device: UInt64 { raw.device }
    var inode: UInt64 { raw.inode }
    var size: Int64 { raw.size }
    var mode: UInt32 { raw.mode & 0o7777 }
    var owner: UInt32 { raw.owner }
    var group: UInt32 { raw.group }

    var kind: FileKind {
        switch raw.mode & S_IFMT {
        case S_IFREG: .regular
        case S_IFDIR: .directory
        case S_IFLNK: .symbolicLink
        default: .special
        }
    }

    /// Before Linux 5.8, only the device shows that something else is mounted there.
    func full(beneath root: OpenRoot) -> FileStatus {
        full(isMountPoint: root.mount == nil ? raw.device != root.device : mount != root.mount)
    }

    func full(isMountPoint: Bool) -> FileStatus {
        FileStatus(
            kind: kind,
            signature: Signature(
                device: raw.device,
                inode: raw.inode,
                size: raw.size,
                modified: raw.modified,
                changed: raw.changed
            ),
            mode: mode,
            owner: owner,
            ownerGroup: group,
            links: raw.links,
            allocated: raw.allocated,
            born: raw.born,
            isMountPoint: isMountPoint
        )
    }
}

extension LinuxFileSystem {
    package func status(of file: Location) throws(FileError) -> FileStatus {
        try within(file, .find, .stat) { directory, name throws(Errno) in
            try Status(of: name, in: directory).full(beneath: root(file.root))
        }
    }

    /// Resolves the directory once.
    package func statuses(of files: [Location]) -> [Result<FileStatus, FileError>] {
        guard let first = files.first else { return [] }
        precondition(files.allSatisfy { $0.directory == first.directory })
        let parent: Int32
        do throws(Errno) { parent = try self.parent(of: first) } catch {
            return files.map { .failure(FileError(error, .stat, $0)) }
        }
        defer { release(parent, first) }
        return files.map { (file) in
            do throws(Errno) {
                return .success(try Status(of: file.path.name, in: parent).full(beneath: root(file.root)))
            } catch {
                return .failure(FileError(error, .stat, file))
            }
        }
    }

    package func status(of directory: Directory) throws(FileError) -> FileStatus {
        let root = root(directory.root)
        do throws(Errno) {
            guard let path = directory.path else {
                let status = try Status(of: root.descriptor)
                guard status.links > 0 else { throw Errno(code: ENOENT) }
                return status.full(beneath: root)
            }
            let opened = try open(path.description, beneath: root.descriptor, linux_o_path | O_DIRECTORY)
            defer { _ = Glibc.close(opened) }
            return try Status(of: opened).full(beneath: root)
        } catch {
            throw FileError(directory: error, .stat, directory)
        }
    }

    package func standing(at root: Root) throws(FileError) -> FileStatus {
        let opened = self.root(root)
        do {
            return try Status(ofPath: opened.path).full(beneath: opened)
        } catch {
            throw FileError(directory: error, .stat, Directory(root))
        }
    }

    package func status(of handle: Handle) throws(FileError) -> FileStatus {
        do {
            return try Status(of: handle.descriptor).full(beneath: root(handle.file.root))
        } catch {
            throw FileError(error, .stat, handle.file)
        }
    }

    /// Works in two steps, because opening has side effects: on a FIFO it wakes a waiting writer, and on a
    /// device it may do anything. So it checks the name first and opens only a regular file.
    ///
    /// If a program swaps the file in the microsecond between the two, a FIFO is opened after all, without
    /// waiting, and closed unread; its writer sees the reader disappear. Holding the name with `O_PATH` and
    /// opening it through `/proc` would close that gap, and make every change 20 µs slower.
    package func open(_ file: Location) throws(FileError) -> Handle {
        var kind = FileKind.regular
        let opened = try within(file, .find, .open) { directory, name throws(Errno) -> Int32? in
            kind = try Status(of: name, in: directory).kind
            guard kind == .regular else { return nil }
            let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
            let opened = try retried { unsafe openat(directory, name, flags) }
            do throws(Errno) {
                kind = try Status(of: opened).kind
                if kind == .regular { return opened }
            } catch {
                _ = Glibc.close(opened)
                throw error
            }
            _ = Glibc.close(opened)
            return nil
        }
        guard let opened else { throw .notRegular(file, kind) }
        return Handle(descriptor: opened, file: file)
    }

    package func read(_ handle: Handle, limit: Int) throws(FileError) -> [UInt8] {
        do { return try Descriptor.bytes(of: handle.descriptor, limit: limit) } catch {
            throw FileError(error, .read, handle.file)
        }
    }

    package func isOpenForWriting(_ handle: Handle) -> Bool? {
        switch linux_has_writer(handle.descriptor) {
        case 0: false
        case 1: true
        default: nil
        }
    }

    package func close(_ handle: Handle) {
        // Never retried after EINTR: Linux has closed the descriptor already, and the number may belong to
        // another file.
        _ = Glibc.close(handle.descriptor)
    }
}
