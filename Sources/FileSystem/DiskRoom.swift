internal import Glibc

/// Whether the disk that holds a file has free space.
package enum DiskRoom {
    /// The size of the smallest file that the bridge writes beside the journal.
    private static let least: UInt64 = 32 << 10

    /// Whether the error means a full disk or an exceeded quota.
    package static func isMissing(_ errno: Int32) -> Bool { errno == ENOSPC || errno == EDQUOT }

    package static func isUsedUp(at path: String) -> Bool {
        var facts = statvfs()
        guard unsafe statvfs(path, &facts) == 0 else { return false }
        let left = UInt64(facts.f_bavail) * UInt64(facts.f_frsize)
        return left < least || (facts.f_files > 0 && facts.f_favail == 0)
    }
}
