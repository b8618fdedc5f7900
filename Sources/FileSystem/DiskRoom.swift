internal import Glibc

/// Whether the disk that holds a file has free space.
package enum DiskRoom {
    /// The size of the smallest file that the bridge writes beside the journal.
    private static let least: UInt64 = 32 << 10

    /// Whether the error means a full disk or an exceeded quota.
    package static func isMissing(_ errno: Int32) -> Bool { errno == ENOSPC || errno == EDQUOT }

    package static func isUsedUp(at path: String) -> Bool {
        guard let facts = facts(of: path) else { return false }
        return facts.bytes < least || (facts.f_files > 0 && facts.f_favail == 0)
    }

    /// In bytes, for this user; `nil` if the path cannot be accessed.
    package static func left(at path: String) -> Int64? { facts(of: path).map { Int64(clamping: $0.bytes) } }

    private static func facts(of path: String) -> statvfs? {
        var facts = statvfs()
        return unsafe statvfs(path, &facts) == 0 ? facts : nil
    }
}

extension statvfs {
    fileprivate var bytes: UInt64 { UInt64(f_bavail) &* UInt64(f_frsize) }
}
