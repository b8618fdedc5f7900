import FileSystem
import Model

extension FileError {
    /// Whether the disk is full, or the user's share of it.
    package var lacksRoom: Bool {
        switch self {
        case .system(let errno, _, _), .directory(let errno, _, _): DiskRoom.isMissing(errno)
        default: false
        }
    }
}
