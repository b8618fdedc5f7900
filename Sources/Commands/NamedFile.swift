import Glibc

/// A file from the command line; `-` is standard input.
struct NamedFile {
    let path: String
    let bytes: [UInt8]
    let owner: UInt32
    let mode: UInt32

    /// Far above the size of any document, profile or configuration.
    static let limit = 256 << 20

    /// - Parameter most: Only so many bytes are used: one more tells that there are more.
    init(_ path: String, reading most: Int = .max) throws(NamedFileError) {
        self.path = path
        let descriptor = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotRead(path, errno: errno) }
        defer { if path != "-" { close(descriptor) } }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .cannotRead(path, errno: errno) }
        (owner, mode) = (status.st_uid, status.st_mode & 0o7777)
        bytes = try Self.readAll(descriptor, path, most)
    }

    /// `nil` if there is no such regular file, for example if it is a device or a pipe.
    init?(ifThere path: String) throws(NamedFileError) {
        guard Self.kind(of: path) == S_IFREG else { return nil }
        try self.init(path)
    }

    static func isDirectory(_ path: String) -> Bool { kind(of: path) == S_IFDIR }
    static func isPipe(_ path: String) -> Bool { kind(of: path) == S_IFIFO }
    private static func kind(of path: String) -> mode_t? { mode(of: path).map { $0 & S_IFMT } }

    /// The kind and the rights of the file that a name leads to; `nil` if there is none.
    private static func mode(of path: String) -> mode_t? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status.st_mode : nil
    }

    func text() throws(NamedFileError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8(path) }
        return text
    }

    private static func readAll(
        _ descriptor: Int32,
        _ path: String,
        _ most: Int
    ) throws(NamedFileError) -> [UInt8] {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe part.withUnsafeMutableBytes {
                unsafe read(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .cannotRead(path, errno: errno) }
            if count == 0 { return bytes }
            bytes += part.prefix(count)
            if bytes.count > most { return Array(bytes.prefix(most + 1)) }
            guard bytes.count <= limit else { throw .tooLarge(path, limit: limit) }
        }
    }

    /// Replaces the file as a whole, which keeps its rights; behind a link the file that it leads to. A
    /// device or a pipe is written to directly.
    ///
    /// `opening`: how such files begin. An existing file that begins differently is not replaced.
    static func write(_ bytes: [UInt8], to path: String, opening: String? = nil) throws(NamedFileError) {
        let mode = mode(of: path)
        if let mode, mode & S_IFMT != S_IFREG { return try fill(path, with: bytes) }
        if let opening { try refuse(path, unlessItBeginsWith: opening) }
        let target = mode == nil ? path : withoutLinks(path)
        let new = target + ".new-\(getpid())"
        do throws(NamedFileError) {
            // Nobody may read it before it has the rights of the file that it replaces.
            try fill(new, with: bytes, mode: mode == nil ? 0o644 : 0o600)
            if let mode, unsafe chmod(new, mode & 0o7777) != 0 { throw .cannotWrite(new, errno: errno) }
        } catch {
            _ = unsafe unlink(new)
            throw error.about(path)
        }
        guard unsafe rename(new, target) == 0 else {
            let failure = errno
            _ = unsafe unlink(new)
            throw .cannotWrite(path, errno: failure)
        }
    }

    /// Throws what `write` would throw now, as far as that is known without writing.
    static func check(_ path: String, opening: String) throws(NamedFileError) {
        let kind = kind(of: path)
        if kind == S_IFDIR { throw .cannotWrite(path, errno: EISDIR) }
        try refuse(path, unlessItBeginsWith: opening)
        let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let isReplaced = kind == nil || kind == S_IFREG
        guard unsafe access(isReplaced ? parent : path, isReplaced ? W_OK | X_OK : W_OK) == 0 else {
            throw .cannotWrite(path, errno: errno)
        }
    }

    private static func refuse(_ path: String, unlessItBeginsWith opening: String) throws(NamedFileError) {
        guard let old = try NamedFile(ifThere: path)?.bytes, !old.isEmpty else { return }
        if !old.starts(with: opening.utf8) { throw .occupied(path) }
    }

    private static func fill(
        _ path: String,
        with bytes: [UInt8],
        mode: mode_t = 0o644
    ) throws(NamedFileError) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw .cannotWrite(path, errno: errno) }
        let isWritten = writeAll(bytes[...], descriptor)
        let failure = errno
        close(descriptor)
        guard isWritten else { throw .cannotWrite(path, errno: failure) }
    }

    private static func writeAll(_ bytes: ArraySlice<UInt8>, _ descriptor: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

extension NamedFileError {
    /// The same error for the file that a person named.
    fileprivate func about(_ path: String) -> NamedFileError {
        guard case .cannotWrite(_, let errno) = self else { return self }
        return .cannotWrite(path, errno: errno)
    }
}
