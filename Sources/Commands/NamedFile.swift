import Glibc

/// A file that a person named on the command line; `-` is standard input.
struct NamedFile {
    let path: String
    let bytes: [UInt8]

    /// Far more than a document, a profile or a configuration has.
    static let limit = 256 << 20

    init(_ path: String) throws(NamedFileError) {
        self.path = path
        let descriptor = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotRead(path, errno: errno) }
        defer { if path != "-" { close(descriptor) } }
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
}
