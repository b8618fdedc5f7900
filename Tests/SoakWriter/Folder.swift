import CLinux
import Foundation
import Glibc

/// An error of the kernel.
struct Failure: Error {
    var code: Int32

    init(_ code: Int32) { self.code = code }
}

/// A container, as seen by a program that knows nothing of a bridge.
struct Folder {
    var path: String

    func file(_ name: String) -> String { "\(path)/\(name)" }

    static func bytes(at path: String) -> [UInt8]? {
        (try? Data(contentsOf: URL(filePath: path))).map(Array.init)
    }

    static func ids(beneath directories: [String]) -> Set<String> {
        var ids: Set<String> = []
        for directory in directories {
            for name in (try? FileManager.default.subpathsOfDirectory(atPath: directory)) ?? [] {
                ids.formUnion(Content.ids(in: bytes(at: "\(directory)/\(name)") ?? []))
            }
        }
        return ids
    }

    func create(_ bytes: [UInt8], as name: String) throws {
        let descriptor = try checked(unsafe open(file(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644))
        defer { close(descriptor) }
        try write(bytes, to: descriptor)
    }

    func makeDirectory(of name: String) {
        guard let end = name.lastIndex(of: "/") else { return }
        unsafe mkdir(file(String(name[..<end])), 0o755)
    }

    /// Sets the file's modification time, like a copy or an unpacked archive.
    func date(_ name: String, secondsFromNow seconds: Int) {
        let time = timespec(tv_sec: time(nil) + seconds, tv_nsec: 0)
        unsafe utimensat(AT_FDCWD, file(name), [time, time], AT_SYMLINK_NOFOLLOW)
    }

    /// Exchanges the two names, so that the program can examine what was at `target`.
    func exchange(_ name: String, _ target: String) throws {
        try rename(name, target, flags: linux_rename_exchange)
    }

    /// Fails if the name is taken.
    func move(_ name: String, to target: String) throws {
        try rename(name, target, flags: linux_rename_noreplace)
    }

    func remove(_ name: String) { unsafe unlink(file(name)) }

    private func rename(_ name: String, _ target: String, flags: UInt32) throws {
        _ = try checked(unsafe linux_renameat2(AT_FDCWD, file(name), AT_FDCWD, file(target), flags))
    }
}

/// A document that is open for reading and writing.
struct Pen {
    private let descriptor: Int32

    init(_ path: String) throws {
        descriptor = try checked(unsafe open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW))
    }

    func close() { Glibc.close(descriptor) }

    /// Reads the document, and overwrites the same file with the result of `change`.
    func rewrite(_ change: ([UInt8]) -> [UInt8]?) throws {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        let count = try checked(Int32(unsafe read(descriptor, &bytes, bytes.count)))
        guard let changed = change(Array(bytes[..<Int(count)])) else { return }
        _ = try checked(ftruncate(descriptor, 0))
        _ = lseek(descriptor, 0, SEEK_SET)
        try write(changed, to: descriptor)
    }
}

private func write(_ bytes: [UInt8], to descriptor: Int32) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
        let part = Array(rest)
        rest = rest.dropFirst(Int(try checked(Int32(unsafe Glibc.write(descriptor, part, part.count)))))
    }
}

private func checked(_ result: Int32) throws(Failure) -> Int32 {
    guard result >= 0 else { throw Failure(errno) }
    return result
}
