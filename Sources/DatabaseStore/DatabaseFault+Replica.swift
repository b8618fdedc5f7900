internal import Glibc
package import Model
package import Replica
package import Stores

extension DatabaseFault {
    /// The same as an obstacle to reading a document in this file; `nil` if only this type can express it.
    package func obstacle(of file: Location) -> ReadObstacle? {
        switch self {
        case .file(.notRegular(let found, let kind)) where found == file: .notRegular(kind)
        case .file(let error): .unreadable(error)
        case .mountPoint: .mountPoint
        // Retried, even without a hint.
        case .busy: .unreadable(fileError(of: file))
        case .beingWritten: .beingWritten
        case .changing: .changing
        case .tooLarge(let bytes, let limit): .tooLarge(bytes ?? Int64(limit) + 1)
        default: nil
        }
    }

    /// The nearest error of a file, where only such a one can be thrown.
    package func fileError(of file: Location) -> FileError {
        switch self {
        case .file(let error): error
        case .busy, .beingWritten, .changing: .system(errno: EBUSY, .lock, file)
        case .mountPoint: .system(errno: EBUSY, .write, file)
        case .readOnly: .system(errno: EROFS, .write, file)
        case .tooLarge: .system(errno: EFBIG, .write, file)
        case .corrupt: .system(errno: EIO, .read, file)
        default: .unsupported(.write, file)
        }
    }
}
