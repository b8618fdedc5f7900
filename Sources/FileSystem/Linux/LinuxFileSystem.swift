internal import CLinux
internal import Glibc
package import Model
internal import Synchronization

/// The real disk.
///
/// Each root is opened once, and everything is reached from that descriptor: a root that is renamed or
/// replaced meanwhile is never mistaken for the one that was opened. A document at the root costs one system
/// call per verb. The directory of a nested one is resolved anew each time, for a directory that is kept open
/// may have been moved out of the root in the meantime.
package final class LinuxFileSystem: FileSystem, Sendable {
    /// An open file. A plain number: it is closed by `close` alone.
    package struct Handle: Sendable, Hashable {
        let descriptor: Int32
        /// The name it was opened by, for errors.
        let file: Location
    }

    let app: OpenRoot
    let group: OpenRoot
    let state: OpenRoot
    /// How paths are kept beneath their root.
    let resolution: Resolution
    private let hasFineTimestamps: Atomic<Bool>

    /// - Parameters:
    ///   - app, group, state: paths of directories, which must be there and be readable.
    ///   - resolution: `nil` finds out what the kernel offers.
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
        hasFineTimestamps = Atomic(false)
        lookAtTimestamps()
    }

    package var timestampGrain: Duration {
        hasFineTimestamps.load(ordering: .relaxed) ? .zero : KernelFacts.tick
    }

    package func reopen(_ root: Root) throws(FileError) {
        try self.root(root).reopen()
        lookAtTimestamps()
    }

    private func lookAtTimestamps() {
        let areFine = KernelFacts.hasFineTimestamps(onMounts: [app, group, state].map(\.mount))
        hasFineTimestamps.store(areFine, ordering: .relaxed)
    }

    func root(_ root: Root) -> OpenRoot {
        switch root {
        case .app: app
        case .group: group
        case .state: state
        }
    }
}

/// A root, for as long as the file system lives.
final class OpenRoot: Sendable {
    let root: Root
    let path: String
    /// Always the same number; what it is open on changes with `reopen`.
    let descriptor: Int32
    private let deviceNumber: Atomic<UInt64>
    /// Zero before Linux 5.8.
    private let mountNumber: Atomic<UInt64>

    var device: UInt64 { deviceNumber.load(ordering: .relaxed) }
    /// The mount it lies on; `nil` before Linux 5.8.
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

/// The number of a system call that failed.
package struct Errno: Error {
    package let code: Int32

    package init(code: Int32) { self.code = code }
}

/// Calls until it is not interrupted; what is below zero is a failure.
func retried<Count: SignedInteger>(_ call: () -> Count) throws(Errno) -> Count {
    while true {
        let result = call()
        if result >= 0 { return result }
        let code = errno
        if code != EINTR { throw Errno(code: code) }
    }
}

extension FileError {
    /// Of a file, for any verb; what a verb sees otherwise, it says itself.
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
