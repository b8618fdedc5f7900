internal import Glibc

/// A lock of a directory that only one process at a time holds, with `flock`. It leaves no file, and the
/// kernel releases it when the process ends. Programs that do not take it are not kept out.
package enum DirectoryLock {
    /// Runs `body` with the lock. A directory that cannot be locked counts as locked.
    ///
    /// - Parameter waits: Waits a moment for another process; false once it waits no longer.
    /// - Returns: `nil` if another process still holds it.
    package static func hold<Value, Failure: Error>(
        _ path: String,
        waits: () -> Bool,
        _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value? {
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if descriptor >= 0 { _ = close(descriptor) } }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR {
            guard waits() else { return nil }
        }
        return try body()
    }
}
