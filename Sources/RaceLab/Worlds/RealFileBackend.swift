package import FileSystem
import Glibc
package import Model

/// Real directories: programs and engine act as on the simulated disk, but through the kernel.
///
/// The files have real timestamps, later than the world's time: so no file counts as unchanged because of its
/// timestamps, and the result does not depend on the speed of the run.
package final class RealFileBackend: RaceBackend {
    package let files: LinuxFileSystem
    private let top: String
    /// The first unexpected error of the disk, after which the run has no verdict.
    private(set) var trouble: Rest.DiskTrouble?

    /// Makes three new directories inside an existing one.
    init(in parent: String) throws(FileError) {
        top = parent
        for root in Root.allCases { unsafe mkdir("\(top)/\(root.rawValue)", 0o755) }
        files = try LinuxFileSystem(app: "\(top)/app", group: "\(top)/group", state: "\(top)/state")
    }

    /// Removes everything of the run.
    func clear() { for root in Root.allCases { RealTree.remove("\(top)/\(root.rawValue)") } }

    private func path(_ file: Location) -> String { "\(top)/\(file.root.rawValue)/\(file.path)" }

    private func failed(_ call: String, _ file: Location) {
        trouble = trouble ?? Rest.DiskTrouble(call: call, file: file, errno: errno)
    }

    /// Each may exist; if one cannot be made, the file cannot either.
    private func makeDirectories(of file: Location) {
        for directory in file.directories { unsafe mkdir(path(directory), 0o755) }
    }

    package func pass(to nanoseconds: Int64) {}
    package func read(_ file: Location) -> [UInt8]? { RealTree.read(path(file)) }

    package func save(_ file: Location, _ bytes: [UInt8]) {
        makeDirectories(of: file)
        // A name like an editor's temporary file, which is not a document.
        let temporary = path(file) + ".tmp"
        guard let writer = RealPen(temporary, truncates: true) else { return failed("create", file) }
        writer.write(bytes)
        writer.close()
        if writer.hasFailed { return failed("write", file) }
        if unsafe Glibc.rename(temporary, path(file)) != 0 { failed("rename", file) }
    }

    package func delete(_ file: Location) -> Bool { unsafe unlink(path(file)) == 0 }

    package func open(_ file: Location) -> RealPen? {
        makeDirectories(of: file)
        let writer = RealPen(path(file), truncates: false)
        if writer == nil { failed("open", file) }
        return writer
    }

    package func isHeld(_ file: Location, by writer: RealPen) -> Bool { writer.isAt(path(file)) }

    package func kept(in directory: String) -> [[UInt8]] {
        RealTree.files(beneath: "\(top)/state/\(directory)").compactMap(RealTree.read)
    }

    package func contents(of container: Root) -> [[UInt8]] {
        RealTree.files(beneath: "\(top)/\(container.rawValue)").compactMap(RealTree.read)
    }

    /// `RaceBackendKind` refuses scenarios that cut the power.
    package func cutPower(_ random: inout SeededRandom) {}
    package func sync(_ file: Location) {}
    package func writeBack() {}
    /// Every run starts in new directories.
    package func save() -> Bool { false }
    package func restore() {}
}

/// A file that is open for writing.
package final class RealPen: RaceBackendWriter {
    private var descriptor: Int32
    private(set) var hasFailed = false

    init?(_ path: String, truncates: Bool) {
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | (truncates ? O_TRUNC : 0)
        descriptor = unsafe Glibc.open(path, flags, 0o644)
        if descriptor < 0 { return nil }
    }

    func isAt(_ path: String) -> Bool {
        var mine = stat()
        var theirs = stat()
        guard unsafe fstat(descriptor, &mine) == 0, unsafe stat(path, &theirs) == 0 else { return false }
        return mine.st_dev == theirs.st_dev && mine.st_ino == theirs.st_ino
    }

    package func truncate() {
        if ftruncate(descriptor, 0) != 0 { hasFailed = true }
        lseek(descriptor, 0, SEEK_SET)
    }

    package func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                hasFailed = true
                return
            }
            rest = rest.dropFirst(count)
        }
    }

    package func close() {
        if descriptor >= 0 { _ = Glibc.close(descriptor) }
        descriptor = -1
    }

    deinit { close() }
}
