internal import Glibc

/// Only one process at a time carries between two containers, whichever it calls the app's and wherever it
/// keeps its state.
///
/// It listens on an abstract Unix socket that is named by both directories. The kernel lets go of that when
/// the process ends, however it ends, and nothing of it lies in anybody's container.
package struct PairLock: ~Copyable, Sendable {
    package enum Refusal: Error, Hashable, Sendable {
        /// By that process, whose state lies there, where either can be told.
        case held(by: Int32?, state: String?)
        case system(errno: Int32)
    }

    private let descriptor: Int32
    /// The same for both directories, whichever comes first.
    package let pair: String

    /// Takes the lock of these two directories, or says why not. It never waits.
    ///
    /// Who holds it is found by connecting; nobody takes connections there, so it is not asked too often.
    package init(_ one: String, _ other: String, asksHolder: Bool) throws(Refusal) {
        let pair: String
        do throws(Errno) { pair = try Self.pair(one, other) } catch { throw .system(errno: error.code) }
        let name = [0] + Array("widgetbridge-pair-\(pair)".utf8)
        let opened = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard opened >= 0 else { throw .system(errno: errno) }
        guard unsafe Self.call(bind, opened, name) == 0, listen(opened, 4_096) == 0 else {
            let code = errno
            _ = Glibc.close(opened)
            guard code == EADDRINUSE else { throw .system(errno: code) }
            guard asksHolder, let holder = Self.holder(name) else {
                throw .held(by: nil, state: nil)
            }
            // Anybody can take any such name: of another user's process it is not believed.
            guard holder.uid == geteuid() || holder.uid == 0 else {
                (descriptor, self.pair) = (-1, pair)
                return
            }
            throw .held(by: holder.pid, state: ProcessLock.state(of: holder.pid, pair: pair))
        }
        (descriptor, self.pair) = (opened, pair)
    }

    deinit { if descriptor >= 0 { _ = Glibc.close(descriptor) } }

    private static func pair(_ one: String, _ other: String) throws(Errno) -> String {
        var places: [String] = []
        for path in [one, other] {
            let status = try Status(of: path, in: AT_FDCWD)
            places.append("\(String(status.device, radix: 16)):\(String(status.inode, radix: 16))")
        }
        return places.sorted().joined(separator: "-")
    }

    private static func holder(_ name: [UInt8]) -> (pid: Int32, uid: UInt32)? {
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        let opened = socket(AF_UNIX, Int32(kind), 0)
        guard opened >= 0 else { return nil }
        defer { _ = Glibc.close(opened) }
        guard unsafe call(connect, opened, name) == 0 else { return nil }
        var peer = PeerCredentials()
        var size = socklen_t(MemoryLayout<PeerCredentials>.size)
        guard unsafe getsockopt(opened, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 else { return nil }
        return (peer.process, peer.user)
    }

    /// Laid out as the kernel's `struct ucred`, which Glibc hides from Swift.
    private struct PeerCredentials {
        var process: pid_t = 0
        var user: uid_t = 0
        var group: gid_t = 0
    }

    private static func call(
        _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32,
        _ opened: Int32,
        _ name: [UInt8]
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        return unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe function(opened, $0, length)
            }
        }
    }
}
