import Glibc

/// Why a document could not be read. Only ``absent(_:)`` means that there is no document; after any other
/// failure a widget should not show that there is no data.
public enum ReadFailure: Error, Sendable, CustomStringConvertible {
    /// The document does not exist.
    case absent(String)
    /// The name is not a path inside a container.
    case notAName(String)
    /// The name is that of a directory, link or device, or a part of its path is not a directory.
    case notAFile(String)
    /// The document is larger than the reader's limit.
    case tooLarge(String, bytes: Int64, limit: Int)
    /// A program was writing the file in place; read it again.
    case changing(String)
    /// The system refused to read it.
    case unreadable(String, errno: Int32)
    /// It is not JSON, or not of the requested type.
    case undecodable(String, any Error)

    /// What happened, in one line that begins with the document's name.
    public var description: String {
        switch self {
        case .absent(let name): "\(name): there is no such document"
        case .notAName(let name): "\(name): not a path inside a container"
        case .notAFile(let name): "\(name): not a regular file"
        case .tooLarge(let name, let bytes, let limit): "\(name): \(bytes) bytes; at most \(limit) are read"
        case .changing(let name): "\(name): a program was writing to it; read it again"
        case .unreadable(let name, let errno): "\(name): \(unsafe String(cString: strerror(errno)))"
        case .undecodable(let name, let error): "\(name): \(error)"
        }
    }

    /// The failure to open a component of the document's path.
    init(_ name: String, errno: Int32) {
        self =
            switch errno {
            case ENOENT: .absent(name)
            case ENOTDIR, ELOOP, ENXIO: .notAFile(name)
            default: .unreadable(name, errno: errno)
            }
    }
}
