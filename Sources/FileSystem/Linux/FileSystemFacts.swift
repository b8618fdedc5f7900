internal import CLinux
internal import Glibc

/// What is known of the file system on which a directory is.
package struct FileSystemFacts: Sendable, Hashable {
    /// The name of its driver, such as `ext4` or `fuse.sshfs`; `nil` before Linux 5.8.
    package var type: String?
    package var isReadOnly: Bool
    /// In bytes, for this user.
    package var room: Int64

    package init(type: String?, isReadOnly: Bool, room: Int64) {
        (self.type, self.isReadOnly, self.room) = (type, isReadOnly, room)
    }

    /// `nil` if the path cannot be accessed.
    package init?(of path: String) {
        var facts = statvfs()
        guard unsafe statvfs(path, &facts) == 0 else { return nil }
        let mount = (try? Status(of: path, in: AT_FDCWD))?.mount
        type = mount.flatMap { KernelFacts.fileSystemType(ofMount: $0) }
        isReadOnly = facts.f_flag & UInt(ST_RDONLY) != 0
        room = Int64(clamping: UInt64(facts.f_bavail) &* UInt64(facts.f_frsize))
    }
}

/// A system call that the bridge needs, and that an old kernel or the filter of a sandbox lacks.
package enum NeededCall: String, Sendable, Hashable, CaseIterable {
    case statx, openat2, renameat2

    /// The calls that the kernel does not have. Each is tried in a way that changes nothing.
    package static var missing: [NeededCall] { allCases.filter(\.isMissing) }

    private var isMissing: Bool {
        do throws(Errno) {
            switch self {
            case .statx: _ = try Status(of: ".", in: AT_FDCWD)
            case .openat2:
                let flags = UInt64(linux_o_path | O_DIRECTORY | O_CLOEXEC)
                _ = Glibc.close(try retried { unsafe linux_openat2(AT_FDCWD, ".", flags, 0) })
            // There is no directory with that descriptor.
            case .renameat2:
                _ = try retried { unsafe linux_renameat2(-1, "a", -1, "b", linux_rename_exchange) }
            }
            return false
        } catch {
            return [ENOSYS, EPERM].contains(error.code)
        }
    }
}
