internal import Glibc

/// Reads small files and links, such as those in `/proc` and of locks.
package enum SmallFile {
    /// The first bytes of a file; `nil` if it cannot be read.
    package static func bytes(at path: String, limit: Int) -> [UInt8]? {
        guard let opened = try? retried({ unsafe Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }) else {
            return nil
        }
        defer { _ = Glibc.close(opened) }
        return bytes(of: opened, limit: limit)
    }

    static func text(at path: String) -> String? {
        bytes(at: path, limit: longestText).map { String(decoding: $0, as: UTF8.self) }
    }

    static func text(of opened: Int32) -> String? {
        bytes(of: opened, limit: longestText).map { String(decoding: $0, as: UTF8.self) }
    }

    private static var longestText: Int { 256 }

    private static func bytes(of opened: Int32, limit: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: limit)
        guard let count = try? retried({ unsafe pread(opened, &bytes, bytes.count, 0) }) else { return nil }
        return Array(bytes.prefix(count))
    }

    package static func target(ofLink path: String) -> String? {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(path, &target, target.count)
        guard count > 0 else { return nil }
        return String(decoding: target.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
