import Glibc

extension FileError {
    package var what: String {
        switch self {
        case .missing: "no such file"
        case .exists: "already exists"
        case .noDirectory: "no such directory"
        case .notRegular(_, .symbolicLink): "a symbolic link, not a file"
        case .notRegular(_, .directory): "a directory, not a file"
        case .notRegular: "not a regular file"
        case .unsupported(let call, _): "the file system cannot \(call.words)"
        case .system(let errno, let call, _), .directory(let errno, let call, _):
            "cannot \(call.words): \(systemMessage(errno))"
        }
    }

    package var place: String {
        switch subject {
        case .file(let file): file.description
        case .directory(let directory): directory.description
        }
    }
}

extension SystemCall {
    fileprivate var words: String {
        switch self {
        case .attributes: "copy the attributes"
        case .makeDirectory: "make the directory"
        case .removeDirectory: "remove the directory"
        case .sync, .syncDirectory: "sync to the disk"
        case .stat: "stat it"
        case .open, .list, .read, .create, .write, .rename, .link, .remove, .lock, .close: "\(rawValue) it"
        }
    }
}

/// The C library's message, such as `No space left on device`.
package func systemMessage(_ errno: Int32) -> String {
    guard let text = unsafe strerror(errno) else { return "error \(errno)" }
    return unsafe String(cString: text)
}
