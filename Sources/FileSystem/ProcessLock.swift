internal import Glibc
import Model

/// A lock that only one process at a time holds: `agent.lock` in the state directory, with `flock`.
///
/// The kernel releases it when the process ends, in whatever way, so a stale lock needs no detection. The
/// file stays; its content, the holder's process ID and pair of containers, is for messages.
package struct ProcessLock: ~Copyable, Sendable {
    package enum Refusal: Error, Hashable, Sendable {
        /// Held by the process with this ID; `nil` if it has not written it yet.
        case held(by: Int32?)
        /// The name is not a regular file.
        case notRegular
        case system(errno: Int32)
    }

    package static let fileName = "agent.lock"

    private let descriptor: Int32

    /// Takes the lock of the directory `state`, or throws why it cannot. It never waits.
    package init(state: String) throws(Refusal) {
        let path = state + "/" + Self.fileName
        descriptor = try Self.take(path)
    }

    deinit { _ = Glibc.close(descriptor) }

    private static func take(_ path: String) throws(Refusal) -> Int32 {
        while true {
            let opened = try open(path)
            do {
                try lock(opened)
                // Another program may have deleted the file before the lock was taken; then this lock
                // protects nothing.
                if try stillStands(opened, path) {
                    write("\(getpid())\n", to: opened)
                    return opened
                }
            } catch {
                _ = Glibc.close(opened)
                throw error
            }
            _ = Glibc.close(opened)
        }
    }

    private static func open(_ path: String) throws(Refusal) -> Int32 {
        // Does not block on a FIFO.
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        do {
            return try retried { unsafe Glibc.open(path, flags, 0o600) }
        } catch {
            throw error.code == ELOOP || error.code == EISDIR ? .notRegular : .system(errno: error.code)
        }
    }

    private static func lock(_ opened: Int32) throws(Refusal) {
        do throws(Errno) {
            guard try Status(of: opened).kind == .regular else { throw Errno(code: ELOOP) }
            _ = try retried { flock(opened, LOCK_EX | LOCK_NB) }
        } catch {
            switch error.code {
            case EWOULDBLOCK: throw .held(by: holder(opened))
            case ELOOP: throw .notRegular
            default: throw .system(errno: error.code)
            }
        }
    }

    private static func stillStands(_ opened: Int32, _ path: String) throws(Refusal) -> Bool {
        do {
            let ours = try Status(of: opened)
            let standing = try Status(of: path, in: AT_FDCWD)
            return ours.inode == standing.inode && ours.device == standing.device
        } catch {
            if error.code == ENOENT { return false }
            throw .system(errno: error.code)
        }
    }

    /// Writes down the pair that it is held for, so that another process that is refused the pair can name
    /// this state directory.
    package func record(_ pair: borrowing PairLock) {
        Self.write("\(getpid())\n\(pair.pair)\n", to: descriptor)
    }

    /// The state directory that a process uses with that pair: its lock is among the process's open files.
    static func state(of process: Int32, pair: String) -> String? {
        for number in 0..<mostDescriptors {
            guard let target = SmallFile.target(ofLink: "/proc/\(process)/fd/\(number)"),
                target.hasSuffix("/" + fileName), let text = SmallFile.text(at: target),
                text.split(separator: "\n").dropFirst().first == pair[...]
            else { continue }
            return String(target.dropLast(fileName.utf8.count + 1))
        }
        return nil
    }

    /// Locks are taken early, before the process has many files open.
    private static var mostDescriptors: Int { 1_024 }

    /// Best effort: a full disk must not prevent a start.
    private static func write(_ text: String, to opened: Int32) {
        let bytes = Array(text.utf8)
        _ = try? retried { ftruncate(opened, 0) }
        _ = try? retried { unsafe pwrite(opened, bytes, bytes.count, 0) }
    }

    /// The process that holds the lock, as far as it wrote that down. For messages only.
    package static func holder(at path: String) -> Int32? {
        SmallFile.text(at: path).flatMap(number)
    }

    private static func holder(_ opened: Int32) -> Int32? {
        SmallFile.text(of: opened).flatMap(number)
    }

    private static func number(_ text: String) -> Int32? {
        Int32(text.prefix { $0.isASCII && $0.isNumber })
    }
}
