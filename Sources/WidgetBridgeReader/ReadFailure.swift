import Glibc

/// Why a document could not be read. Only ``absent(_:)`` says that there is none: everything else is no
/// reason to show that there is no data.
public enum ReadFailure: Error, Sendable, CustomStringConvertible {
    /// There is no such document.
    case absent(String)
    /// Not a path inside a container.
    case notAName(String)
    /// A directory, a link or a device stands there; or, on the way to it, something that is no directory.
    case notAFile(String)
    /// It has more bytes than the reader takes.
    case tooLarge(String, bytes: Int64, limit: Int)
    /// A program was writing to it in place; read it again.
    case changing(String)
    /// The system refuses to read it.
    case unreadable(String, errno: Int32)
    /// It is not JSON, or not of the type that was asked for.
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

    /// Why a part of its path could not be opened.
    init(_ name: String, errno: Int32) {
        self =
            switch errno {
            case ENOENT: .absent(name)
            case ENOTDIR, ELOOP, ENXIO: .notAFile(name)
            default: .unreadable(name, errno: errno)
            }
    }
}
