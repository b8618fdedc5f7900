internal import CLinux
internal import Glibc
internal import Reconciliation

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

    package let timestampGrain: Duration

    let app: OpenRoot
    let group: OpenRoot
    let state: OpenRoot
    /// How paths are kept beneath their root.
    let resolution: Resolution

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
        timestampGrain = KernelFacts.timestampGrain(
            ofMounts: [self.app, self.group, self.state].map(\.mount)
        )
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
    let descriptor: Int32
    let device: UInt64
    /// The mount it lies on; `nil` before Linux 5.8.
    let mount: UInt64?

    init(_ root: Root, at path: String) throws(FileError) {
        do {
            let descriptor = try retried { unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
            self.root = root
            self.path = path
            self.descriptor = descriptor
            let status = try Status(of: descriptor)
            device = status.device
            mount = status.mount
        } catch {
            throw FileError(directory: error, .open, Directory(root))
        }
    }

    deinit { _ = Glibc.close(descriptor) }
}

/// The number of a system call that failed.
struct Errno: Error {
    let code: Int32
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
    init(_ error: Errno, _ call: SystemCall, _ file: Location) {
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

    init(directory error: Errno, _ call: SystemCall, _ directory: Directory) {
        self =
            switch error.code {
            case ENOENT, ENOTDIR, ELOOP: .noDirectory(directory)
            default: .directory(errno: error.code, call, directory)
            }
    }
}
