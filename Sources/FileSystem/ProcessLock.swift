internal import Glibc
import Model

/// Only one process at a time has it: `agent.lock` in the state directory, held by `flock`.
///
/// The kernel lets go of it when the process ends, however it ends, so nobody ever has to judge whether the
/// one that left a lock behind is still alive. The file itself stays; its content, the holder's process
/// number and the pair of containers it works on, is for people.
package struct ProcessLock: ~Copyable, Sendable {
    package enum Refusal: Error, Hashable, Sendable {
        /// By the process of this number; `nil` where it has not said so yet.
        case held(by: Int32?)
        /// Something other than a regular file stands there.
        case notRegular
        case system(errno: Int32)
    }

    package static let fileName = "agent.lock"

    private let descriptor: Int32

    /// Takes the lock of `state`, a directory, or says why not. It never waits.
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
                // Somebody may have deleted the file before we had it: then what we hold guards nothing.
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
        // Not blocking, should a FIFO stand there.
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

    /// Says for which pair it is held, so that who is refused that pair can be told where its state lies.
    package func note(_ pair: borrowing PairLock) {
        Self.write("\(getpid())\n\(pair.pair)\n", to: descriptor)
    }

    /// The state directory that a process works on that pair with: the lock there is among its open files.
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

    /// Locks are taken before there are many files.
    private static var mostDescriptors: Int { 1_024 }

    /// As well as may be: a full disk is no reason not to start.
    private static func write(_ text: String, to opened: Int32) {
        let bytes = Array(text.utf8)
        _ = try? retried { ftruncate(opened, 0) }
        _ = try? retried { unsafe pwrite(opened, bytes, bytes.count, 0) }
    }

    /// The process that holds the lock there, as far as it says so: for people.
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
