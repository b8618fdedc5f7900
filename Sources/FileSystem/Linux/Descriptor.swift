internal import CLinux
internal import Glibc
internal import Model

/// Reads what is open at a descriptor.
enum Descriptor {
    private static var chunk: Int { 64 << 10 }

    /// The bytes of a file from the start, at most `limit` of them.
    static func bytes(of descriptor: Int32, limit: Int) throws(Errno) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < limit {
            let wanted = min(chunk, limit - bytes.count)
            if try append(wanted, of: descriptor, to: &bytes) == 0 { break }
            // A large one would be copied each time the array grows.
            guard bytes.count == chunk else { continue }
            bytes.reserveCapacity(min(limit, Int(try Status(of: descriptor).size)))
        }
        return bytes
    }

    /// Reads through a buffer, so that a short document takes no more memory than its length.
    private static func append(
        _ wanted: Int,
        of descriptor: Int32,
        to bytes: inout [UInt8]
    ) throws(Errno) -> Int {
        try unsafe withUnsafeTemporaryAllocation(byteCount: wanted, alignment: 1) {
            buffer throws(Errno) in
            let count = try retried { unsafe pread(descriptor, buffer.baseAddress, wanted, bytes.count) }
            unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            return count
        }
    }

    /// The entries of a directory, without `.` and `..`, in byte order. Closes `descriptor`.
    static func entries(of descriptor: Int32) throws(Errno) -> [DirectoryEntry] {
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
                return entries.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
            }
            let name = unsafe linux_entry_name(entry)
            let bytes = unsafe [UInt8](UnsafeRawBufferPointer(start: name, count: strlen(name)))
            if bytes == here || bytes == above { continue }
            entries.append(DirectoryEntry(bytes: bytes, kind: kind(ofEntry: unsafe entry.pointee.d_type)))
        }
    }

    private static let here = Array(".".utf8)
    private static let above = Array("..".utf8)

    private static func kind(ofEntry type: UInt8) -> FileKind? {
        switch Int(type) {
        case Int(DT_UNKNOWN): nil
        case Int(DT_REG): .regular
        case Int(DT_DIR): .directory
        case Int(DT_LNK): .symbolicLink
        default: .special
        }
    }
}
