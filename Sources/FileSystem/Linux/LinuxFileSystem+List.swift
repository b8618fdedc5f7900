internal import CLinux
internal import Glibc
package import Model

extension LinuxFileSystem {
    package func list(_ directory: Directory) throws(FileError) -> [DirectoryEntry] {
        let root = root(directory.root).descriptor
        do {
            // Opened again even for a root: reading a directory moves an offset that all users of a
            // descriptor share.
            let path = directory.path?.description ?? "."
            let opened = try open(path, beneath: root, O_RDONLY | O_DIRECTORY)
            return try entries(of: opened).sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        } catch {
            throw FileError(directory: error, .list, directory)
        }
    }

    /// Closes `descriptor`.
    private func entries(of descriptor: Int32) throws(Errno) -> [DirectoryEntry] {
        guard let stream = unsafe fdopendir(descriptor) else {
            let failure = Errno(code: errno)
            _ = Glibc.close(descriptor)
            throw failure
        }
        defer { unsafe _ = closedir(stream) }
        var entries: [DirectoryEntry] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else {
                let code = errno
                if code == EINTR { continue }
                if code != 0 { throw Errno(code: code) }
                // The kernel lists a deleted directory as empty: as if every document were deleted.
                guard try Status(of: descriptor).links > 0 else { throw Errno(code: ENOENT) }
                return entries
            }
            let name = unsafe linux_entry_name(entry)
            let bytes = unsafe [UInt8](UnsafeRawBufferPointer(start: name, count: strlen(name)))
            if bytes == Self.here || bytes == Self.above { continue }
            entries.append(DirectoryEntry(bytes: bytes, kind: kind(ofEntry: unsafe entry.pointee.d_type)))
        }
    }

    private static let here = Array(".".utf8)
    private static let above = Array("..".utf8)

    private func kind(ofEntry type: UInt8) -> FileKind? {
        switch Int(type) {
        case Int(DT_UNKNOWN): nil
        case Int(DT_REG): .regular
        case Int(DT_DIR): .directory
        case Int(DT_LNK): .symbolicLink
        default: .special
        }
    }
}
