import CLinux
import FileSystem
import Glibc
import Model

/// Three real directories in a new one, which is removed with the ground.
final class LinuxGround: Ground {
    let door: LinuxFileSystem
    let top: String
    let isReal = true

    /// - Parameter parent: Where the new directory is made; the temporary directory if `nil`.
    init(in parent: String? = nil, resolution: LinuxFileSystem.Resolution? = nil) throws {
        top = try Self.makeTemporaryDirectory(in: parent ?? Self.temporary)
        for root in Root.allCases { unsafe mkdir("\(top)/\(root.rawValue)", 0o755) }
        do {
            door = try LinuxFileSystem(
                app: "\(top)/app",
                group: "\(top)/group",
                state: "\(top)/state",
                resolution: resolution
            )
        } catch {
            Self.removeTree(top)
            throw error
        }
    }

    deinit { Self.removeTree(top) }

    static var temporary: String {
        guard let path = unsafe getenv("TMPDIR") else { return "/tmp" }
        return unsafe String(cString: path)
    }

    static func makeTemporaryDirectory(in parent: String) throws -> String {
        var template = Array("\(parent)/storage-tests-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            throw Violation(description: "no directory in \(parent)")
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    static func removeTree(_ path: String) { removeTree(Array(path.utf8CString.dropLast())) }

    /// By bytes, because some names in it are not UTF-8. A link is removed, never followed.
    private static func removeTree(_ path: [CChar]) {
        let descriptor = unsafe Glibc.open(path + [0], O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        if descriptor >= 0, let stream = unsafe fdopendir(descriptor) {
            while let entry = unsafe readdir(stream) {
                let name = unsafe linux_entry_name(entry)
                let bytes = unsafe Array(UnsafeBufferPointer(start: name, count: strlen(name)))
                if bytes != [46] && bytes != [46, 46] { removeTree(path + [47] + bytes) }
            }
            unsafe closedir(stream)
        }
        _ = unsafe remove(path + [0])
    }

    func path(_ file: Location) -> String { "\(top)/\(file.root.rawValue)/\(file.path)" }
}

// MARK: Other programs

extension LinuxGround {
    var hasAttributes: Bool {
        unsafe lsetxattr("\(top)/app", "user.storage-tests", "", 0, 0) == 0 || errno != EOPNOTSUPP
    }
}

extension LinuxGround {
    func save(_ file: Location, _ bytes: [UInt8]) {
        let temporary = "\(path(file)).saving"
        write(bytes, to: temporary)
        unsafe check(Glibc.rename(temporary, path(file)))
    }

    func overwrite(_ file: Location, _ bytes: [UInt8]) { write(bytes, to: path(file)) }

    private func write(_ bytes: [UInt8], to path: String) {
        let pen = RealPen(unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644))
        pen.write(bytes)
        pen.close()
    }

    func open(_ file: Location) -> RealPen? {
        RealPen(unsafe Glibc.open(path(file), O_WRONLY | O_CREAT | O_CLOEXEC, 0o644))
    }

    func read(_ file: Location) -> [UInt8]? {
        let descriptor = unsafe Glibc.open(path(file), O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { _ = Glibc.close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return bytes }
            bytes += buffer.prefix(count)
        }
    }

    func delete(_ file: Location) { unsafe check(remove(path(file))) }
    func rename(_ from: Location, to: Location) { unsafe check(Glibc.rename(path(from), path(to))) }
    func setMode(_ file: Location, _ mode: UInt32) { unsafe check(chmod(path(file), mode)) }

    func setAttribute(_ name: String, of file: Location, to value: [UInt8]) {
        unsafe check(lsetxattr(path(file), name, value, value.count, 0))
    }

    func attribute(_ name: String, of file: Location) -> [UInt8]? {
        var value = [UInt8](repeating: 0, count: 1 << 16)
        let count = unsafe lgetxattr(path(file), name, &value, value.count)
        return count < 0 ? nil : Array(value.prefix(count))
    }

    func makeDirectory(_ directory: Location) { unsafe check(mkdir(path(directory), 0o755)) }

    func makeSymbolicLink(_ file: Location) { unsafe check(symlink("\(top)/group", path(file))) }
    func makeSpecial(_ file: Location) { unsafe check(mkfifo(path(file), 0o644)) }

    func save(name: [UInt8], in root: Root, _ bytes: [UInt8]) {
        let path = (Array("\(top)/\(root.rawValue)/".utf8) + name + [0]).map { CChar(bitPattern: $0) }
        let descriptor = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        let pen = RealPen(descriptor)
        pen.write(bytes)
        pen.close()
    }

    func removeRoot(_ root: Root) { Self.removeTree("\(top)/\(root.rawValue)") }

    func replaceRoot(_ root: Root) {
        unsafe check(Glibc.rename("\(top)/\(root.rawValue)", "\(top)/\(root.rawValue).away"))
        unsafe check(mkdir("\(top)/\(root.rawValue)", 0o755))
    }
}

/// A test's own actions must succeed, or the test proves nothing.
func check(_ result: some SignedInteger) {
    precondition(result >= 0, "errno \(errno)")
}

struct RealPen: WorldPen {
    let descriptor: Int32

    init(_ descriptor: Int32) {
        check(descriptor)
        self.descriptor = descriptor
    }

    func write(_ bytes: [UInt8]) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe Glibc.write(
                    descriptor,
                    $0.baseAddress.map { unsafe $0 + written },
                    bytes.count - written
                )
            }
            check(count)
            written += count
        }
    }

    func close() { _ = Glibc.close(descriptor) }
}
