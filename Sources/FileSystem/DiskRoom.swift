internal import Glibc

/// Whether anything can still be written to the disk that a file lies on.
package enum DiskRoom {
    /// What the smallest file beside the journal takes.
    private static let least: UInt64 = 32 << 10

    /// The errors of a disk, or of a user's share of it, that is full.
    package static func isMissing(_ errno: Int32) -> Bool { errno == ENOSPC || errno == EDQUOT }

    package static func isUsedUp(at path: String) -> Bool {
        var facts = statvfs()
        guard unsafe statvfs(path, &facts) == 0 else { return false }
        let left = UInt64(facts.f_bavail) * UInt64(facts.f_frsize)
        return left < least || (facts.f_files > 0 && facts.f_favail == 0)
    }
}
