internal import Glibc

/// Ensures that only one process at a time syncs a pair of containers, in whichever order they are named and
/// wherever the state directory is.
///
/// The lock is an abstract Unix socket named after both directories. The kernel releases it when the process
/// ends, in whatever way, and it leaves no file in a container.
package struct PairLock: ~Copyable, Sendable {
    package enum Refusal: Error, Hashable, Sendable {
        /// The process that holds it, and its state directory, as far as they are known.
        case held(by: Int32?, state: String?)
        case system(errno: Int32)
    }

    private let descriptor: Int32
    /// The same for both orders of the directories.
    package let pair: String

    /// Takes the lock of these two directories, or throws why it cannot. It never waits.
    ///
    /// Connecting finds the holder. Nobody accepts the connections, so callers should not ask too often.
    package init(_ one: String, _ other: String, asksHolder: Bool) throws(Refusal) {
        let pair: String
        do throws(Errno) { pair = try Self.pair(one, other) } catch { throw .system(errno: error.code) }
        let opened = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard opened >= 0 else { throw .system(errno: errno) }
        guard let address = Self.address(pair) else { throw .system(errno: ENAMETOOLONG) }
        guard unsafe address.pass(to: { unsafe bind(opened, $0, $1) }) == 0, listen(opened, 4_096) == 0 else {
            let code = errno
            _ = Glibc.close(opened)
            guard code == EADDRINUSE else { throw .system(errno: code) }
            guard asksHolder, let holder = Self.holder(address) else {
                throw .held(by: nil, state: nil)
            }
            guard Self.isTrusted(holder.uid) else {
                (descriptor, self.pair) = (-1, pair)
                return
            }
            throw .held(by: holder.pid, state: ProcessLock.state(of: holder.pid, pair: pair))
        }
        (descriptor, self.pair) = (opened, pair)
    }

    deinit { if descriptor >= 0 { _ = Glibc.close(descriptor) } }

    /// Who holds the lock of these two directories: the process, and its state directory if that is known.
    /// `nil` if nobody does. Connecting finds the holder: see above.
    package static func holder(_ one: String, _ other: String) -> (process: Int32, state: String?)? {
        guard let pair = try? pair(one, other), let address = address(pair), let holder = holder(address),
            isTrusted(holder.uid)
        else { return nil }
        return (holder.pid, ProcessLock.state(of: holder.pid, pair: pair))
    }

    /// Any user can bind such a name, so the process of another user is not trusted.
    private static func isTrusted(_ user: uid_t) -> Bool { user == geteuid() || user == 0 }

    private static func address(_ pair: String) -> UnixAddress? {
        UnixAddress([0] + Array("widgetbridge-pair-\(pair)".utf8))
    }

    private static func pair(_ one: String, _ other: String) throws(Errno) -> String {
        var places: [String] = []
        for path in [one, other] {
            let status = try Status(of: path, in: AT_FDCWD)
            places.append("\(String(status.device, radix: 16)):\(String(status.inode, radix: 16))")
        }
        return places.sorted().joined(separator: "-")
    }

    private static func holder(_ address: UnixAddress) -> (pid: Int32, uid: UInt32)? {
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        let opened = socket(AF_UNIX, Int32(kind), 0)
        guard opened >= 0 else { return nil }
        defer { _ = Glibc.close(opened) }
        guard unsafe address.pass(to: { unsafe connect(opened, $0, $1) }) == 0 else { return nil }
        var peer = PeerCredentials()
        var size = socklen_t(MemoryLayout<PeerCredentials>.size)
        guard unsafe getsockopt(opened, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 else { return nil }
        return (peer.process, peer.user)
    }

    /// Has the layout of the kernel's `struct ucred`, which Glibc does not export to Swift.
    private struct PeerCredentials {
        var process: pid_t = 0
        var user: uid_t = 0
        var group: gid_t = 0
    }
}
