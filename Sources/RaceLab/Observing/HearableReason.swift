import FileSystem
import Glibc
import Model

/// Why the lab cannot read without raising events.
package enum HearableReason: Fact {
    /// It has no CAP_SYS_ADMIN.
    case rights
    /// Something else is mounted inside a container.
    case mounts
    /// The system offers no such reading.
    case system(errno: Int32)

    init(_ failure: Errno) {
        self =
            switch failure.code {
            case EPERM, EACCES: .rights
            case EXDEV: .mounts
            default: .system(errno: failure.code)
            }
    }

    package var text: String {
        switch self {
        case .rights: "only root (CAP_SYS_ADMIN) can read without raising any"
        case .mounts: "another file system is mounted inside a container"
        case .system(let errno): "this system cannot read without raising any: \(systemMessage(errno))"
        }
    }
}
