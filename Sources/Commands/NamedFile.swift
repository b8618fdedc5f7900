import Glibc

/// A file from the command line; `-` is standard input.
struct NamedFile {
    let path: String
    let bytes: [UInt8]
    let owner: UInt32
    let mode: UInt32

    /// Far above the size of any document, profile or configuration.
    static let limit = 256 << 20

    init(_ path: String) throws(NamedFileError) {
        self.path = path
        let descriptor = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotRead(path, errno: errno) }
        defer { if path != "-" { close(descriptor) } }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .cannotRead(path, errno: errno) }
        (owner, mode) = (status.st_uid, status.st_mode & 0o7777)
        bytes = try Self.readAll(descriptor, path)
    }

    func text() throws(NamedFileError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8(path) }
        return text
    }

    private static func readAll(_ descriptor: Int32, _ path: String) throws(NamedFileError) -> [UInt8] {
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
            guard bytes.count <= limit else { throw .tooLarge(path, limit: limit) }
        }
    }

    /// Replaces the file completely or not at all.
    static func write(_ bytes: [UInt8], to path: String) throws(NamedFileError) {
        let new = path + ".new"
        let descriptor = unsafe open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .cannotWrite(path, errno: errno) }
        let isWritten = writeAll(bytes[...], descriptor)
        let failure = errno
        close(descriptor)
        guard isWritten else {
            _ = unsafe unlink(new)
            throw .cannotWrite(path, errno: failure)
        }
        guard unsafe rename(new, path) == 0 else {
            let failure = errno
            _ = unsafe unlink(new)
            throw .cannotWrite(path, errno: failure)
        }
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
