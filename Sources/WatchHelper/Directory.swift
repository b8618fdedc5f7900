// SPDX-License-Identifier: GPL-2.0-only

import CWatchShim
import Glibc

/// An open directory. It stays the same one when it is moved.
struct Directory: ~Copyable {
    let descriptor: Int32
    let identity: Identity

    struct Entry {
        let name: Bytes
        let isDirectory: Bool
    }

    /// Opens the directory at `path` below a root, without following symbolic links.
    init(root: Int32, path: Bytes) throws(SystemError) {
        let descriptor = unsafe (path.isEmpty ? [UInt8(ascii: ".")] : path).withCString {
            unsafe watch_open_beneath(root, $0)
        }
        try self.init(descriptor)
    }

    /// Opens the directory with this name in this one.
    func child(_ name: Bytes) throws(SystemError) -> Directory {
        try Directory(unsafe name.withCString { unsafe watch_open_beneath(descriptor, $0) })
    }

    private init(_ descriptor: Int32) throws(SystemError) {
        guard descriptor >= 0 else { throw .last }
        do {
            identity = try Identity(descriptor: descriptor)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// The identity of the directory with this name, as far as it is known without opening it.
    func identity(of name: Bytes) -> Identity? {
        var status = stat()
        let result = unsafe name.withCString { unsafe fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) }
        return result == 0 && status.st_mode & S_IFMT == S_IFDIR ? Identity(status) : nil
    }

    /// All entries whose names do not start with a dot.
    func entries() throws(SystemError) -> [Entry] {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw .last }
        guard let stream = unsafe fdopendir(copy) else {
            let error = SystemError.last
            close(copy)
            throw error
        }
        defer { unsafe closedir(stream) }
        var entries: [Entry] = []
        errno = 0
        while let entry = unsafe readdir(stream) {
            let name = unsafe Bytes(cString: watch_entry_name(entry))
            if !name.isHidden {
                let type = unsafe Int32(entry.pointee.d_type)
                entries.append(Entry(name: name, isDirectory: isDirectory(name, type: type)))
            }
            errno = 0
        }
        guard errno == 0 else { throw .last }
        return entries
    }

    private func isDirectory(_ name: Bytes, type: Int32) -> Bool {
        type == Int32(DT_DIR) || (type == Int32(DT_UNKNOWN) && identity(of: name) != nil)
    }
}
