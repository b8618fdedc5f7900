import Glibc

/// A temporary directory of the lab, which is removed with its last reference.
package final class RealTree: Sendable {
    package let path: String

    package struct Failure: Error, CustomStringConvertible {
        package let path: String
        package let code: Int32

        package var description: String {
            let cause = unsafe strerror(code).map { unsafe String(cString: $0) }
            return "cannot make a directory in `\(path)`: \(cause ?? "error \(code)")"
        }
    }

    /// - Parameter parent: its parent; the temporary directory if `nil`.
    package init(in parent: String? = nil) throws(Failure) {
        let parent = parent ?? Self.temporary
        var template = Array("\(parent)/\(Self.name)XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw Failure(path: parent, code: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path) }

    private static let name = "widgetbridge-race-"

    /// Whether that is the path of a directory that the lab made.
    static func mayBe(_ path: String) -> Bool { path.split(separator: "/").last?.hasPrefix(name) ?? false }

    private static var temporary: String {
        guard let path = unsafe getenv("TMPDIR") else { return "/tmp" }
        return unsafe String(cString: path)
    }

    /// Removes a tree; removes a link without following it.
    static func remove(_ path: String) {
        for name in names(in: path) where unsafe unlink("\(path)/\(name)") != 0 { remove("\(path)/\(name)") }
        unsafe rmdir(path)
    }

    /// The paths of all files below a directory.
    static func files(beneath path: String) -> [String] {
        names(in: path).flatMap { name in
            let inner = "\(path)/\(name)"
            let within = files(beneath: inner)
            return within.isEmpty ? [inner] : within
        }
    }

    static func read(_ path: String) -> [UInt8]? {
        // A named pipe would keep it waiting for a writer.
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { _ = Glibc.close(descriptor) }
        var bytes: [UInt8] = []
        while true {
            let piece = unsafe [UInt8](unsafeUninitializedCapacity: 16 * 1024) { buffer, filled in
                filled = max(0, unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count))
            }
            if piece.isEmpty { return bytes }
            bytes += piece
        }
    }

    /// - Returns: `false` if it cannot be written.
    static func write(_ bytes: [UInt8], to path: String) -> Bool {
        let descriptor = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return false }
        defer { _ = Glibc.close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Empty if it is not a directory.
    static func names(in path: String) -> [String] {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0, let stream = unsafe fdopendir(descriptor) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
