import CLinux
import Glibc
import Testing

/// A test's own directory, with simple actions: one function, one system call.
final class Container {
    let path: String

    init() throws {
        var template = Array("/tmp/widgetbridge-watch-test.XXXXXX".utf8CString)
        let made = unsafe mkdtemp(&template).map { unsafe String(cString: $0) }
        path = try #require(made)
    }

    deinit { Self.remove(path) }

    /// A directory in it, for tests that change the root itself.
    func root(_ name: String = "root") throws -> String {
        try makeDirectory(name)
        return absolute(name)
    }

    func absolute(_ name: String) -> String { "\(path)/\(name)" }

    func write(_ name: String, _ text: String = "{}") throws {
        let descriptor = unsafe open(absolute(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        try #require(descriptor >= 0, "cannot write \(name): \(errno)")
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
        try #require(count == bytes.count)
    }

    func makeDirectory(_ name: String) throws {
        try #require(unsafe mkdir(absolute(name), 0o755) == 0, "cannot make \(name): \(errno)")
    }

    /// As `mkdir -p`.
    func makeDirectories(_ name: String) {
        var made = ""
        for part in name.split(separator: "/") {
            made += made.isEmpty ? part : "/\(part)"
            unsafe mkdir(absolute(made), 0o755)
        }
    }

    func rename(_ from: String, _ to: String) throws {
        try #require(unsafe Glibc.rename(absolute(from), absolute(to)) == 0, "\(from) to \(to): \(errno)")
    }

    func exchange(_ one: String, _ other: String) throws {
        let result = unsafe linux_renameat2(
            AT_FDCWD,
            absolute(one),
            AT_FDCWD,
            absolute(other),
            linux_rename_exchange
        )
        try #require(result == 0, "exchange \(one) and \(other): \(errno)")
    }

    func link(_ target: String, as name: String) throws {
        try #require(unsafe symlink(target, absolute(name)) == 0)
    }

    func remove(_ name: String) { Self.remove(absolute(name)) }

    private static func remove(_ path: String) {
        if unsafe unlink(path) == 0 { return }
        for entry in entries(path) { remove("\(path)/\(entry.name)") }
        unsafe rmdir(path)
    }

    /// All existing directories, as paths beneath `top`; `top` itself is "".
    func directories(beneath top: String) -> [String] {
        var found = [""]
        var index = 0
        while index < found.count {
            let prefix = found[index].isEmpty ? "" : found[index] + "/"
            for entry in Self.entries(absolute("\(top)/\(prefix)")) where entry.isDirectory {
                found.append(prefix + entry.name)
            }
            index += 1
        }
        return found
    }

    /// All existing files, with their inode and state.
    func files(beneath top: String) -> [String: String] {
        var files: [String: String] = [:]
        for directory in directories(beneath: top) {
            let prefix = directory.isEmpty ? "" : directory + "/"
            for entry in Self.entries(absolute("\(top)/\(prefix)")) where !entry.isDirectory {
                var status = stat()
                guard unsafe lstat(absolute("\(top)/\(prefix)\(entry.name)"), &status) == 0 else { continue }
                files[prefix + entry.name] =
                    "\(status.st_ino) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
            }
        }
        return files
    }

    private static func entries(_ path: String) -> [(name: String, isDirectory: Bool)] {
        guard let stream = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(stream) }
        var entries: [(String, Bool)] = []
        while let entry = unsafe readdir(stream) {
            // In place: an entry is only as long as its name, and a copy of the field would read beyond it.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
            }
            if name != "." && name != ".." { entries.append((name, unsafe entry.pointee.d_type == DT_DIR)) }
        }
        return entries
    }
}

/// Checks that every existing directory is watched under its name: a file created in it is reported.
///
/// It checks few at a time, so that they cannot overflow the kernel's queue. If other changes overflow it,
/// on a busy machine, the same directories are checked again.
func expectEverythingWatched(
    _ helper: Helper,
    _ container: Container,
    _ root: String = "root",
    number: Int = 0,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    _ = try helper.settled()
    var overflows = 0
    var probes = container.directories(beneath: root).map { $0.isEmpty ? "probe" : "\($0)/probe" }[...]
    while !probes.isEmpty {
        let part = probes.prefix(1_000)
        for probe in part { try container.write("\(root)/\(probe)") }
        let said = Set(try helper.settled())
        if said.contains("all \(number) overflow") {
            overflows += 1
            try #require(overflows < 100)
            for probe in part { container.remove("\(root)/\(probe)") }
            continue
        }
        probes = probes.dropFirst(1_000)
        let holes = part.filter { !said.contains("look \(number) \($0)") }
        #expect(holes.isEmpty, "\(holes.count) holes; \(holes.prefix(3))", sourceLocation: sourceLocation)
        for probe in part { container.remove("\(root)/\(probe)") }
        _ = try helper.settled()
    }
}
