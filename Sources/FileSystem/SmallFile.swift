internal import Glibc

/// Reads small files and links, such as those in `/proc` and of locks.
enum SmallFile {
    static func text(at path: String) -> String? {
        guard let opened = try? retried({ unsafe Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }) else {
            return nil
        }
        defer { _ = Glibc.close(opened) }
        return text(of: opened)
    }

    static func text(of opened: Int32) -> String? {
        var bytes = [UInt8](repeating: 0, count: 256)
        guard let count = try? retried({ unsafe pread(opened, &bytes, bytes.count, 0) }) else { return nil }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    static func target(ofLink path: String) -> String? {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(path, &target, target.count)
        guard count > 0 else { return nil }
        return String(decoding: target.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
