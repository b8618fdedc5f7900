internal import CLinux
internal import Glibc
package import Model
internal import Synchronization

/// The real disk.
///
/// Each root is opened once, and every path is resolved from that descriptor, so a root that is renamed or
/// replaced is never confused with the opened one. A document at the root costs one system call per method.
/// The directory of a nested document is resolved again each time, because an open directory could have been
/// moved out of the root meanwhile.
package final class LinuxFileSystem: FileSystem, Sendable {
    /// An open file: a plain number, which only `close` closes.
    package struct Handle: Sendable, Hashable {
        let descriptor: Int32
        /// The name it was opened by, for errors.
        let file: Location
    }

    let app: OpenRoot
    let group: OpenRoot
    let state: OpenRoot
    /// How paths are kept below their root.
    let resolution: Resolution
    private let areTimesFine: Atomic<Bool>

    /// - Parameters:
    ///   - app, group, state: paths of directories, which must exist and be readable.
    ///   - resolution: `nil` detects what the kernel offers.
    package init(
        app: String,
        group: String,
        state: String,
        resolution: Resolution? = nil
    ) throws(FileError) {
        self.app = try OpenRoot(.app, at: app)
        self.group = try OpenRoot(.group, at: group)
        self.state = try OpenRoot(.state, at: state)
        self.resolution = resolution ?? .offered(beneath: self.app.descriptor)
        areTimesFine = Atomic(false)
        lookAtTimestamps()
    }

    package var timestampGrain: Duration { areTimesFine.load(ordering: .relaxed) ? .zero : KernelFacts.tick }
    package var room: Int64? { DiskRoom.left(at: state.path) }

    package func reopen(_ root: Root) throws(FileError) {
        try self.root(root).reopen()
        lookAtTimestamps()
    }

    private func lookAtTimestamps() {
        let areFine = KernelFacts.hasFineTimestamps(onMounts: [app, group, state].map(\.mount))
        areTimesFine.store(areFine, ordering: .relaxed)
    }

    func root(_ root: Root) -> OpenRoot {
        switch root {
        case .app: app
        case .group: group
        case .state: state
        }
    }
}

/// A root, open for the lifetime of the file system.
final class OpenRoot: Sendable {
    let root: Root
    let path: String
    /// The number stays the same; `reopen` changes the directory it refers to.
    let descriptor: Int32
    private let deviceNumber: Atomic<UInt64>
    /// Zero before Linux 5.8.
    private let mountNumber: Atomic<UInt64>

    var device: UInt64 { deviceNumber.load(ordering: .relaxed) }
    /// The mount that contains it; `nil` before Linux 5.8.
    var mount: UInt64? {
        let number = mountNumber.load(ordering: .relaxed)
        return number == 0 ? nil : number
    }

    init(_ root: Root, at path: String) throws(FileError) {
        do {
            let descriptor = try Self.open(path)
            self.root = root
            self.path = path
            self.descriptor = descriptor
            let status = try Status(of: descriptor)
            deviceNumber = Atomic(status.device)
            mountNumber = Atomic(status.mount ?? 0)
        } catch {
            throw FileError(directory: error, .open, Directory(root))
        }
    }

    private static func open(_ path: String) throws(Errno) -> Int32 {
        try retried { unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    }

    func reopen() throws(FileError) {
        do {
            let new = try Self.open(path)
            defer { _ = Glibc.close(new) }
            let status = try Status(of: new)
            _ = try retried { linux_dup3(new, descriptor, O_CLOEXEC) }
            deviceNumber.store(status.device, ordering: .relaxed)
            mountNumber.store(status.mount ?? 0, ordering: .relaxed)
        } catch {
            throw FileError(directory: error, .open, Directory(root))
        }
    }

    deinit { _ = Glibc.close(descriptor) }
}

/// The error number of a failed system call.
package struct Errno: Error {
    package let code: Int32

    package init(code: Int32) { self.code = code }
}

/// Repeats the call while it is interrupted; a negative result is a failure.
func retried<Count: SignedInteger>(_ call: () -> Count) throws(Errno) -> Count {
    while true {
        let result = call()
        if result >= 0 { return result }
        let code = errno
        if code != EINTR { throw Errno(code: code) }
    }
}

extension FileError {
    /// The error for a file. Methods that need another meaning map it themselves.
    package init(_ error: Errno, _ call: SystemCall, _ file: Location) {
        self =
            switch error.code {
            case ENOENT: .missing(file)
            case EEXIST: .exists(file)
            case ENOTDIR: .noDirectory(file.directory)
            case ELOOP: .notRegular(file, .symbolicLink)
            case EISDIR: .notRegular(file, .directory)
            case EXDEV, ENOSYS, EOPNOTSUPP: .unsupported(call, file)
            default: .system(errno: error.code, call, file)
            }
    }

    package init(directory error: Errno, _ call: SystemCall, _ directory: Directory) {
        self =
            switch error.code {
            case ENOENT, ENOTDIR, ELOOP: .noDirectory(directory)
            default: .directory(errno: error.code, call, directory)
            }
    }
}
